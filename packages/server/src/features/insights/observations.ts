// Owns the table observation: facts that a bot's code records about its work. They are kept for a
// limited time (retention.ts), for the people who maintain the bot.

import { turnObservation } from '@botstead/flows/seeing'
import { type Selectable, sql } from 'kysely'
import { type Db, type Schema, toJson } from '../../core/db/index.ts'
import { newId } from '../../core/lib/index.ts'

export type ObservationRow = Selectable<Schema['observation']>

export interface NewObservation {
  name: string
  data: Record<string, unknown>
  /** Alias; null for the bot. */
  integration: string | null
  /** The caller's own label, not necessarily unique. */
  id?: string | undefined
  messageId?: string | undefined
  eventId?: string | undefined
  conversationId?: string | undefined
  userId?: string | undefined
  errorId?: string | undefined
  traceId?: string | undefined
}

export async function captureObservation(
  db: Db,
  botId: string,
  given: NewObservation,
): Promise<void> {
  const row = {
    bot_id: botId,
    id: newId('observation'),
    given_id: given.id ?? null,
    name: given.name,
    integration: given.integration,
    data: toJson(given.data),
    message_id: given.messageId ?? null,
    event_id: given.eventId ?? null,
    conversation_id: given.conversationId ?? null,
    user_id: given.userId ?? null,
    error_id: given.errorId ?? null,
    trace_id: given.traceId ?? null,
  }
  await db.insertInto('observation').values(row).execute()
}

interface ObservationListing {
  name?: string | undefined
  id?: string | undefined
  conversationId?: string | undefined
  traceId?: string | undefined
  after?: Date | undefined
  before?: Date | undefined
  /** The last observation of the previous page. */
  position: { at: Date; id: string } | null
  limit: number
}

/** Returns the trace of the last turn in which a flow bot handled the event; null without one. */
export async function findTurn(
  db: Db,
  botId: string,
  eventId: string,
): Promise<Record<string, unknown> | null> {
  const row = await db
    .selectFrom('observation')
    .select('data')
    .where('bot_id', '=', botId)
    .where('given_id', '=', eventId)
    .where('name', '=', turnObservation)
    .where('integration', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (row?.data as Record<string, unknown> | undefined) ?? null
}

/** Returns the newest first. */
export function listObservations(
  db: Db,
  botId: string,
  listing: ObservationListing,
): Promise<ObservationRow[]> {
  const { name, id, conversationId, traceId, after, before, position, limit } = listing
  const wanted = {
    name,
    given_id: id,
    conversation_id: conversationId,
    trace_id: traceId,
  }
  let query = db.selectFrom('observation').selectAll().where('bot_id', '=', botId)
  for (const [column, value] of Object.entries(wanted))
    if (value !== undefined)
      query = query.where(column as keyof typeof wanted, '=', value)
  if (after) query = query.where('created_at', '>=', after)
  if (before) query = query.where('created_at', '<=', before)
  if (position)
    query = query.where(sql<boolean>`(created_at, id) < (${position.at}, ${position.id})`)
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}
