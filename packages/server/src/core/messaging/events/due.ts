// Scheduled work by the database's clock: scheduled events and messages, and ticks of recurring
// events. One statement claims each kind and writes the results, so that only one process does the
// work and a crash leaves all or nothing.

import { type Database, statement } from '../../db/index.ts'
import { isAwake } from '../../queue/index.ts'
import { sendDueMessages } from '../messages/scheduled-messages.ts'
import { tickRecurringEvents } from './recurring-events.ts'
import { enqueueDueEvents } from './scheduled-events.ts'

/** Due work that could not be claimed is locked by another process, usually for a moment. */
const retryMs = 50

type DueDeps = Parameters<typeof enqueueDueEvents>[0] &
  Parameters<typeof sendDueMessages>[0] &
  Parameters<typeof tickRecurringEvents>[0]

interface Waits {
  [kind: string]: number | null
  event: number | null
  message: number | null
  tick: number | null
}

/**
 * Returns the milliseconds until the first of each kind is due, or null. Each is one probe of an
 * index.
 */
const firstWaits = statement(
  'first-waits',
  `
  select
    (select (extract(epoch from due_at - now()) * 1000)::float8 from event where due_at is not null
      and ${isAwake('event.bot_id')} order by due_at limit 1) as event,
    (select (extract(epoch from due_at - now()) * 1000)::float8 from scheduled_message
      where ${isAwake('scheduled_message.bot_id')} order by due_at
      limit 1) as message,
    (select (extract(epoch from next_at - now()) * 1000)::float8 from recurring_event
      where next_at is not null and ${isAwake('recurring_event.bot_id')} order by next_at limit 1) as tick`,
)

/**
 * Performs the due work. Returns the milliseconds until the next run; null when nothing is
 * scheduled.
 */
export async function runDueJobs(deps: DueDeps): Promise<number | null> {
  const waits = await findWaits(deps.database)
  const isDue = (kind: 'event' | 'message' | 'tick') => (waits[kind] ?? 1) <= 0
  const done = await Promise.all([
    isDue('event') ? enqueueDueEvents(deps) : 0,
    isDue('message') ? sendDueMessages(deps) : 0,
    isDue('tick') ? tickRecurringEvents(deps) : 0,
  ])
  if (done.some((count) => count > 0)) return 0
  const known = Object.values(waits).filter((wait) => wait !== null)
  if (known.length === 0) return null
  const soonest = Math.min(...known)
  return soonest > 0 ? soonest : retryMs
}

async function findWaits(database: Database): Promise<Waits> {
  const [row] = await database.run<Waits>(...firstWaits({}))
  return row!
}
