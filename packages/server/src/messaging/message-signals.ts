// What the listeners of a conversation hear of its messages, live and read back: the same signals from the same rows.
// Ids are those that the chat client chose, where it chose any.
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Signal } from '../realtime/signals.ts'
import { type ChatMessageRow, chatMessage } from './chat-message.ts'
import { readMessagesAfter } from './chat-messages.ts'

interface UnmadeSignal extends Pick<Signal, 'number' | 'before'> {
  make(): Pick<Signal, 'type' | 'data'>
}

/** A bot's message with `metadata.streamId` ends the stream of that name; then it is a message like any other. */
export function messageSignals(
  message: ChatMessageRow & { number: string; direction: string },
): UnmadeSignal[] {
  const isBot = message.direction === 'outgoing'
  const created = {
    number: message.number,
    make: () => ({ type: 'message_created', data: { isBot, ...chatMessage(message) } }),
  }
  const streamId = isBot
    ? (message.payload.metadata as { streamId?: unknown } | undefined)?.streamId
    : undefined
  if (typeof streamId !== 'string') return [created]
  const complete = {
    number: null,
    before: message.number,
    make: () => ({ type: 'message_stream_complete', data: { streamId, message: chatMessage(message) } }),
  }
  return [complete, created]
}

/** What was said and done in a conversation after `after`, in order. */
export async function readSignals(
  db: Db,
  botId: string,
  conversationId: string,
  after: string,
  limit: number,
): Promise<Signal[]> {
  // The two lists are read one moment apart: past this number one of them might miss what the other shows the successor of.
  const last = await lastNumber(db, botId, conversationId)
  const [messages, others] = await Promise.all([
    readMessagesAfter(db, botId, conversationId, after, limit),
    readOthers(db, botId, conversationId, after, limit),
  ])
  const said = messages.flatMap((message) =>
    messageSignals(message).map(({ make, ...place }) => ({
      at: BigInt(message.number),
      signal: { ...place, ...make() },
    })),
  )
  const done = others.map((row) => ({
    at: BigInt(row.number),
    signal: { number: row.number, type: row.type, data: row.data },
  }))
  // Each list may have been cut at the limit: nothing after the earlier cut is known to be complete.
  const cuts = [messages, others]
    .filter((list) => list.length === limit)
    .map((list) => BigInt(list.at(-1)!.number))
  const until = [last, ...cuts].sort((a, b) => (a < b ? -1 : 1))[0]!
  return [...said, ...done]
    .filter(({ at }) => at <= until)
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ signal }) => signal)
}

async function lastNumber(db: Db, botId: string, conversationId: string): Promise<bigint> {
  const row = await db
    .selectFrom('conversation')
    .select('last_number')
    .where('bot_id', '=', botId)
    .where('id', '=', conversationId)
    .executeTakeFirst()
  return BigInt(row?.last_number ?? 0)
}

const readOthers = (db: Db, botId: string, conversationId: string, after: string, limit: number) =>
  db
    .selectFrom('signal')
    .select(['number', 'type', 'data'])
    .where('bot_id', '=', botId)
    .where('conversation_id', '=', conversationId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()

/** Where a new listener begins: just before what happened in the last moments, which it may have asked for before it could hear. */
export async function recentStart(
  db: Db,
  botId: string,
  conversationId: string,
  withinMs: number,
): Promise<string> {
  const { rows } = await sql<{ start: string }>`
    select coalesce((
      select min(number) - 1 from (
        select number, created_at from (select number, created_at from message where bot_id = ${botId} and conversation_id = ${conversationId} and number > 0 order by number desc limit 20) m
        union all
        select number, created_at from (select number, created_at from signal where bot_id = ${botId} and conversation_id = ${conversationId} order by number desc limit 20) s
      ) recent where created_at > now() - ${withinMs} * interval '1 ms'
    ), (select last_number from conversation where bot_id = ${botId} and id = ${conversationId}), 0) as start`.execute(
    db,
  )
  return rows[0]!.start
}
