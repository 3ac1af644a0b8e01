// What a bot declares, and its plugins with it, read piece by piece: a whole definition may be large, and is seldom needed whole.
// What a plugin brings along is named `alias#name`, and kept in a row of its own (bots/bot-plugins.ts).
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** The part of the definition at a path (`['user', 'tags']`); null where nothing is declared. Without the plugins'. */
export async function findBotDeclaration(db: Db, botId: string, path: string[]): Promise<unknown> {
  const { rows } = await sql<{
    declared: unknown
  }>`select definition #> ${path}::text[] as declared from bot where id = ${botId}`.execute(db)
  return rows[0]?.declared ?? null
}

/** A state that the bot or one of its plugins declares, if any does, and whether the bot itself declares any. */
export async function findBotState(
  db: Db,
  botId: string,
  name: string,
): Promise<{ declared: unknown; declaresAny: boolean }> {
  const { rows } = await sql<{ declared: unknown; declaresAny: boolean }>`
    select ${declaredAt(['states', name])} as declared, coalesce(b.definition -> 'states', '{}') <> '{}' as "declaresAny"
    from bot b ${joinPlugin(name)} where b.id = ${botId}`.execute(db)
  return rows[0] ?? { declared: null, declaresAny: false }
}

/** An action that the bot or one of its plugins declares, if any does, and how long an invocation may take. */
export async function findBotAction(
  db: Db,
  botId: string,
  action: string,
): Promise<{ declared: unknown; timeoutMs: number }> {
  const { rows } = await sql<{ declared: unknown; seconds: number }>`
    select ${declaredAt(['actions', action])} as declared, b.max_execution_seconds as seconds from bot b ${joinPlugin(action)} where b.id = ${botId}`.execute(
    db,
  )
  return { declared: rows[0]?.declared ?? null, timeoutMs: (rows[0]?.seconds ?? 60) * 1000 }
}

const declaredAt = (path: string[]) =>
  sql`coalesce(p.definition #> ${path}::text[], b.definition #> ${path}::text[])`

/** The plugin that such a name belongs to. An alias has no `#` inside. */
const joinPlugin = (name: string) =>
  sql`left join bot_plugin p on p.bot_id = b.id and p.enabled and p.alias = split_part(${name}, '#', 1)`
