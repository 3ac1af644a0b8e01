// The server of the Model Context Protocol for coding agents.
import { Type as T } from 'typebox'
import { Json } from '../fields.ts'
import { operation } from '../operation.ts'

export const authoring = {
  sendAuthoringMessage: operation({
    method: 'POST',
    path: '/mcp/authoring',
    access: 'workspace',
    permission: 'bots.read',
    workspaceOptional: true,
    audit: false,
    stream: true,
    bodyLimit: 8 * 1_048_576,
    summary: 'Send a message to the authoring MCP server',
    description:
      'For programs that write bots. Takes messages as `sendMcpMessage`. Each tool performs ' +
      'operations of this API as the caller, so their permissions, limits and audit entries ' +
      'apply; tools that the role does not permit are not listed.',
    body: T.Union([Json, T.Array(T.Unknown())]),
    response: Json,
  }),
}
