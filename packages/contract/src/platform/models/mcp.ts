import { Type as T } from 'typebox'
import { closed, Done } from '../../fields.ts'
import {
  McpServer,
  McpTool,
  NewMcpServer,
} from '../../models/language-models/mcp-server.ts'
import { operation } from '../../operation.ts'

const ofBot = T.Object({ botId: T.String() })
const byName = T.Object({ botId: T.String(), name: T.String() })
const read = { access: 'workspace', permission: 'bots.read' } as const
const write = { access: 'workspace', permission: 'bots.update' } as const

export const mcp = {
  listMcpServers: operation({
    method: 'GET',
    path: '/v1/platform/bots/{botId}/mcp-servers',
    ...read,
    summary: 'List the MCP servers in a bot',
    params: ofBot,
    response: closed({ servers: T.Array(McpServer) }),
    errors: ['ResourceNotFound'],
  }),
  getMcpServer: operation({
    method: 'GET',
    path: '/v1/platform/bots/{botId}/mcp-servers/{name}',
    ...read,
    summary: 'Get an MCP server with its tools',
    description:
      'Returns the tools as listed last; with `refresh`, calls the server and lists them again.',
    params: byName,
    query: T.Object({ refresh: T.Optional(T.Boolean()) }),
    response: closed({ server: McpServer, tools: T.Array(McpTool) }),
    errors: ['ResourceNotFound', 'Runtime', 'OperationTimeout'],
  }),
  setMcpServer: operation({
    method: 'PUT',
    path: '/v1/platform/bots/{botId}/mcp-servers/{name}',
    ...write,
    audit: 'UPDATE_BOT',
    summary: 'Set an MCP server of a bot',
    description:
      'The server stores the key encrypted. A server with a new URL loses its key. The rules for URLs ' +
      'of workspaces apply.',
    params: byName,
    body: NewMcpServer,
    response: closed({ server: McpServer }),
    errors: ['ResourceNotFound', 'LimitExceeded', 'RelationConflict'],
  }),
  deleteMcpServer: operation({
    method: 'DELETE',
    path: '/v1/platform/bots/{botId}/mcp-servers/{name}',
    ...write,
    audit: 'UPDATE_BOT',
    summary: 'Remove an MCP server from a bot',
    params: byName,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  getMcpTool: operation({
    method: 'GET',
    path: '/v1/platform/mcp-tool',
    access: 'bot',
    summary: 'Get a tool of an MCP server',
    description: 'For the code of the bot. `action` is `server:tool`.',
    query: T.Object({ action: T.String({ minLength: 3, maxLength: 300 }) }),
    response: closed({ tool: McpTool }),
    errors: ['ResourceNotFound', 'ReferenceNotFound', 'Runtime', 'OperationTimeout'],
  }),
  getMcpTools: operation({
    method: 'GET',
    path: '/v1/platform/bots/{botId}/mcp-tools',
    ...read,
    summary: "Get the tools of a bot's MCP server",
    params: ofBot,
    response: closed({ tools: T.Array(McpTool), actions: T.Array(T.String()) }),
    errors: ['ResourceNotFound'],
  }),
  setMcpTools: operation({
    method: 'PUT',
    path: '/v1/platform/bots/{botId}/mcp-tools',
    ...write,
    audit: 'UPDATE_BOT',
    summary: "Set integrations' actions that are tools",
    description:
      'Each is `alias:action`. The actions of the bot itself and the flows with `tool` are always tools.',
    params: ofBot,
    body: closed({
      actions: T.Array(T.String({ minLength: 3, maxLength: 300 }), { maxItems: 500 }),
    }),
    response: closed({ tools: T.Array(McpTool), actions: T.Array(T.String()) }),
    errors: ['ResourceNotFound', 'ReferenceNotFound'],
  }),
}
