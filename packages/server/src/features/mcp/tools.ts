// The tools of a bot's MCP server: its own actions, those of its plugins, its flows that are tools,
// and the chosen actions of its integrations.
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import { nameTools } from './tool-names.ts'

type Json = Record<string, unknown>

/** An action as a tool. */
export interface ActionTool {
  /** The tool's name; unique in the bot. */
  name: string
  /** The action's name for `callAction`. */
  type: string
  title: string | null
  description: string | null
  inputSchema: ToolSchema
  outputSchema: ToolSchema | null
}

type ToolSchema = Json & { type: 'object' }

/** Name of the tool that searches the bot's files. An action of this name has another one. */
export const searchTool = 'search_knowledge'

/** Sorted by name. */
export async function listActionTools(db: Db, botId: string): Promise<ActionTool[]> {
  const { rows } = await sql<{ type: string; declared: Json }>`
    select type, declared from (
      select one.key as type, one.value as declared from bot b, jsonb_each(b.definition -> 'actions') one
        where b.id = ${botId}
      union all
      select one.key, one.value from bot_plugin p, jsonb_each(p.definition -> 'actions') one
        where p.bot_id = ${botId} and p.enabled
      union all
      select t.alias || ':' || one.key, one.value from bot b
        join installation t on t.bot_id = b.id and t.enabled
        join integration g on g.id = t.integration_id, jsonb_each(g.definition -> 'actions') one
        where b.id = ${botId} and t.alias || ':' || one.key = any (b.mcp_actions)
    ) action order by type`.execute(db)
  const names = nameTools([searchTool, ...rows.map(({ type }) => type)])
  return rows
    .map(({ type, declared }) => toTool(type, names.get(type)!, declared))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function toTool(type: string, name: string, declared: Json): ActionTool {
  const getSchema = (side: 'input' | 'output') =>
    (declared[side] as Json | undefined)?.schema
  return {
    name,
    type,
    title: toText(declared.title),
    description: toText(declared.description),
    inputSchema: toToolSchema(getSchema('input')) ?? { type: 'object' },
    outputSchema: toToolSchema(getSchema('output')),
  }
}

const toText = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value : null

/**
 * Returns the schema as clients accept it: an object with objects as properties. Clients reject
 * the whole list for one other schema, and cannot resolve some dialects and names. Null for a schema
 * of something else; the server checks inputs and outputs by the author's own schema.
 */
function toToolSchema(schema: unknown): ToolSchema | null {
  if (!isObject(schema) || (schema.type !== undefined && schema.type !== 'object'))
    return null
  const { $schema: _dialect, $id: _name, properties, required, ...rest } = schema
  return {
    ...rest,
    type: 'object',
    ...(isObject(properties) && { properties: toProperties(properties) }),
    ...(Array.isArray(required) && { required }),
  }
}

/** A schema may be `true` or `false`. */
const toProperties = (properties: Json): Json =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      isObject(schema) ? schema : { ...(schema === false && { not: {} }) },
    ]),
  )

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Sets the actions of integrations, as `alias:action`, that are tools. */
/** Returns one of the actions that no enabled integration of the bot has. */
export async function findUnknownAction(
  db: Db,
  botId: string,
  actions: string[],
): Promise<string | null> {
  const { rows } = await sql<{ wanted: string }>`
    select wanted from unnest(${actions}::text[]) wanted where not exists (
      select from installation t join integration g on g.id = t.integration_id
        where t.bot_id = ${botId} and t.enabled and starts_with(wanted, t.alias || ':')
          and g.definition -> 'actions' ? substr(wanted, length(t.alias) + 2)
    ) limit 1`.execute(db)
  return rows[0]?.wanted ?? null
}

export async function findChosenActions(db: Db, botId: string): Promise<string[]> {
  const { rows } = await sql<{
    mcp_actions: string[]
  }>`select mcp_actions from bot where id = ${botId}`.execute(db)
  return rows[0]?.mcp_actions ?? []
}
