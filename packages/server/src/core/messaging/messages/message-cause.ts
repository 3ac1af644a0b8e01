// The event that a message belongs to.
import { sql } from 'kysely'
import { type Db, hasHash } from '../../db/index.ts'
import type { MessageRow } from './message-types.ts'

/** Returns the event of a user's message, or the one that a bot's message answers; or null. */
export async function findEventOfMessage(
  db: Db,
  { bot_id, id }: Pick<MessageRow, 'bot_id' | 'id'>,
): Promise<string | null> {
  const { rows } = await sql<{ event_id: string | null }>`
    select coalesce(m.cause, (
      select v.id from event v where v.bot_id = ${bot_id} and v.message_id = ${id}
        and ${hasHash(sql.ref('message_id'), sql`${id}`)} and v.type = 'message_created' limit 1
    )) as event_id
    from message m where m.bot_id = ${bot_id} and m.id = ${id}`.execute(db)
  return rows[0]?.event_id ?? null
}
