// Deduplicates messages when a bot's handler runs again for an event after a crash of the bot or
// the server. A call that repeats an earlier message returns that message and writes nothing. Each
// repetition uses up one message that the event has caused and that is equal in every respect; so a
// message that the bot sends twice on purpose is stored twice, and a message that differs this time
// is new.
import type { Database } from '../../infra/db/open.ts'
import type { NewMessage } from './message-writer.ts'

/**
 * Concurrent identical calls of one run take different messages. Messages that the run itself
 * writes carry its id from the start, so they are never taken.
 */
const takeEarlierMessage = `
  with caused as materialized (select id, number from message where bot_id = $1 and cause = $2),
  repeated as (
    select m.id
    from caused join message m on m.bot_id = $1 and m.id = caused.id
    where m.conversation_id = $3 and m.user_id = $4 and m.direction = $5 and m.type = $6
      and m.payload = $7::jsonb and m.tags = $8::jsonb
      and m.origin is not distinct from $9::text and m.said_again is distinct from $10::text
    order by caused.number limit 1 for update of m skip locked
  )
  update message m set said_again = $10 from repeated where m.bot_id = $1 and m.id = repeated.id
  returning m.id`

/**
 * Returns null when no earlier run sent this message, and for messages outside of a repeated run.
 */
export async function takeRepeatedMessage(
  database: Database,
  message: NewMessage,
): Promise<string | null> {
  const {
    botId,
    cause,
    conversationId,
    userId,
    direction,
    type,
    payload,
    tags = {},
    origin = null,
    run = null,
  } = message
  if (run === null || !cause) return null
  const values = [
    botId,
    cause,
    conversationId,
    userId,
    direction,
    type,
    JSON.stringify(payload),
    JSON.stringify(tags),
    origin,
    run,
  ]
  return (
    (await database.run<{ id: string }>('take-repeated-message', takeEarlierMessage, values))[0]
      ?.id ?? null
  )
}
