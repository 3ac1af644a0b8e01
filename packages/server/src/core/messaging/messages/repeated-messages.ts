// Deduplicates messages when a bot's handler runs again for an event after a crash of the bot or
// the server. A call that repeats an earlier message returns that message and writes nothing. Each
// repetition uses up one message that the event has caused and that is equal in every respect; so a
// message that the bot sends twice on purpose is stored twice, and a message that differs this time
// is new.
import { type Database, statement } from '../../db/index.ts'
import type { NewMessage } from './message-types.ts'

/**
 * Concurrent identical calls of one run take different messages. Messages that the run itself
 * writes carry its id from the start, so they are never taken. The lock does not conflict with those
 * of rows that refer to a message, such as its words for searches: a skipped message would be sent
 * twice.
 */
const takeEarlierMessage = statement<{
  botId: string
  cause: string
  conversationId: string
  userId: string
  direction: 'incoming' | 'outgoing'
  type: string
  payload: string
  tags: string
  origin: string | null
  run: string
}>(
  'take-repeated-message',
  `
  with caused as materialized (
    select id, number from message where bot_id = :botId and cause = :cause
      and hashtextextended(cause, 0) = hashtextextended(:cause, 0)
  ),
  repeated as (
    select m.id
    from caused join message m on m.bot_id = :botId and m.id = caused.id
    where m.conversation_id = :conversationId and m.user_id = :userId and m.direction = :direction
      and m.type = :type and m.payload = :payload::jsonb and m.tags = :tags::jsonb
      and m.origin is not distinct from :origin::text and m.said_again is distinct from :run::text
    order by caused.number limit 1 for no key update of m skip locked
  )
  update message m set said_again = :run from repeated
  where m.bot_id = :botId and m.id = repeated.id
  returning m.id`,
)

/**
 * Returns null when no earlier run sent this message, and for messages outside of a repeated run.
 */
export async function takeRepeatedMessage(
  database: Database,
  message: NewMessage,
): Promise<string | null> {
  const { cause, payload, tags = {}, origin = null, run = null } = message
  if (run === null || !cause) return null
  const [taken] = await database.run<{ id: string }>(
    ...takeEarlierMessage({
      ...message,
      cause,
      origin,
      run,
      payload: JSON.stringify(payload),
      tags: JSON.stringify(tags),
    }),
  )
  return taken?.id ?? null
}
