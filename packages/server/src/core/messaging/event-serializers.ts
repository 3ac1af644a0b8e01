// Events in the form that bots receive. A message_created event stores no payload: it shows the
// message, its author and its conversation in their current state.
import type { Event } from '@botstead/contract'
import type { Db } from '../db/index.ts'
import { byId } from './by-id.ts'
import { conversationsById } from './conversations.ts'
import { type EventRow, findEventRow, listEvents } from './events/events.ts'
import type { MessageRow } from './messages/message-types.ts'
import { toConversation, toMessage, toUser } from './serializers.ts'
import { usersById } from './users.ts'

/**
 * Returns the event in the form that bots receive, or null when it was deleted. `maker` is the alias
 * of an integration, which sees only its own.
 */
export async function findEvent(
  db: Db,
  botId: string,
  id: string,
  maker: string | null = null,
): Promise<Event | null> {
  const row = await findEventRow(db, botId, id, maker)
  return row && (await toEvents(db, botId, [row]))[0]!
}

/** Returns a page of events in the form that bots receive, newest first. */
export const listBotEvents = async (
  ...[db, botId, ...listing]: Parameters<typeof listEvents>
): Promise<Event[]> => toEvents(db, botId, await listEvents(db, botId, ...listing))

/** Converts events in the order given, with at most two round trips. */
export async function toEvents(
  db: Db,
  botId: string,
  rows: EventRow[],
): Promise<Event[]> {
  const contents = await readContents(db, botId, rows)
  return rows.map((row) => toEvent(row, row.payload ?? contents(row)))
}

const toEvent = (row: EventRow, payload: unknown): Event => ({
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

/** Reads messages with authors and conversations. The payload of a deleted message is empty. */
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
    conversationsById(db, botId, [
      ...new Set(messages.map((row) => row.conversation_id)),
    ]),
  ])
  const message = byId(messages)
  return (row) => {
    const found = message.get(row.message_id!)
    const author = found && users.get(found.user_id)
    const conversation = found && conversations.get(found.conversation_id)
    return {
      ...(found && { message: toMessage(found) }),
      ...(author && { user: toUser(author) }),
      ...(conversation && { conversation: toConversation(conversation) }),
    }
  }
}
