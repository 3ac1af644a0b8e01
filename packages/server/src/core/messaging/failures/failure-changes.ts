// Redelivers or discards failures: dead letters, and rejected events, which have none. One statement
// takes the rows of both and skips those that another request has taken, so that each failure is
// redelivered once.
import { statement } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { deliveryStatements, queueStatements } from '../../queue/index.ts'
import { tracing } from '../../telemetry/index.ts'
import {
  awaitEvents,
  awaitRejected,
  dismissEvents,
  takeRejected,
} from '../events/event-outcomes.ts'
import type { DeadLetterFilter, RedeliveryDeps } from './dead-letters.ts'
import { type FailurePosition, listFailures } from './failures.ts'

type Placed = Parameters<typeof queueStatements.toEnqueued>[0] & {
  [column: string]: unknown
}

/** Ids of events, or of dead letters. */
const taken = `
  chosen as (select id from unnest(:ids::text[]) as c (id)),
  picked as (
    select d.* from delivery d where d.bot_id = :botId and d.dead_at is not null and d.id in (
      select l.id from chosen c join delivery l on l.bot_id = :botId and l.id = c.id
      union
      select l.id from chosen c join delivery l on l.bot_id = :botId and l.subject_id = c.id
        and l.dead_at is not null and l.kind = 'event'
    ) order by d.id for update skip locked
  ),
  rejected as (${takeRejected('chosen')}
  )`

/** No owner: as redeliverDeadLetters, they form a backlog. */
const redeliverStatement = statement<{
  botId: string
  ids: string[]
  deliveryIds: string[]
  trace: string | null
}>(
  'redeliver-failures',
  `with ${taken},
  due as (
    select bot_id, lane, id as delivery_id, kind, subject_id, created_at as ord, trace, false as is_new
      from picked
    union all
    select r.bot_id, r.lane, n.delivery_id, 'event', r.id, r.created_at, :trace::text, true from rejected r
      join unnest(:ids::text[], :deliveryIds::text[]) as n (id, delivery_id) on n.id = r.id
  ),
  ${deliveryStatements.revive('null')},
  awaited as (${awaitEvents('picked', 'v.payload')}),
  awaited_rejected as (${awaitRejected('rejected')}),
  enqueued as (${queueStatements.enqueuePlaced('placed where is_new')})
  select bot_id, lane, number, delivery_id as id, kind, subject_id, owner, trace from placed order by ord`,
)

/** Returns the number of those that it redelivered. `ids` are different ones. */
async function redeliver(
  { database, deliveries }: RedeliveryDeps,
  botId: string,
  ids: string[],
) {
  const rows = await database.run<Placed>(
    ...redeliverStatement({
      botId,
      ids,
      deliveryIds: ids.map(() => newId('delivery')),
      trace: tracing.getCurrentTrace() ?? null,
    }),
  )
  deliveries.dispatch(rows.map((row) => queueStatements.toEnqueued(row)))
  return rows.length
}

const discardStatement = statement<{ botId: string; ids: string[] }>(
  'discard-failures',
  `with ${taken},
  ${deliveryStatements.discard('picked')},
  ended as (
    select bot_id, subject_id as id from picked where kind = 'event'
    union all select bot_id, id from rejected
  ),
  dismissed as (${dismissEvents('ended')})
  select ((select count(*) from picked where kind <> 'event') + (select count(*) from ended))::int as count`,
)

async function discard({ database }: RedeliveryDeps, botId: string, ids: string[]) {
  const [row] = await database.run<{ count: number }>(...discardStatement({ botId, ids }))
  return row!.count
}

const changes = { redeliver, discard }

/** Changes those of the ids that failed. Returns their number. */
export const changeChosen = (
  deps: RedeliveryDeps,
  botId: string,
  change: keyof typeof changes,
  ids: string[],
): Promise<number> => changes[change](deps, botId, [...new Set(ids)])

interface Matching {
  filter: DeadLetterFilter
  position: FailurePosition
  maxCount: number
}

/** Changes the oldest that match after the position. `next` is null after the last one. */
export async function changeMatching(
  deps: RedeliveryDeps & { db: Parameters<typeof listFailures>[0] },
  botId: string,
  change: keyof typeof changes,
  { filter, position, maxCount }: Matching,
): Promise<{ count: number; next: FailurePosition | null }> {
  const listing = { filter, position, limit: maxCount, isForChange: true }
  const { rows, next } = await listFailures(deps.db, botId, listing)
  const ids = rows.map(({ failure_id }) => failure_id)
  return { count: ids.length === 0 ? 0 : await changes[change](deps, botId, ids), next }
}
