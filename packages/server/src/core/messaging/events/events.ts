// Owns the table event: events and the status of their deliveries. Messages write their own events
// in the same statement (messaging/message-writer.ts). outcomes.ts records the outcomes.
// For delayed events see scheduled-events.ts.
import { ApiError } from '@botstead/contract'
import { isLong, nextSlice } from '@botstead/lib'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import {
  type Database,
  type Db,
  hasHash,
  type Schema,
  statement,
} from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { fencing, type Queue, queueStatements } from '../../queue/index.ts'
import { tracing } from '../../telemetry/index.ts'
import { eventLane } from './event-outcomes.ts'

export type EventRow = Selectable<Schema['event']>

export interface NewEvent {
  botId: string
  /** As the bot sees it: `alias:type` for events of an integration. */
  type: string
  payload: Record<string, unknown>
  conversationId?: string | undefined
  userId?: string | undefined
  messageId?: string | undefined
  workflowId?: string | undefined
  /** Id of the event during which the caller creates this one. */
  cause?: string | null | undefined
  /** Rejects the event when this lease was taken over: queue/fencing.ts. */
  fence?: string | null | undefined
}

interface Deps {
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
}
type Placed = Parameters<typeof queueStatements.toEnqueued>[0] & {
  created_at: Date
  [column: string]: unknown
}

const writeEvent = statement<{
  botId: string
  id: string
  type: string
  payload: string
  conversationId: string | null
  userId: string | null
  messageId: string | null
  cause: string | null
  workflowId: string | null
  deliveryId: string
  owner: string | null
  trace: string | null
  fences: string[] | null
}>(
  'write-event',
  `
  with noted as (
    insert into event (bot_id, id, type, payload, conversation_id, user_id, message_id, cause, workflow_id)
    select :botId, :id, :type, :payload::jsonb, :conversationId, :userId, :messageId, :cause, :workflowId
    where ${fencing.isUnfenced(':fences')}
    returning bot_id, id, conversation_id, workflow_id, created_at
  ),
  due as (select bot_id, ${eventLane} as lane, :deliveryId::text as delivery_id, 'event' as kind,
    id as subject_id, :trace::text as trace, 1 as ord from noted),
  ${queueStatements.enqueueDue(':owner', 'trace')}
  select placed.bot_id, placed.lane, placed.number, placed.delivery_id as id, placed.kind, placed.subject_id,
    placed.owner, placed.ahead, placed.trace, noted.created_at
  from placed cross join noted`,
)

/** Writes an event with its delivery and dispatches it. Everything that it refers to must exist. */
export async function createEvent(deps: Deps, event: NewEvent): Promise<EventRow> {
  const {
    botId,
    type,
    payload,
    conversationId = null,
    userId = null,
    messageId = null,
    workflowId = null,
    cause = null,
    fence,
  } = event
  const id = newId('event')
  const json = JSON.stringify(payload)
  if (isLong(json.length)) await nextSlice(botId)
  const [placed] = await deps.database.run<Placed>(
    ...writeEvent({
      botId,
      id,
      type,
      payload: json,
      conversationId,
      userId,
      messageId,
      cause,
      workflowId,
      deliveryId: newId('delivery'),
      owner: deps.deliveries.owner,
      trace: tracing.getCurrentTrace() ?? null,
      fences: fencing.toFences([fence]),
    }),
  )
  deps.deliveries.dispatch([
    { ...queueStatements.toEnqueued(placed!), bytes: json.length },
  ])
  return {
    bot_id: botId,
    id,
    type,
    payload,
    conversation_id: conversationId,
    user_id: userId,
    message_id: messageId,
    workflow_id: workflowId,
    status: 'pending',
    failure_reason: null,
    joined_to: null,
    dismissed_at: null,
    unusual_status: null,
    cause,
    created_at: placed!.created_at,
    due_at: null,
    recurring_key: null,
    started_at: null,
    ms: null,
    attempts: null,
  }
}

