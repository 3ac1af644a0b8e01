const ownedLanesStatement = statement<{ workerId: string; limit: number }>(
  'owned-lanes',
  'select bot_id, key from lane where owner = :workerId limit :limit',
)

const countWaitingStatement = statement<{ botIds: string[]; enough: number }>(
  'count-waiting',
  `with owned as (
      select l.bot_id, sum(l.pending) as n from worker w join lane l on l.owner = w.id
        where l.bot_id = any(:botIds) group by l.bot_id
    )
    select b.bot_id, coalesce(owned.n, 0) + coalesce(free.n, 0) as waiting
    from unnest(:botIds::text[]) b (bot_id) left join owned on owned.bot_id = b.bot_id
    cross join lateral (
      select sum(pending) as n
        from (select pending from lane l where l.bot_id = b.bot_id and l.pending > 0 and l.owner is null
          limit :enough) f
    ) free`,
)

// SQL statements of the queue. Owns the tables worker, lane, delivery and delivery_attempt.
// Statements that record progress do not wait for the disk: a lost record only repeats a delivery.

import { storableText } from '@botstead/lib'
import { type Database, statement } from '../db/index.ts'
import type {
  DeliveryKind,
  Enqueued,
  LaneName,
  QueueStore,
  Settled,
} from './deliveries.ts'
import { isAwake } from './resting.ts'

/**
 * The number before the first delivery of a new lane: microseconds since 1970. An idle lane is
 * deleted (idle-lanes.ts), and its successor must not use a number again: a server that was paused
 * meanwhile would take the new delivery for the old one. The insert chooses it before it may wait for
 * the lane; the lane must therefore be idle for longer than an enqueue takes before its deletion.
 */
const numberBefore = `(date_part('epoch', clock_timestamp()) * 1000000)::bigint`

/**
 * Appends deliveries to their lanes. A fragment, so that one statement can write deliveries and
 * their subjects. It expects a CTE `due(bot_id, lane, delivery_id, kind, subject_id, ord)` and
 * makes `placed` with the columns that `toEnqueued` reads. `owner` is the parameter that holds the
 * owner to write.
 */
export const placeDue = (owner: string) => `
  lanes as (
    insert into lane as l (bot_id, key, owner, pending, last_number)
    select bot_id, lane, ${owner}::text, count(*), ${numberBefore} + count(*) from due
      group by bot_id, lane order by bot_id, lane
    on conflict (bot_id, key) do update set
      pending = l.pending + excluded.pending,
      last_number = l.last_number + excluded.pending,
      owner = coalesce(l.owner, excluded.owner),
      ready_at = case when l.pending = 0 then now() else l.ready_at end
    returning bot_id, key, owner, pending, last_number
  ),
  placed as (
    select due.*, lanes.owner,
      lanes.last_number - count(*) over lane + row_number() over in_lane as number,
      lanes.pending - count(*) over lane + row_number() over in_lane - 1 as ahead
    from due join lanes on lanes.bot_id = due.bot_id and lanes.key = due.lane
    window lane as (partition by due.bot_id, due.lane), in_lane as (partition by due.bot_id, due.lane
      order by due.ord)
  )`

/**
 * Returns the fragment of `placeDue` and the insert. `trace` is the column of `due` with the trace
 * context, `withheld` the one that keeps the delivery from the bot.
 */
export const enqueueDue = (
  owner: string,
  trace = 'null',
  withheld = 'false',
) => `${placeDue(owner)},
  enqueued as (${enqueuePlaced('placed', trace, withheld)}
  )`

/** Inserts the deliveries in `placed`, for which `placeDue` has made places. */
const enqueuePlaced = (placed: string, trace = 'trace', withheld = 'false') => `
    insert into delivery (bot_id, lane, number, id, kind, subject_id, trace, withheld)
    select bot_id, lane, number, delivery_id, kind, subject_id, ${trace}::text, ${withheld} from ${placed}
    returning bot_id, lane, number, id, kind, subject_id`

/** Returns the same as `enqueueDue` for a `due` of at most one row, without `ord`. */
const enqueueOne = (owner: string, trace = 'null', withheld = 'false') => `
  lanes as (
    insert into lane as l (bot_id, key, owner, pending, last_number)
    select bot_id, lane, ${owner}::text, 1, ${numberBefore} + 1 from due
    on conflict (bot_id, key) do update set
      pending = l.pending + 1,
      last_number = l.last_number + 1,
      owner = coalesce(l.owner, excluded.owner),
      ready_at = case when l.pending = 0 then now() else l.ready_at end
    returning owner, pending, last_number
  ),
  placed as (select due.*, lanes.owner, lanes.last_number as number, lanes.pending - 1 as ahead from due
    cross join lanes),
  enqueued as (${enqueuePlaced('placed', trace, withheld)}
  )`

