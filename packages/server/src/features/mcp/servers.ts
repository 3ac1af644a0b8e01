// Owns the table bot_mcp_server: the MCP servers that are installed in bots, with their tools as
// listed last. Keys are encrypted, and leave this server only to the MCP server.
import { ApiError } from '@botstead/contract'
import { apiKeyForm, isApiKey } from '@botstead/lib'
import { sql } from 'kysely'
import { type Db, toJson } from '../../core/db/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'

/** A tool, as its server describes it. */
export interface RemoteTool {
  title?: string
  description?: string
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown>
}

export interface McpServer {
  bot_id: string
  name: string
  url: string
  key: Buffer | null
  key_header: string | null
  enabled: boolean
  tools_at: Date | null
  updated_at: Date
}

/** With the tools by name, as listed last. */
export interface McpServerRow extends McpServer {
  tools: Record<string, RemoteTool> | null
}

interface McpServerSettings {
  url: string
  enabled: boolean
  /** Undefined keeps the present key. */
  key?: string | null | undefined
  keyHeader?: string | null | undefined
}

/** Callers have checked the workspace. */
interface Owner {
  botId: string
  workspaceId: string
}

const maxServers = 20
/** Without a colon, which separates the name from a tool, and without `#` of plugins. */
const form = /^[A-Za-z][\w-]{0,63}$/
const headerForm = /^[A-Za-z][A-Za-z0-9-]{0,63}$/
/** Headers of the transport. */
const reservedHeaders =
  /^(?:accept|connection|content-.*|expect|host|keep-alive|mcp-.*|te|trailer|transfer-encoding|upgrade)$/i

const toLocation = (botId: string, name: string) => `bot_mcp_server.key/${botId}/${name}`

export async function listMcpServers(db: Db, botId: string): Promise<McpServerRow[]> {
  const { rows } = await sql<McpServerRow>`
    select * from bot_mcp_server where bot_id = ${botId} order by name`.execute(db)
  return rows
}

/** Returns the servers by name, as documents of bots have them: without keys. */
export const describeMcpServers = async (db: Db, botId: string) =>
  Object.fromEntries(
    (await listMcpServers(db, botId)).map(({ name, url, enabled, key_header }) => [
      name,
      { url, enabled, ...(key_header !== null && { keyHeader: key_header }) },
    ]),
  )

/** Throws ResourceNotFound. */
export async function findMcpServer(
  db: Db,
  botId: string,
  name: string,
): Promise<McpServerRow> {
  const { rows } = await sql<McpServerRow>`
    select * from bot_mcp_server where bot_id = ${botId} and name = ${name}`.execute(db)
  if (!rows[0]) throw noServer(name)
  return rows[0]
}

const noServer = (name: string) =>
  new ApiError('ResourceNotFound', `MCP server "${name}" was not found`)

export const openKey = ({ bot_id, name, key }: McpServer, secrets: Secrets) =>
  key && secrets.open(key, toLocation(bot_id, name))

/** Creates or replaces a server. Throws InvalidPayload, LimitExceeded, RelationConflict. */
export async function setMcpServer(
  db: Db,
  secrets: Secrets,
  { botId, workspaceId }: Owner,
  name: string,
  { url, enabled, key, keyHeader = null }: McpServerSettings,
): Promise<McpServerRow> {
  checkForm(name, keyHeader)
  if (key && !isApiKey(key))
    throw new ApiError('InvalidPayload', `\`key\` must ${apiKeyForm}`)
  await checkNeighbours(db, botId, name)
  const sealed = key
    ? await secrets.seal(workspaceId, key, toLocation(botId, name))
    : null
  // A key must not follow its server to another address, nor the tools of another one stay.
  const { rows } = await sql<McpServerRow>`
    insert into bot_mcp_server as s (bot_id, name, url, key, key_header, enabled)
    values (${botId}, ${name}, ${url}, ${sealed}, ${keyHeader}, ${enabled})
    on conflict (bot_id, name) do update set url = excluded.url, key_header = excluded.key_header,
      enabled = excluded.enabled, updated_at = now(),
      key = case when ${key === undefined} and s.url = excluded.url then s.key else excluded.key end,
      tools = case when s.url = excluded.url then s.tools end, tools_at = null
    returning *`.execute(db)
  return rows[0]!
}

