// Parts of programs of OpenAI's Agents SDK, as the Agent Builder exports them.
import type { SupportedKinds } from '../support.ts'

const tool = 'Connect it as an MCP server or an action, and use a node of type `agent`'

export const agentsSdkKinds: SupportedKinds = {
  agent: { becomes: '`aiText`, or `aiTask` for structured outputs', result: 'carried' },
  handoff: { becomes: '`aiTransition`', result: 'carried' },
  'file search': { becomes: '`queryKnowledge`', result: 'carried' },
  'if / else': { becomes: '`transition`', result: 'carried' },
  while: { becomes: '`transition` back to the first step', result: 'carried' },
  'user approval': { becomes: '`capture` of kind `confirmation`', result: 'carried' },
  'set state': { becomes: '`set`', result: 'carried' },
  transform: {
    becomes: '`set` if it is an expression of JavaScript or Python that both have',
    result: 'carried',
  },
  guardrails: {
    becomes: 'nothing',
    result: 'omitted',
    note: 'Check the message with a hook of kind `beforeIncoming`. Branches for violations never run',
  },
  'web search': { becomes: 'nothing', result: 'omitted', note: tool },
  'MCP server': {
    becomes: 'nothing',
    result: 'omitted',
    note: 'Add the server to `mcpServers` of the document, and use a node of type `agent`',
  },
  'code interpreter': { becomes: 'nothing', result: 'omitted', note: tool },
  'other tool': { becomes: 'nothing', result: 'omitted', note: tool },
}