/** Returns a condition: the lane is still held under the lease of `owner`. */
export const isHeldBy = (botId: string, key: string, owner: string) =>
  `exists (
    select from lane held join worker holder on holder.id = held.owner
    where held.bot_id = ${botId} and held.key = ${key} and held.owner = ${owner}
  )`

/**
 * Creates the queue's store except `settle`, which also writes rows outside the queue
 * (outcomes.ts).
 */
export const createLaneStore = (database: Database): Omit<QueueStore, 'settle'> => ({
  claim: (...args) => claimLanes(database, ...args),
  load: (...args) => loadDeliveries(database, ...args),
  recordAttempt: (settled) => recordAttempt(database, settled),
  owned: (...args) => ownedLanes(database, ...args),
  release: (...args) => releaseLanes(database, ...args),
})

interface EnqueuedRow {
  bot_id: string
  lane: string
  number: string
  id: string
  kind: DeliveryKind
  subject_id: string
  owner: string | null
  ahead?: string | number
  attempts?: number
  trace?: string | null
  stopped?: boolean
  withheld?: boolean
  redelivered?: boolean
  requestId?: string | undefined
}

export const toEnqueued = (row: EnqueuedRow, content?: unknown): Enqueued => ({
  botId: row.bot_id,
  lane: row.lane,
  number: row.number,
  id: row.id,
  kind: row.kind,
  subjectId: row.subject_id,
  owner: row.owner,
  ...(row.ahead !== undefined && { ahead: Number(row.ahead) }),
  ...(row.attempts && { attempts: row.attempts }),
  ...(row.trace && { trace: row.trace }),
  ...(row.stopped && { isStopped: true }),
  ...(row.withheld && { isWithheld: true }),
  ...(row.redelivered && { isRedelivered: true }),
  ...(row.requestId && { requestId: row.requestId }),
  ...(content !== undefined && { content }),
})

// Walks the index of lanes bot by bot, so that neither a large backlog nor another bot's backlog
// adds cost.
const claimStatement = statement<{
  workerId: string
  botIds: string[]
  free: number[]
  freeOfOthers: number
}>(
  'claim-lanes',
  `
  with recursive bots as (
    (select bot_id from lane where pending > 0 and owner is null order by bot_id limit 1)
    union all
    select (select l.bot_id from lane l where l.pending > 0 and l.owner is null and l.bot_id > bots.bot_id
      order by l.bot_id limit 1)
    from bots where bots.bot_id is not null
  ),
  free as (
    select f.ctid
    from bots
    left join unnest(:botIds::text[], :free::int[])
      as capacity (bot_id, free) on capacity.bot_id = bots.bot_id
    cross join lateral (
      select l.ctid from lane l where l.bot_id = bots.bot_id and l.pending > 0 and l.owner is null
        and ${isAwake('l.bot_id')}
      order by l.ready_at limit coalesce(capacity.free, :freeOfOthers) for update skip locked
    ) f
    where bots.bot_id is not null
    limit 1000
  )
  update lane set owner = :workerId where ctid = any (array(select ctid from free)) and owner is null
  returning bot_id, key`,
)

async function claimLanes(
  database: Database,
  workerId: string,
  capacity: { of: Map<string, number>; ofOthers: number },
) {
  const rows = await database.lazily<LaneRow>(
    ...claimStatement({
      workerId,
      botIds: [...capacity.of.keys()],
      free: [...capacity.of.values()],
      freeOfOthers: capacity.ofOthers,
    }),
  )
  return laneNames(rows)
}

interface LaneRow {
  bot_id: string
  key: string
}
const laneNames = (rows: LaneRow[]): LaneName[] =>
  rows.map(({ bot_id, key }) => ({ botId: bot_id, lane: key }))

const loadStatement = statement<{
  botId: string
  lane: string
  after: string
  limit: number
  workerId: string
}>(
  'load-deliveries',
  `select bot_id, lane, number, id, kind, subject_id, attempts, trace, stopped_at is not null as stopped,
     withheld, :workerId as owner,
     -- The second delivery of a rejected event does not know the first one, but the event does.
     earlier_attempts > 0 or kind = 'event' and exists (
       select from event v where v.bot_id = delivery.bot_id and v.id = subject_id and v.attempts > 0
     ) as redelivered
   from delivery where bot_id = :botId and lane = :lane and number > :after and dead_at is null
     and exists (select from lane where bot_id = :botId and key = :lane and owner = :workerId)
   order by number limit :limit`,
)

