// Reads parts of the declarations of a bot and its plugins: a definition may be large, and is
// rarely needed as a whole. Contributions of plugins are named `alias#name` and have their own rows
// (catalog/plugins/bot-plugins.ts).
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

/**
 * Returns the part at a path (`['user', 'tags']`), or null if it is not declared. Excludes plugins.
 */
async function findBotDeclaration(
  db: Db,
  botId: string,
  path: string[],
): Promise<unknown> {
  const { rows } = await sql<{
    declared: unknown
  }>`select definition #> ${path}::text[] as declared from bot where id = ${botId}`.execute(
    db,
  )
  return rows[0]?.declared ?? null
}

/**
 * Returns the declaration of a state in the bot or its plugins, and whether the bot itself declares
 * any state.
 */
async function findBotState(
  db: Db,
  botId: string,
  name: string,
): Promise<{ declared: unknown; declaresAny: boolean }> {
  const { rows } = await sql<{ declared: unknown; declaresAny: boolean }>`
    select ${declaredAt(['states', name])} as declared,
      coalesce(b.definition -> 'states', '{}') <> '{}' as "declaresAny"
    from bot b ${joinPlugin(name)} where b.id = ${botId}`.execute(db)
  return rows[0] ?? { declared: null, declaresAny: false }
}

/**
 * Returns the declaration of an action in the bot or its plugins, and the timeout of an invocation.
 */
async function findBotAction(
  db: Db,
  botId: string,
  action: string,
): Promise<{ declared: unknown; timeoutMs: number }> {
  const { rows } = await sql<{ declared: unknown; seconds: number }>`
    select ${declaredAt(['actions', action])} as declared, b.max_execution_seconds as seconds
      from bot b ${joinPlugin(action)} where b.id = ${botId}`.execute(db)
  return {
    declared: rows[0]?.declared ?? null,
    timeoutMs: (rows[0]?.seconds ?? 60) * 1000,
  }
}

const declaredAt = (path: string[]) =>
  sql`coalesce(p.definition #> ${path}::text[], b.definition #> ${path}::text[])`

/** Joins the plugin that the name belongs to. An alias contains no `#`. */
const joinPlugin = (name: string) =>
  sql`left join bot_plugin p on p.bot_id = b.id and p.enabled and p.alias = split_part(${name}, '#', 1)`

/** Declarations of actions, events and states in definitions of bots. */
export const botDeclarations = {
  findAction: findBotAction,
  find: findBotDeclaration,
  findState: findBotState,
}
