// How documents work, for models that have never seen one.
export const guide = `A document has kind "bot", version 2 and flows. Each conversation begins in
the flow "main", at its node of type "start". Any other flow begins at its node of type "entry". A
node has cards, which run in order, and "next": the node that follows. Without "next", the flow
ends, and so does the conversation if the flow is "main".

Minimal document:
{"kind": "bot", "version": 2, "flows": {"main": {
  "variables": {"name": {"type": "string"}},
  "nodes": {"start": {"type": "start", "cards": [
    {"type": "capture", "kind": "text", "question": "Your name?", "into": "workflow.name"},
    {"type": "send", "message": "Hello, {{ workflow.name }}!"}]}}}}}

- Variables must be declared: of a flow in its "variables", as workflow.x; of a conversation, a
  user or the bot in "variables" of the document, as conversation.x, user.x, bot.x. Values of the
  bot's configuration are env.x.
- {{ }} in texts holds a JavaScript expression. "when" and "validate" are expressions without
  braces.
- The last message of the user is event.preview.
- A target ("next", "to") names a node of the same flow. A card "callFlow" calls another flow;
  "inputs" and "outputs" are its values.
- A card that waits for the person (capture) ends the turn; the next message continues there.
- The "start" node runs with the first message of the person. Loops need a card that waits.
- Tests are in "tests", by name. Each step has one field: {"user": "hi"}, {"bot": "Hello!"},
  {"bot": {"contains": "Hello"}}, {"variables": {"workflow.name": "Ana"}}, {"wait": "2h"}. Every
  message of the bot needs a step "bot", in order. Choices are shown as text with numbered
  options: {"bot": {"contains": "…"}} is safe. Replies of language models stand in "models", in
  order.

Pointers are JSON Pointers: /flows/main/nodes/start/cards/0. In names, "/" is ~1 and "~" is ~0.`
