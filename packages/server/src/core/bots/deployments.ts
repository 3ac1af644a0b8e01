// Owns the table bot_deployment: which version a bot ran when, for traces of events.
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

/** Per bot; older ones are deleted. */
const maxDeployments = 1_000

/**
 * Records that the bot has another state from now on. A transaction that first deploys code and then
 * stores the version of it leaves one row.
 */
export async function recordDeployment(
  db: Db,
  botId: string,
  versionId: string | null,
): Promise<void> {
  await sql`
    with excess as (
      delete from bot_deployment where bot_id = ${botId} and at < (
        select at from bot_deployment where bot_id = ${botId} order by at desc
          offset ${maxDeployments - 1} limit 1
      )
    )
    insert into bot_deployment (bot_id, version_id) values (${botId}, ${versionId})
    on conflict (bot_id, at) do update set version_id = excluded.version_id`.execute(db)
}

interface RanVersion {
  id: string
  number: number | null
  name: string
}

/** Returns the version that the bot ran at this time; null if no version has its state. */
export async function findVersionAt(
  db: Db,
  botId: string,
  at: Date,
): Promise<RanVersion | null> {
  const { rows } = await sql<RanVersion>`
    select v.id, v.number, v.name from (
      select version_id from bot_deployment where bot_id = ${botId} and at <= ${at}
        order by at desc limit 1
    ) d join bot_version v on v.bot_id = ${botId} and v.id = d.version_id`.execute(db)
  return rows[0] ?? null
}