/** Returns nothing if another worker owns the lane now. */
async function loadDeliveries(
  database: Database,
  workerId: string,
  { botId, lane }: LaneName,
  after: string,
  limit: number,
): Promise<Enqueued[]> {
  const rows = await database.run<EnqueuedRow>(
    ...loadStatement({ botId, lane, after, limit, workerId }),
  )
  return rows.map((row) => toEnqueued(row))
}

async function ownedLanes(database: Database, workerId: string, limit: number) {
  return laneNames(
    await database.run<LaneRow>(...ownedLanesStatement({ workerId, limit })),
  )
}

/**
 * Counts the pending deliveries of each bot. Of unowned lanes it counts at most `enough`, since
 * each holds at least one delivery.
 */
export async function countWaiting(
  database: Database,
  botIds: string[],
  enough: number,
): Promise<Map<string, number>> {
  const rows = await database.lazily<{ bot_id: string; waiting: string }>(
    ...countWaitingStatement({ botIds, enough }),
  )
  return new Map(rows.map(({ bot_id, waiting }) => [bot_id, Number(waiting)]))
}

/**
 * Locks the worker first, which waits for its writes in progress, and then the lanes in the order
 * that all writers of lanes use.
 */
const releaseStatement = statement<{
  workerId: string
  keptBotIds: string[]
  keptLanes: string[]
  resign: boolean
}>(
  'release-lanes',
  `with resigned as (delete from worker where id = :workerId and :resign returning 1),
  kept as (select * from unnest(:keptBotIds::text[], :keptLanes::text[]) as k (bot_id, key)),
  freed as (
    select bot_id, key from lane
    where owner = :workerId and (select count(*) from resigned) >= 0
      and (bot_id, key) not in (select bot_id, key from kept)
    order by bot_id, key for update
  )
  update lane l set owner = null, ready_at = now() from freed where l.bot_id = freed.bot_id
    and l.key = freed.key`,
)

async function releaseLanes(
  database: Database,
  workerId: string,
  keep: LaneName[],
  resign = false,
) {
  await database.lazily(
    ...releaseStatement({
      workerId,
      keptBotIds: keep.map(({ botId }) => botId),
      keptLanes: keep.map(({ lane }) => lane),
      resign,
    }),
  )
}

/** Maximum characters of an error: longer than in an event, for operators. */
export const maxErrorLength = 4_000
const maxStackLength = 16_000
export const storableStack = (stack: string | undefined) =>
  stack === undefined ? null : storableText(stack, maxStackLength)

const noteAttempt = statement(
  'record-attempt',
  `with counted as (
    update delivery set attempts = :attempts, last_error = :error
    where bot_id = :botId and lane = :lane and number = :number and ${isHeldBy(':botId', ':lane', ':owner')}
    returning bot_id, id, earlier_attempts
  ),
  noted as (
    insert into delivery_attempt (bot_id, delivery_id, attempt, started_at, ms, error, stack)
    select bot_id, id, earlier_attempts + :attempts, :startedAt, :ms, :error, :stack from counted
      on conflict do nothing
  )
  select owner from lane where bot_id = :botId and key = :lane`,
)

/**
 * Records a failed attempt and returns the owner of the lane, or null. An attempt under a lease
 * that was taken over does not count.
 */
async function recordAttempt(
  database: Database,
  { delivery, outcome, attempts, startedAt, ms }: Settled,
): Promise<string | null> {
  if (outcome.result !== 'retry')
    throw new Error('recordAttempt needs an outcome with the result "retry"')
  const { botId, lane, number, owner } = delivery
  const [row] = await database.lazily<{ owner: string | null }>(
    ...noteAttempt({
      botId,
      lane,
      number,
      owner,
      attempts,
      startedAt,
      error: storableText(outcome.reason, maxErrorLength),
      ms: Math.round(ms),
      stack: storableStack(outcome.stack),
    }),
  )
  return row?.owner ?? null
}

/** Parts of statements that enqueue deliveries. */
export const queueStatements = {
  enqueueDue,
  enqueueOne,
  enqueuePlaced,
  isHeldBy,
  toEnqueued,
}
