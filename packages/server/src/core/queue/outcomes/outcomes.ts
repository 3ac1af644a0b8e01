// Records outcomes: delivery, event and lane in one statement, for many deliveries at a time. It
// does not wait for the disk: if a crash of the database loses an outcome, the delivery is repeated
// with the same id.

import { storableText } from '@botstead/lib'
import { type ColumnArrays, type Database, statement, toArrays } from '../../db/index.ts'
import type { LaneRemainder, Settled } from '../deliveries.ts'
import { isHeldBy, maxErrorLength, storableStack } from '../store.ts'
import { finishAttempts } from './attempts.ts'
import {
  buryDeliveries,
  noteLastAttempts,
  removeDeliveries,
  removeHeld,
  removeOne,
  settleLane,
  settleLanes,
  updateLanes,
} from './outcome-statements.ts'

/** The parts of the statements that write tables of other modules. */
interface OutcomeParts {
  /** Bodies of CTEs about events; the parameters are the names of CTEs (messaging/events/event-outcomes.ts). */
  events: Record<
    'endEvent' | 'endEvents' | 'settleEvents' | 'countTicks',
    (ended: string) => string
  >
  /** CTEs that note an issue for each failure of `gone` in the parameter `issues`, a list in JSON. */
  noteIssues: string
  /** Returns an item of `issues`. */
  toIssue: (failure: FailedDelivery) => object
}

/** `code` is that of the issue for the bot's owner, unless it is the usual one. */
interface FailedDelivery {
  deliveryId: string
  code: string | undefined
  reason: string
  attempts: number
}

/** `following` are CTEs that use the ended deliveries; empty when all succeeded. */
const recording = (
  { countTicks, settleEvents }: OutcomeParts['events'],
  following: string,
) => `
  with ended as (
    select * from unnest(:botId::text[], :lane::text[], :number::bigint[], :id::text[], :kind::text[],
      :subjectId::text[], :result::text[], :attempts::int[], :startedAt::timestamptz[], :ms::int[],
      :reason::text[], :stack::text[], :owner::text[])
      as e (bot_id, lane, number, id, kind, subject_id, result, attempts, started_at, ms, reason,
        stack, owner)
  ),
  -- After a take-over only the new owner's outcomes count. The take-over itself may cause a failure, because
  -- writes are rejected (queue/fencing.ts): a failure counts only under the lease of its attempt.
  counting as (
    select e.* from ended e join lane l on l.bot_id = e.bot_id and l.key = e.lane
    where case when e.result in ('done', 'ignored') then l.owner is null or l.owner in (:workerId, e.owner)
      else ${isHeldBy('e.bot_id', 'e.lane', 'e.owner')} end
  ),
  -- Failed in all attempts, or rejected by a channel: becomes a dead letter.
  buried as (${buryDeliveries('counting')}
  ),
  last_attempts as (${noteLastAttempts('buried')}
  ),
  removed as (${removeDeliveries('counting')}
  ),
  -- Excludes deliveries that another process has ended after it took over the lane.
  gone as (select * from removed union all select * from buried),
  retried as (select * from removed where attempts + earlier_attempts > 1),
  finished_attempts as (${finishAttempts('retried')}),
  -- Both columns of the key come from one table. Otherwise the planner may use only one of them when it
  -- expects few events.
  updated_events as (${settleEvents('gone')}
  ),
  -- The row of a recurring event counts the failures since its last success. Ignored ticks count as neither.
  ticks as (
    select distinct on (bot_id, recurring_key) * from updated_events
    where recurring_key is not null and status <> 'ignored' order by bot_id, recurring_key, id desc
  ),
  counted_ticks as (${countTicks('ticks')}
  ),
  ${following}
  counted as (
    select e.bot_id, e.lane, count(gone.id) as n from ended e left join gone on gone.bot_id = e.bot_id
      and gone.id = e.id group by e.bot_id, e.lane
  ),
  -- All writers of lanes lock them in this order, which prevents deadlocks.
  locked as (
    select l.bot_id, l.key, counted.n from counted join lane l on l.bot_id = counted.bot_id
      and l.key = counted.lane order by l.bot_id, l.key for update of l
  )
  ${updateLanes}`

interface OutcomeValues {
  botId: string
  lane: string
  number: string
  id: string
  kind: string
  subjectId: string
  result: string
  attempts: number
  startedAt: Date
  ms: number
  reason: string | null
  stack: string | null
  owner: string | null
}

/** The values of all outcomes of a statement, and the worker that records them. */
type Batch<Values> = ColumnArrays<Values> & { workerId: string }

interface SimpleValues {
  botId: string
  lane: string
  number: string
  eventId: string | null
  status: string
  reason: string | null
  startedAt: Date
  ms: number
  owner: string | null
}

/**
 * For outcomes that are `isSimple`: several times as fast as the statement for all outcomes, because
 * each part of a statement costs even when it has nothing to do.
 */
