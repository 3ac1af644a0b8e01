// Bots as servers of the Model Context Protocol. Clients of the protocol, not of this contract,
// know the messages, so their schema is open.
import { Type as T } from 'typebox'
import { Json } from '../fields.ts'
import { operation } from '../operation.ts'

export const messages = {
  sendMcpMessage: operation({
    method: 'POST',
    path: '/mcp/{botId}',
    access: 'bot',
    permission: 'data.read',
    audit: false,
    stream: true,
    summary: "Send a message to a bot's MCP server",
    description:
      'Takes one JSON-RPC message of the Model Context Protocol (streamable HTTP, without sessions) of any ' +
      'revision from 2024-11-05 to 2026-07-28, or a batch of a revision up to 2025-03-26. ' +
      'Answers a request with one JSON object, or with server-sent events if it asks for progress, and ' +
      'a notification with 202. GET and DELETE answer 405. Calls of actions with a personal access ' +
      'token also require the permission `data.write`.',
    params: T.Object({ botId: T.String() }),
    body: T.Union([Json, T.Array(T.Unknown())]),
    response: Json,
  }),
}
