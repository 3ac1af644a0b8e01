// Removes old insights: counts after 400 days, so that a year can be compared with the previous
// one; observations, traces and action runs after the configured number of days, and beyond a maximum per
// bot.
import { type Db, removeBefore, removeExcess } from '../../core/db/index.ts'

const countDays = 400

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
