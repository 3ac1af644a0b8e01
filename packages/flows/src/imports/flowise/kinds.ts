// Nodes of Flowise. Agentflows of version 2 have steps; chatflows have chains with the parts that they use.
import type { SupportedKinds } from '../support.ts'

const upload = 'Upload the documents to the knowledge base'

export const flowiseKinds: SupportedKinds = {
  startAgentflow: {
    becomes: 'the first node, with a `capture` for each field of its form',
    result: 'carried',
  },
  llmAgentflow: {
    becomes: '`aiText`, or `aiTask` for structured outputs',
    result: 'carried',
  },
  agentAgentflow: { becomes: '`queryKnowledge` and `aiText`', result: 'carried' },
  toolAgentflow: {
    becomes: 'a comment',
    result: 'omitted',
    note: 'Connect the tool as an MCP server, or use an action of an integration with `callAction`',
  },
  retrieverAgentflow: { becomes: '`queryKnowledge`', result: 'carried' },
  conditionAgentflow: { becomes: '`transition`', result: 'carried' },
  conditionAgentAgentflow: { becomes: '`aiTransition`', result: 'carried' },
  iterationAgentflow: {
    becomes: 'a counter, and a flow for each round',
    result: 'carried',
  },
  loopAgentflow: { becomes: '`transition` with a counter', result: 'carried' },
  humanInputAgentflow: {
    becomes: '`capture` of a choice, and transitions',
    result: 'changed',
    note: 'The user of the chat decides. For a person of your team, use a `handoff` card',
  },
  directReplyAgentflow: { becomes: '`send`', result: 'carried' },
  customFunctionAgentflow: {
    becomes: '`code`',
    result: 'carried',
    note: 'Code that loads packages becomes a comment with its source',
  },
  httpAgentflow: { becomes: '`code` with `axios`', result: 'carried' },
  executeFlowAgentflow: {
    becomes: 'a comment',
    result: 'omitted',
    note: 'The file does not contain the other flow. Import it too, and call it with `callFlow`',
  },
  stickyNoteAgentflow: { becomes: 'the description of the flow', result: 'carried' },
  stickyNote: { becomes: 'the description of the flow', result: 'carried' },
  Chains: {
    becomes: '`aiText`, or `answer` for questions about documents',
    result: 'carried',
  },
  Agents: { becomes: 'a node of type `agent`', result: 'carried' },
  Engine: { becomes: '`answer`, or a node of type `agent`', result: 'carried' },
  'Chat Models': {
    becomes: 'the model `auto` of the workspace',
    result: 'changed',
    note: 'Choose the model in the card',
  },
  LLMs: {
    becomes: 'the model `auto` of the workspace',
    result: 'changed',
    note: 'Choose the model in the card',
  },
  Prompts: { becomes: '`instructions` of the card', result: 'carried' },
  Memory: { becomes: 'the history of the agent', result: 'carried' },
  Embeddings: { becomes: 'the search of the server', result: 'carried' },
  'Vector Stores': { becomes: 'a knowledge base', result: 'changed', note: upload },
  Retrievers: { becomes: 'a knowledge base', result: 'changed', note: upload },
  'Document Loaders': {
    becomes: 'documents of a knowledge base',
    result: 'changed',
    note: upload,
  },
  'Text Splitters': { becomes: 'the passages of the server', result: 'carried' },
  'Response Synthesizer': { becomes: 'the card `answer`', result: 'carried' },
  'Output Parsers': { becomes: '`output` of `aiTask`', result: 'carried' },
  'Tools with documents': {
    becomes: 'the knowledge tool of the agent',
    result: 'carried',
  },
  Tools: {
    becomes: 'nothing',
    result: 'omitted',
    note: 'Connect the tool as an MCP server, or write an action of the bot',
  },
  'Multi Agents': {
    becomes: '`instructions` of one agent, that of the supervisor',
    result: 'changed',
    note: 'One agent does the work of all. Make a flow of each worker if they need different tools',
  },
  'Sequential Agents': {
    becomes: 'nothing',
    result: 'omitted',
    note: 'Give the tools to a node of type `agent`',
  },
  Utilities: {
    becomes: 'nothing',
    result: 'omitted',
    note: 'Write it with a `code` or a `set` card',
  },
  Moderation: {
    becomes: 'nothing',
    result: 'omitted',
    note: 'Check the message with a hook of kind `beforeIncoming`',
  },
}
