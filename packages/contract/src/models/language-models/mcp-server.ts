// MCP servers: those that are installed in bots, and the bots' own.
import { type Static, Type as T } from 'typebox'
import { closed, Json, nullable, Timestamp } from '../../fields.ts'

const server = {
  url: T.String({ minLength: 1, maxLength: 2_000 }),
  enabled: T.Optional(T.Boolean()),
  /** The header that carries the key; without it, `authorization: Bearer <key>`. */
  keyHeader: T.Optional(T.String({ minLength: 1, maxLength: 64 })),
}

/** An MCP server in a bot's document, by its name. Documents contain no keys. */
export const DocumentedMcpServer = closed(server)

/** Without `key`, the server keeps the key that it has. */
export const NewMcpServer = closed({
  ...server,
  key: T.Optional(nullable(T.String({ minLength: 1, maxLength: 4_000 }))),
})

/** @component */
export const McpServer = closed({
  name: T.String(),
  ...server,
  enabled: T.Boolean(),
  /** The key itself is never sent. */
  hasKey: T.Boolean(),
  /** When the server listed its tools; absent before. */
  toolsListedAt: T.Optional(Timestamp),
  updatedAt: Timestamp,
})
export type McpServer = Static<typeof McpServer>

const text = T.Optional(T.String())

/** A tool of an MCP server. `action` is its name for `callAction`. @component */
export const McpTool = closed({
  name: T.String(),
  action: T.String(),
  title: text,
  description: text,
  inputSchema: Json,
  outputSchema: T.Optional(Json),
})
export type McpTool = Static<typeof McpTool>