function checkForm(name: string, keyHeader: string | null) {
  if (!form.test(name))
    throw new ApiError(
      'InvalidPayload',
      '`name` must begin with a letter and consist of letters, digits, `_` and `-`, at most 64',
    )
  if (
    keyHeader !== null &&
    (!headerForm.test(keyHeader) || reservedHeaders.test(keyHeader))
  )
    throw new ApiError(
      'InvalidPayload',
      '`keyHeader` must be the name of a header for a key',
    )
}

/** Actions of integrations have the same form of names. */
async function checkNeighbours(db: Db, botId: string, name: string) {
  const { rows } = await sql<{ others: number; taken: boolean }>`
    select (select count(*)::int from bot_mcp_server where bot_id = ${botId} and name <> ${name}) as others,
      exists (select from installation t join integration g on g.id = t.integration_id
        where t.bot_id = ${botId} and ${name} in (t.alias, g.name)) as taken`.execute(db)
  const { others, taken } = rows[0]!
  if (taken)
    throw new ApiError(
      'RelationConflict',
      `An integration "${name}" is installed in this bot: choose another name`,
    )
  if (others >= maxServers)
    throw new ApiError(
      'LimitExceeded',
      `A bot may have at most ${maxServers} MCP servers`,
    )
}

/** Throws ResourceNotFound. */
export async function deleteMcpServer(
  db: Db,
  botId: string,
  name: string,
): Promise<void> {
  const { rows } = await sql`
    delete from bot_mcp_server where bot_id = ${botId} and name = ${name} returning 1`.execute(
    db,
  )
  if (rows.length === 0) throw noServer(name)
}

/** Servers of a document, by name. Enabled unless it says otherwise. */
type McpServerChanges = Record<
  string,
  { url: string; enabled?: boolean | undefined; keyHeader?: string | undefined }
>

/** Makes these the bot's servers, with the keys that they have. */
export async function replaceMcpServers(
  db: Db,
  secrets: Secrets,
  owner: Owner,
  servers: McpServerChanges,
): Promise<void> {
  await sql`delete from bot_mcp_server where bot_id = ${owner.botId}
    and not name = any (${Object.keys(servers)}::text[])`.execute(db)
  for (const [name, settings] of Object.entries(servers))
    await setMcpServer(db, secrets, owner, name, {
      ...settings,
      enabled: settings.enabled ?? true,
    })
}

/** Stores the tools, unless the server has got another address since `row` was read. */
export async function storeTools(
  db: Db,
  { bot_id: botId, name, url }: McpServer,
  tools: Record<string, RemoteTool>,
): Promise<void> {
  await sql`update bot_mcp_server set tools = ${toJson(tools)}::jsonb, tools_at = now()
    where bot_id = ${botId} and name = ${name} and url = ${url}`.execute(db)
}

/** Makes the next call list the tools again. */
export async function invalidateTools(
  db: Db,
  { bot_id: botId, name }: McpServer,
): Promise<void> {
  await sql`update bot_mcp_server set tools_at = null
    where bot_id = ${botId} and name = ${name}`.execute(db)
}

export interface FoundTool extends McpServer {
  workspace_id: string
  /** Null if the server had no such tool. */
  tool: RemoteTool | null
  /** Seconds since the tools were listed; null if they must be listed again. */
  age: number | null
}

/** Finds a tool of an enabled server; null without such a server. */
export async function findTool(
  db: Db,
  botId: string,
  name: string,
  tool: string,
): Promise<FoundTool | null> {
  const { rows } = await sql<FoundTool>`
    select s.bot_id, s.name, s.url, s.key, s.key_header, s.enabled, s.tools_at, s.updated_at,
      b.workspace_id, s.tools -> ${tool}::text as tool,
      extract(epoch from now() - s.tools_at)::float8 as age
    from bot_mcp_server s join bot b on b.id = s.bot_id
    where s.bot_id = ${botId} and s.name = ${name} and s.enabled`.execute(db)
  return rows[0] ?? null
}
