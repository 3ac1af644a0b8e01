// Removes old insights: counts after 400 days, so that a year can be compared with the previous
// one; observations, traces and action runs after the configured number of days, and beyond a maximum per
// bot.
import { sql } from 'kysely'
import { type Db, removeExcess } from '../../core/db/index.ts'

const countDays = 400
/** Other writers wait for a batch only briefly. */
const batch = 10_000

export async function removeOldInsights(db: Db, days: number): Promise<void> {
  await removeBefore(db, 'analytics_count', 'hour', countDays)
  await removeBefore(db, 'observation', 'created_at', days)
  await removeBefore(db, 'event_trace', 'created_at', days)
  await removeBefore(db, 'action_run', 'started_at', days)
  // Ids begin with the time.
  await removeExcess(db, { table: 'observation', owner: 'bot_id', max: 100_000 })
  await removeExcess(db, { table: 'event_trace', owner: 'bot_id', max: 100_000 })
  await removeExcess(db, { table: 'action_run', owner: 'bot_id', max: 10_000 })
}

/** Deletes a batch of rows older than `days`. Needs an index on the column. */
async function removeBefore(
  db: Db,
  table: string,
  column: string,
  days: number,
): Promise<void> {
  await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${sql.ref(column)} < now() - ${days} * interval '1 day'
        limit ${batch}
    ))`.execute(db)
}
