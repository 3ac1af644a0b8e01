// Messages and events that the handling of an event has caused, and the cause of a message. The
// hashes are those of the indexes.
import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../db/index.ts'
import type { MessageRow } from './message-types.ts'

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

/** Returns the event of a user's message, or the one that a bot's message answers; or null. */
export async function findEventOfMessage(
  db: Db,
  { bot_id, id }: Pick<MessageRow, 'bot_id' | 'id'>,
): Promise<string | null> {
  const { rows } = await sql<{ event_id: string | null }>`
    select coalesce(m.cause, (
      select v.id from event v where v.bot_id = ${bot_id} and v.message_id = ${id}
        and ${hasHash('message_id', id)} and v.type = 'message_created' limit 1
    )) as event_id
    from message m where m.bot_id = ${bot_id} and m.id = ${id}`.execute(db)
  return rows[0]?.event_id ?? null
}

export interface EventRun {
  started_at: Date
  ms: number
  attempts: number
}

/** Returns the last attempt to handle the event; null if none has ended. */
export async function findEventRun(db: Db, botId: string, id: string): Promise<EventRun | null> {
  const row = await db
    .selectFrom('event')
    .select(['started_at', 'ms', 'attempts'])
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.started_at ? (row as EventRun) : null
}

const isCausedBy = (eventId: string) =>
  sql<boolean>`cause = ${eventId} and ${hasHash('cause', eventId)}`

const hasHash = (column: string, id: string) =>
  sql<boolean>`hashtextextended(${sql.ref(column)}, 0) = hashtextextended(${id}, 0)`
