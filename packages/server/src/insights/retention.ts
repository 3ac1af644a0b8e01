// How long insights are kept: counts for 400 days, so that a year can be compared with the last one; observations and action runs for as many days as the
// settings say, and of each bot no more than so many.
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

const countDays = 400
const mostOfABot = { observation: 100_000, action_run: 10_000 }
/** At a time: nobody shall wait for it. */
const batch = 10_000

export async function removeOldInsights(db: Db, days: number): Promise<void> {
  await removeBefore(db, 'analytics_count', 'hour', countDays)
  await removeBefore(db, 'observation', 'created_at', days)
  await removeBefore(db, 'action_run', 'started_at', days)
  await removeExcess(db, 'observation')
  await removeExcess(db, 'action_run')
}

async function removeBefore(db: Db, table: string, column: string, days: number): Promise<void> {
  await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.ref(column)} < now() - ${days} * interval '1 day' limit ${batch}
    ))`.execute(db)
}

/** Ids begin with the time. The bots are found along the key, one step each; where each is cut is looked up once. */
async function removeExcess(db: Db, table: keyof typeof mostOfABot): Promise<void> {
  const name = sql.table(table)
  await sql`
    with recursive holder as (
      (select bot_id from ${name} order by bot_id limit 1)
      union all
      select (select t.bot_id from ${name} t where t.bot_id > holder.bot_id order by t.bot_id limit 1) from holder where holder.bot_id is not null
    ),
    cut as materialized (
      select bot_id, (select id from ${name} t where t.bot_id = holder.bot_id order by id desc offset ${mostOfABot[table]} limit 1) as newest
      from holder where bot_id is not null
    )
    delete from ${name} where ctid = any(array(
      select t.ctid from ${name} t join cut on cut.bot_id = t.bot_id and t.id <= cut.newest limit ${batch}
    ))`.execute(db)
}