/** Creates a new delivery; the first one was deleted when it ended. */
const redeliverEvent = statement<{
  botId: string
  id: string
  deliveryId: string
  owner: string | null
  trace: string | null
}>(
  'redeliver-event',
  `
  with awaited as (
    update event set status = 'pending', failure_reason = null, dismissed_at = null
    where bot_id = :botId and id = :id and status in ('failed', 'ignored')
    returning bot_id, id, conversation_id, workflow_id
  ),
  due as (select bot_id, ${eventLane} as lane, :deliveryId::text as delivery_id, 'event' as kind,
    id as subject_id, :trace::text as trace, 1 as ord from awaited),
  ${queueStatements.enqueueDue(':owner', 'trace')}
  select bot_id, lane, number, delivery_id as id, kind, subject_id, owner, trace from placed`,
)

/**
 * Redelivers an event that failed or was ignored. Returns false for other events and if there is
 * none. The event must not have a dead letter.
 */
export async function resendEvent(
  { database, deliveries }: Deps,
  botId: string,
  id: string,
): Promise<boolean> {
  const rows = await database.run<Placed>(
    ...redeliverEvent({
      botId,
      id,
      deliveryId: newId('delivery'),
      owner: deliveries.owner,
      trace: tracing.getCurrentTrace() ?? null,
    }),
  )
  deliveries.dispatch(rows.map((row) => queueStatements.toEnqueued(row)))
  return rows.length > 0
}

/**
 * Limits a query to events of an integration. `maker` is its alias, or null for the bot, which sees
 * all events.
 */
export const madeBy = (maker: string | null): RawBuilder<boolean> =>
  maker === null
    ? sql`true`
    : sql`(strpos(type, ':') > 0 and split_part(type, ':', 1) = ${maker})`

/** Returns null if there is none. */
export async function findEventRow(
  db: Db,
  botId: string,
  id: string,
  maker: string | null,
): Promise<EventRow | null> {
  const found = await db
    .selectFrom('event')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where(madeBy(maker))
    .executeTakeFirst()
  return found ?? null
}

export const noEvent = (id: string, kind = 'Event') =>
  new ApiError('ResourceNotFound', `${kind} "${id}" was not found`)

interface EventListing {
  type?: string | undefined
  conversationId?: string | undefined
  userId?: string | undefined
  messageId?: string | undefined
  workflowId?: string | undefined
  status?: EventRow['status'] | undefined
  /** Id of the last event of the previous page. */
  position: string | null
  limit: number
}

/** Redundant conditions that match indexes: partial ones, and those of hashes. */
function indexConditions(
  botId: string,
  { conversationId, userId, messageId, status }: EventListing,
): RawBuilder<boolean>[] {
  const hashed = {
    conversation_id: conversationId,
    user_id: userId,
    message_id: messageId,
  }
  const conditions = Object.entries(hashed).flatMap(([column, id]) =>
    id === undefined ? [] : [hasHash(sql.ref(column), sql`${id}`)],
  )
  if (status === 'scheduled') conditions.push(sql`due_at is not null`)
  if (status === 'ignored' || status === 'failed' || status === 'canceled')
    conditions.push(sql`unusual_status = ${status}`)
  // No index, because every event is pending first; but then it has a delivery.
  if (status === 'pending')
    conditions.push(sql`id in (select subject_id from delivery
      where bot_id = ${botId} and kind = 'event' and dead_at is null)`)
  return conditions
}

/** Returns the newest first: ids begin with the time. */
export function listEvents(
  db: Db,
  botId: string,
  maker: string | null,
  listing: EventListing,
): Promise<EventRow[]> {
  const { type, conversationId, userId, messageId, workflowId, status, position, limit } =
    listing
  const wanted = {
    type,
    conversation_id: conversationId,
    user_id: userId,
    message_id: messageId,
    workflow_id: workflowId,
    status,
  }
  let query = db
    .selectFrom('event')
    .selectAll()
    .where('bot_id', '=', botId)
    .where(madeBy(maker))
  for (const [column, value] of Object.entries(wanted))
    if (value !== undefined)
      query = query.where(column as keyof typeof wanted, '=', value)
  if (position !== null) query = query.where('id', '<', position)
  for (const condition of indexConditions(botId, listing)) query = query.where(condition)
  return query.orderBy('id', 'desc').limit(limit).execute()
}
