// How events look to bots. A message_created has no payload of its own: it is the message, its author and its conversation, as they are now.
import type { Event } from '@botstead/contract'
import type { Db } from '../db/open.ts'
import { type EventRow, findEventRow } from '../events/events.ts'
import { byId } from './by-id.ts'
import { conversationsById } from './conversations.ts'
import type { MessageRow } from './message-writer.ts'
import { conversationShown, messageShown, userShown } from './shown.ts'
import { usersById } from './users.ts'

/** As the bot sees it. Null when it is gone. */
export async function findEvent(db: Db, botId: string, id: string): Promise<Event | null> {
  const row = await findEventRow(db, botId, id, null)
  return row && (await eventsShown(db, botId, [row]))[0]!
}

/** In the order given; two round trips at most, however many. */
export async function eventsShown(db: Db, botId: string, rows: EventRow[]): Promise<Event[]> {
  const contents = await readContents(db, botId, rows)
  return rows.map((row) => eventShown(row, row.payload ?? contents(row)))
}

const eventShown = (row: EventRow, payload: unknown): Event => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  type: row.type,
  payload: payload as Record<string, unknown>,
  ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
  ...(row.user_id !== null && { userId: row.user_id }),
  ...(row.message_id !== null && { messageId: row.message_id }),
  ...(row.workflow_id !== null && { workflowId: row.workflow_id }),
  status: row.status,
  failureReason: row.failure_reason,
})

/** Of a message that was deleted nothing is left to show. */
async function readContents(
  db: Db,
  botId: string,
  events: EventRow[],
): Promise<(row: EventRow) => Record<string, unknown>> {
  const ids = events
    .filter((row) => row.payload === null && row.message_id !== null)
    .map((row) => row.message_id!)
  if (ids.length === 0) return () => ({})
  const messages = (await db
    .selectFrom('message')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', 'in', ids)
    .execute()) as MessageRow[]
  if (messages.length === 0) return () => ({})
  const [users, conversations] = await Promise.all([
    usersById(db, botId, [...new Set(messages.map((row) => row.user_id))]),
    conversationsById(db, botId, [...new Set(messages.map((row) => row.conversation_id))]),
  ])
  const message = byId(messages)
  return (row) => {
    const said = message.get(row.message_id!)
    const author = said && users.get(said.user_id)
    const place = said && conversations.get(said.conversation_id)
    return {
      ...(said && { message: messageShown(said) }),
      ...(author && { user: userShown(author) }),
      ...(place && { conversation: conversationShown(place) }),
    }
  }
}
