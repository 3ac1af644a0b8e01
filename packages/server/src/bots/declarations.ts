// What a bot declares, read piece by piece: a whole definition may be large, and is seldom needed whole.
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** The part of the definition at a path (`['user', 'tags']`); null where nothing is declared. */
export async function findBotDeclaration(db: Db, botId: string, path: string[]): Promise<unknown> {
  const { rows } = await sql<{ declared: unknown }>`select definition #> ${path}::text[] as declared from bot where id = ${botId}`.execute(db)
  return rows[0]?.declared ?? null
}

/** A state that the bot declares, if it does, and whether it declares any. */
export async function findBotState(db: Db, botId: string, name: string): Promise<{ declared: unknown; declaresAny: boolean }> {
  const { rows } = await sql<{ declared: unknown; declaresAny: boolean }>`
    select definition #> ${['states', name]}::text[] as declared, coalesce(definition -> 'states', '{}') <> '{}' as "declaresAny"
    from bot where id = ${botId}`.execute(db)
  return rows[0] ?? { declared: null, declaresAny: false }
}

/** An action that the bot declares, if it does, and how long an invocation may take. */
export async function findBotAction(db: Db, botId: string, action: string): Promise<{ declared: unknown; timeoutMs: number }> {
  const { rows } = await sql<{ declared: unknown; seconds: number }>`
    select definition #> ${['actions', action]}::text[] as declared, max_execution_seconds as seconds from bot where id = ${botId}`.execute(db)
  return { declared: rows[0]?.declared ?? null, timeoutMs: (rows[0]?.seconds ?? 60) * 1000 }
}
