// The signals that listeners of a conversation receive for its messages, live and replayed: the
// same signals from the same rows. Ids are those that the chat client chose, otherwise the
// server's.
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { type Signal, toSignals } from '../../realtime/index.ts'
import { type ChatMessageRow, toStoredChatMessage } from '../chat/chat-message.ts'
import { readMessagesAfter } from '../chat/chat-messages.ts'

interface UnmadeSignals {
  make(): Pick<Signal, 'type' | 'data'>
  /** Makes a signal that is sent just before. */
  makeBefore?(): Pick<Signal, 'type' | 'data'>
}

/** A bot's message with `metadata.streamId` also completes that stream. */
export function messageSignals(
  message: ChatMessageRow & { direction: string },
): UnmadeSignals {
  const isBot = message.direction === 'outgoing'
  const make = () => ({
    type: 'message_created',
    data: { isBot, ...toStoredChatMessage(message) },
  })
  const streamId = isBot
    ? (message.payload.metadata as { streamId?: unknown } | undefined)?.streamId
    : undefined
  if (typeof streamId !== 'string') return { make }
  const makeBefore = () => ({
    type: 'message_stream_complete',
    data: { streamId, message: toStoredChatMessage(message) },
  })
  return { make, makeBefore }
}

/** Returns the messages and other signals of a conversation after `after`, in order. */
export async function readSignals(
  db: Db,
  botId: string,
  conversationId: string,
  after: string,
  limit: number,
): Promise<Signal[]> {
  // The two lists are read at different times: beyond this number, one may lack a row that precedes
  // a row of the other.
  const last = await lastNumber(db, botId, conversationId)
  const [messages, others] = await Promise.all([
    readMessagesAfter(db, botId, conversationId, after, limit),
    readOthers(db, botId, conversationId, after, limit),
  ])
  const fromMessages = messages.flatMap((message) => {
    const { make, makeBefore } = messageSignals(message)
    const at = BigInt(message.number)
    return toSignals(message.number, make, makeBefore).map((signal) => ({ at, signal }))
  })
  const fromSignals = others.map((row) => ({
    at: BigInt(row.number),
    signal: { number: row.number, type: row.type, data: row.data },
  }))
  // Either list may end at the limit: beyond the earlier end, the merged list could be incomplete.
  const cuts = [messages, others]
    .filter((list) => list.length === limit)
    .map((list) => BigInt(list.at(-1)!.number))
  const until = [last, ...cuts].sort((a, b) => (a < b ? -1 : 1))[0]!
  return [...fromMessages, ...fromSignals]
    .filter(({ at }) => at <= until)
    .sort((a, b) => Number(a.at - b.at))
    .map(({ signal }) => signal)
}

async function lastNumber(
  db: Db,
  botId: string,
  conversationId: string,
): Promise<bigint> {
  const row = await db
    .selectFrom('conversation')
    .select('last_number')
    .where('bot_id', '=', botId)
    .where('id', '=', conversationId)
    .executeTakeFirst()
  return BigInt(row?.last_number ?? 0)
}

const readOthers = (
  db: Db,
  botId: string,
  conversationId: string,
  after: string,
  limit: number,
) =>
  db
    .selectFrom('signal')
    .select(['number', 'type', 'data'])
    .where('bot_id', '=', botId)
    .where('conversation_id', '=', conversationId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()

/**
 * Returns the position where a new listener starts: before the signals of the last `withinMs`,
 * which may answer requests that the client sent before it connected.
 */
export async function recentStart(
  db: Db,
  botId: string,
  conversationId: string,
  withinMs: number,
): Promise<string> {
  const { rows } = await sql<{ start: string }>`
    select coalesce((
      select min(number) - 1 from (
        select number, created_at
          from (select number, created_at from message where bot_id = ${botId}
            and conversation_id = ${conversationId} and number > 0 order by number desc limit 20) m
        union all
        select number, created_at
          from (select number, created_at from signal where bot_id = ${botId}
            and conversation_id = ${conversationId} order by number desc limit 20) s
      ) recent where created_at > now() - ${withinMs} * interval '1 ms'
    ), (select last_number from conversation where bot_id = ${botId} and id = ${conversationId}),
      0) as start`.execute(db)
  return rows[0]!.start
}
