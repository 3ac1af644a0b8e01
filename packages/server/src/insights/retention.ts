// How long insights are kept: counts for 400 days, so that a year can be compared with the last one; observations and action runs for as many days as the
// settings say, and of each bot no more than so many.
import type { Db } from '../db/open.ts'
import { removeBefore, removeExcess } from '../db/retention.ts'

const countDays = 400

export async function removeOldInsights(db: Db, days: number): Promise<void> {
  await removeBefore(db, 'analytics_count', 'hour', countDays)
  await removeBefore(db, 'observation', 'created_at', days)
  await removeBefore(db, 'action_run', 'started_at', days)
  // Ids begin with the time.
  await removeExcess(db, { table: 'observation', owner: 'bot_id', most: 100_000 })
  await removeExcess(db, { table: 'action_run', owner: 'bot_id', most: 10_000 })
}
