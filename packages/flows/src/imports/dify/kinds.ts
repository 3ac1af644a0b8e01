// Nodes of Dify.
import type { SupportedKinds } from '../support.ts'

export const difyKinds: SupportedKinds = {
  start: {
    becomes: 'the first node, with a `capture` for each field of its form',
    result: 'carried',
  },
  'user input form': { becomes: '`capture` for each field', result: 'carried' },
  'opening statement': {
    becomes: 'a trigger at the start of a conversation',
    result: 'carried',
  },
  answer: { becomes: '`send`', result: 'carried' },
  end: {
    becomes: '`send`',
    result: 'changed',
    note: 'A bot talks: its outputs are sent as a message',
  },
  llm: { becomes: '`aiText`, or `aiTask` for structured outputs', result: 'carried' },
  'chat app': { becomes: 'a node of type `agent`', result: 'carried' },
  'knowledge-retrieval': { becomes: '`queryKnowledge`', result: 'carried' },
  'question-classifier': { becomes: '`aiTransition`', result: 'carried' },
  'if-else': { becomes: '`transition`', result: 'carried' },
  code: {
    becomes: '`code` if it is JavaScript',
    result: 'carried',
    note: 'Python becomes a comment with its source',
  },
  'template-transform': {
    becomes: '`set` if the template has only variables and simple filters',
    result: 'carried',
  },
  'http-request': { becomes: '`code` with `axios`', result: 'carried' },
  'parameter-extractor': { becomes: '`aiTask`', result: 'carried' },
  assigner: { becomes: '`set`', result: 'carried' },
  'variable-assigner': { becomes: '`set`', result: 'carried' },
  'variable-aggregator': { becomes: '`set`', result: 'carried' },
  'list-operator': { becomes: '`set`', result: 'carried' },
  iteration: { becomes: 'a counter, and a flow for each round', result: 'carried' },
  loop: { becomes: 'a counter, and a flow for each round', result: 'carried' },
  'loop-end': { becomes: '`set` that ends the loop', result: 'carried' },
  agent: {
    becomes: '`aiText`',
    result: 'changed',
    note: 'Tools are not carried. Connect them as MCP servers or actions, and use a node of type `agent`',
  },
  'human-input': {
    becomes: '`capture` of a choice, and transitions',
    result: 'changed',
    note: 'The user of the chat decides. For a person of your team, use a `handoff` card',
  },
  tool: {
    becomes: 'a comment',
    result: 'omitted',
    note: 'Connect the tool as an MCP server, or use an action of an integration with `callAction`',
  },
  'document-extractor': {
    becomes: 'a comment',
    result: 'omitted',
    note: 'Upload documents to a knowledge base; the server reads their texts',
  },
  note: { becomes: 'the description of the flow', result: 'carried' },
}