const recordingSimple = ({ endEvents }: OutcomeParts['events']) => `
  with ended as (
    select * from unnest(:botId::text[], :lane::text[], :number::bigint[], :eventId::text[],
      :status::text[], :reason::text[], :startedAt::timestamptz[], :ms::int[], :owner::text[])
      as e (bot_id, lane, number, event_id, status, reason, started_at, ms, owner)
  ),
  locked as (
    select l.bot_id, l.key, l.owner from (select distinct bot_id, lane from ended) e
    join lane l on l.bot_id = e.bot_id and l.key = e.lane
    order by l.bot_id, l.key for update of l
  ),
  removed as (${removeHeld('ended', 'locked')}
  ),
  updated_events as (${endEvents('removed')}
  ),
  counted as (
    select l.bot_id, l.key, count(r.number) as n
    from locked l left join removed r on r.bot_id = l.bot_id and r.lane = l.key
    group by l.bot_id, l.key
  )
  ${settleLanes}`

/** The same for one outcome, with its values instead of arrays. */
const recordingOne = ({ endEvent }: OutcomeParts['events']) => `
  with locked as (
    select owner from lane where bot_id = :botId::text and key = :lane::text for update
  ),
  removed as (${removeOne('locked')}
  ),
  updated_event as (${endEvent('removed')}
  )
  ${settleLane}`

const declareStatements = ({ events, noteIssues }: OutcomeParts) => ({
  recordAny: statement<Batch<OutcomeValues>>('record-outcomes', recording(events, '')),
  recordWithIssues: statement<Batch<OutcomeValues> & { issues: string }>(
    'record-outcomes-and-issues',
    recording(events, noteIssues),
  ),
  recordSimple: statement<Batch<SimpleValues>>(
    'record-simple-outcomes',
    recordingSimple(events),
  ),
  recordOne: statement<SimpleValues & { workerId: string }>(
    'record-outcome',
    recordingOne(events),
  ),
})
type Statements = ReturnType<typeof declareStatements>

/**
 * Whether the outcome changes nothing but the delivery, its event and its lane: it succeeded in the
 * first attempt, of a delivery that comes directly from the enqueueing statement. A recurring event
 * has its own lane.
 */
const isSimple = ({ delivery, outcome, attempts }: Settled) =>
  (outcome.result === 'done' || outcome.result === 'ignored') &&
  attempts === 1 &&
  delivery.ahead !== undefined &&
  delivery.lane !== delivery.subjectId

interface LaneRow {
  bot_id: string
  key: string
  pending: number
  owner: string | null
  [column: string]: unknown
}

/**
 * Returns a function that records outcomes and returns the current state of every lane concerned,
 * regardless of its owner.
 */
export function createOutcomeRecorder(parts: OutcomeParts) {
  const statements = declareStatements(parts)
  return async (
    database: Database,
    workerId: string,
    settled: Settled[],
  ): Promise<LaneRemainder[]> => {
    const bound = settled.every(isSimple)
      ? bindSimple(statements, workerId, settled)
      : bindAny(statements, parts.toIssue, workerId, settled)
    const rows = await database.lazily<LaneRow>(...bound)
    return rows.map(({ bot_id, key, pending, owner }) => ({
      botId: bot_id,
      lane: key,
      pending,
      owner,
    }))
  }
}

function bindSimple(
  { recordSimple, recordOne }: Statements,
  workerId: string,
  settled: Settled[],
) {
  const values = settled.map(({ delivery, outcome, startedAt, ms }) => ({
    botId: delivery.botId,
    lane: delivery.lane,
    number: delivery.number,
    eventId: delivery.kind === 'event' ? delivery.subjectId : null,
    status: outcome.result === 'done' ? 'processed' : 'ignored',
    reason: 'reason' in outcome ? storableText(outcome.reason, maxErrorLength) : null,
    startedAt,
    ms: Math.round(ms),
    owner: delivery.owner,
  }))
  return values.length === 1
    ? recordOne({ workerId, ...values[0]! })
    : recordSimple({ workerId, ...toArrays(values) })
}

function bindAny(
  { recordAny, recordWithIssues }: Statements,
  toIssue: OutcomeParts['toIssue'],
  workerId: string,
  settled: Settled[],
) {
  const values = { workerId, ...toArrays(settled.map(toValues)) }
  const issues = settled.flatMap(toFailures).map(toIssue)
  return issues.length > 0
    ? recordWithIssues({ ...values, issues: JSON.stringify(issues) })
    : recordAny(values)
}

const toValues = ({
  delivery,
  outcome,
  attempts,
  startedAt,
  ms,
}: Settled): OutcomeValues => ({
  botId: delivery.botId,
  lane: delivery.lane,
  number: delivery.number,
  id: delivery.id,
  kind: delivery.kind,
  subjectId: delivery.subjectId,
  result: outcome.result,
  attempts,
  startedAt,
  ms: Math.round(ms),
  reason: 'reason' in outcome ? storableText(outcome.reason, maxErrorLength) : null,
  stack: outcome.result === 'retry' ? storableStack(outcome.stack) : null,
  owner: delivery.owner,
})

function toFailures({ delivery, outcome, attempts }: Settled): FailedDelivery[] {
  if (outcome.result !== 'failed' && outcome.result !== 'retry') return []
  return [
    { deliveryId: delivery.id, code: outcome.issue, reason: outcome.reason, attempts },
  ]
}
