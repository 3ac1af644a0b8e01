// Messages and events that the handling of an event has caused.
import { type Selectable, sql } from 'kysely'
import { type Db, hasHash, type Schema } from '../../core/db/index.ts'
import type { MessageRow } from '../../core/messaging/index.ts'

/** Returns the oldest first. */
export async function listCausedMessages(
  db: Db,
  botId: string,
  eventId: string,
  limit: number,
): Promise<MessageRow[]> {
  const rows = await db
    .selectFrom('message')
    .selectAll()
    .where('bot_id', '=', botId)
    .where(isCausedBy(eventId))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows as MessageRow[]
}

export type CausedEventRow = Pick<
  Selectable<Schema['event']>,
  'id' | 'type' | 'status' | 'created_at'
>

/** Returns the oldest first. */
export const listCausedEvents = (
  db: Db,
  botId: string,
  eventId: string,
  limit: number,
): Promise<CausedEventRow[]> =>
  db
    .selectFrom('event')
    .select(['id', 'type', 'status', 'created_at'])
    .where('bot_id', '=', botId)
    .where(isCausedBy(eventId))
    .orderBy('id')
    .limit(limit)
    .execute()

export interface EventRun {
  started_at: Date
  ms: number
  attempts: number
}

/** Returns the last attempt to handle the event; null if none has ended. */
export async function findEventRun(
  db: Db,
  botId: string,
  id: string,
): Promise<EventRun | null> {
  const row = await db
    .selectFrom('event')
    .select(['started_at', 'ms', 'attempts'])
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.started_at ? (row as EventRun) : null
}

const isCausedBy = (eventId: string) =>
  sql<boolean>`cause = ${eventId} and ${hasHash(sql.ref('cause'), sql`${eventId}`)}`
