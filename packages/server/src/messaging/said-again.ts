// A bot whose handler is run again for an event (it crashed, or the server did) says again what it has said already. Then it gets what it said as
// the answer, and nothing is written twice: the run takes, of the messages that the event has caused, one that it has not taken yet and that is
// the same in every respect. What a bot says twice on purpose is there twice; what it says differently this time is new.
import type { Database } from '../db/open.ts'
import type { NewMessage } from './message-writer.ts'

/** Of two calls of one run that say the same at a time, each takes another message. What the run writes itself bears its name from the start. */
const takeSaid = `
  with said as materialized (select id, number from message where bot_id = $1 and cause = $2),
  taken as (
    select m.id
    from said join message m on m.bot_id = $1 and m.id = said.id
    where m.conversation_id = $3 and m.user_id = $4 and m.direction = $5 and m.type = $6 and m.payload = $7::jsonb and m.tags = $8::jsonb
      and m.origin is not distinct from $9::text and m.said_again is distinct from $10::text
    order by said.number limit 1 for update of m skip locked
  )
  update message m set said_again = $10 from taken where m.bot_id = $1 and m.id = taken.id
  returning m.id`

/** Null when this run has said nothing yet that an earlier one had not; and for what is said in no run that repeats another. */
export async function findSaid(database: Database, message: NewMessage): Promise<string | null> {
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
  return (await database.run<{ id: string }>('take-said', takeSaid, values))[0]?.id ?? null
}
