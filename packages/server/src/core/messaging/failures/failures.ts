// Everything of a bot that failed, in one list: events that its code rejected or failed to handle,
// messages and changes that were not sent, and deliveries that the server retries. An event counts
// once, with or without a dead letter. Changes: failure-changes.ts.
//
// Events and deliveries are two lists in the order of their ids, each with an index. They become one
// by time, so a position in it is a position in both.
import type { Failure } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import type { DeadLetterFilter } from './dead-letters.ts'

/** Ids of the last event and the last delivery of the former page; null if it had none. */
export interface FailurePosition {
  event: string | null
  delivery: string | null
}

export interface FailureRow {
  /** Of the event; of the delivery for messages and changes. */
  failure_id: string
  kind: Failure['kind']
  is_retried: boolean
  type: string | null
  conversation_id: string | null
  event_id: string | null
  message_id: string | null
  dead_letter_id: string | null
  attempts: number
  /** Attempts since the last redelivery, of one that is retried. */
  failures: number
  reason: string
  created_at: Date
  failed_at: Date
}

/** A row of the statement: a failure, or the last one that was read if it does not match. */
interface ReadRow extends FailureRow {
  matches: boolean
  place: number
  event_position: string | null
  delivery_position: string | null
}

interface Listing {
  filter: DeadLetterFilter
  position: FailurePosition
  limit: number
  /** Oldest first, without those that are retried. */
  isForChange?: boolean
}

/** Failures that a page with filters reads, whether they match or not. */
const maxRead = 5_000

/** Returns a page, newest first unless it is for a change. `next` is null after the last page. */
export async function listFailures(
  db: Db,
  botId: string,
  { filter, position, limit, isForChange = false }: Listing,
): Promise<{ rows: FailureRow[]; next: FailurePosition | null }> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const read = isFiltered ? maxRead : limit + 1
  const statement = toStatement(botId, { filter, position, limit, isForChange, read })
  const { rows } = await statement.execute(db)
  const matching = rows.filter(({ matches }) => matches)
  const last = rows.at(-1)
  // Either there are more that match, or the rows that were not read may match.
  const end = matching.length > limit ? matching[limit - 1] : last?.place === read && last
  return {
    rows: matching.slice(0, limit),
    next: end
      ? {
          event: end.event_position ?? position.event,
          delivery: end.delivery_position ?? position.delivery,
        }
      : null,
  }
}

interface Reading extends Required<Listing> {
  read: number
}

function toStatement(botId: string, reading: Reading): RawBuilder<ReadRow> {
  const { filter, limit, read, isForChange } = reading
  const order = sql.raw(isForChange ? 'asc' : 'desc')
  const furthest = sql.raw(isForChange ? 'max' : 'min')
  return sql<ReadRow>`
    with failure as (${eventsIn(botId, reading)} union all ${deliveriesIn(botId, reading)}),
    -- An id from another server may not fit its time: the order of each list is that of its ids.
    timed as (
      select *, ${furthest}(created_at) over (partition by is_event order by id ${order}) as at from failure
    ),
    placed as (
      select *, row_number() over (order by at ${order}, is_event, id ${order})::int as place from timed
    ),
    taken as (
      select *, ${furthest}(id) filter (where is_event) over (order by place) as event_position,
        ${furthest}(id) filter (where not is_event) over (order by place) as delivery_position,
        ${toCondition(filter)} as matches
      from placed where place <= ${read}
    )
    select *, coalesce(event_id, id) as failure_id, case when is_event then (
        select d.id from delivery d where d.bot_id = ${botId} and d.subject_id = taken.id
          and d.dead_at is not null limit 1
      ) when not is_retried then id end as dead_letter_id
    from taken where matches or place = (select max(place) from taken)
    order by place limit ${limit + 1}`
}

/** Begins after the position, in the order of the ids. */
function within(id: string, position: string | null, { isForChange, read }: Reading) {
  const order = sql.raw(isForChange ? 'asc' : 'desc')
  const after = sql.raw(isForChange ? '>' : '<')
  const begins = position === null ? sql`` : sql`and ${sql.ref(id)} ${after} ${position}`
  return sql`${begins} order by ${sql.ref(id)} ${order} limit ${read}`
}

const eventsIn = (botId: string, reading: Reading) => sql`(
  select true as is_event, e.id, 'event' as kind, false as is_retried, e.type, e.conversation_id,
    e.id as event_id, e.message_id, coalesce(e.attempts, 1) as attempts, 0 as failures,
    coalesce(e.failure_reason, '') as reason, e.created_at,
    coalesce(e.started_at + e.ms * interval '1 ms', e.created_at) as failed_at
  from event e where e.bot_id = ${botId} and e.unusual_status = 'failed' and e.dismissed_at is null
    ${within('e.id', reading.position.event, reading)})`

const deliveriesIn = (botId: string, reading: Reading) => {
  const retried = sql`union all (${retriedIn(botId, reading)})`
  return sql`(
  select false, d.* from ((
    select d.id, d.kind, false as is_retried, d.type, d.conversation_id, null as event_id,
      case when d.kind = 'message' then d.subject_id end as message_id,
      d.earlier_attempts + d.attempts as attempts, 0 as failures, coalesce(d.last_error, '') as reason,
      d.created_at, d.dead_at as failed_at
    from delivery d where d.bot_id = ${botId} and d.dead_at is not null and d.kind <> 'event'
      ${within('d.id', reading.position.delivery, reading)}
  ) ${reading.isForChange ? sql`` : retried}) d order by id ${sql.raw(reading.isForChange ? 'asc' : 'desc')}
  limit ${reading.read})`
}

/** Only dead letters have the type and the conversation of their subjects. */
const retriedIn = (botId: string, reading: Reading) => sql`
  select d.id, d.kind, true, coalesce(v.type, m.type), coalesce(v.conversation_id, m.conversation_id),
    v.id, coalesce(v.message_id, m.id), d.earlier_attempts + d.attempts, d.attempts,
    coalesce(d.last_error, ''), d.created_at,
    coalesce(a.started_at + a.ms * interval '1 ms', d.created_at)
  from (
    select * from delivery d where d.bot_id = ${botId} and d.dead_at is null and d.attempts > 0
      ${within('d.id', reading.position.delivery, reading)}
  ) d
  left join event v on d.kind = 'event' and v.bot_id = ${botId} and v.id = d.subject_id
  left join message m on d.kind = 'message' and m.bot_id = ${botId} and m.id = d.subject_id
  left join delivery_attempt a on a.bot_id = ${botId} and a.delivery_id = d.id
    and a.attempt = d.earlier_attempts + d.attempts`

function toCondition(filter: DeadLetterFilter): RawBuilder<boolean> {
  const { kind, type, conversationId, reason, after, before } = filter
  const conditions = [
    kind !== undefined && sql`kind = ${kind}`,
    type !== undefined && sql`type = ${type}`,
    conversationId !== undefined && sql`conversation_id = ${conversationId}`,
    reason !== undefined && sql`strpos(lower(reason), lower(${reason}::text)) > 0`,
    after !== undefined && sql`failed_at >= ${after}`,
    before !== undefined && sql`failed_at <= ${before}`,
  ].filter((one) => one !== false)
  return conditions.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`coalesce(${sql.join(conditions, sql` and `)}, false)`
}
