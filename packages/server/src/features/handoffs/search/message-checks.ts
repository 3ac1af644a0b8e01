// Conditions on the messages of `conversation c`, which cost little for a conversation of any length.
import { type RawBuilder, sql } from 'kysely'

/** Messages that a check reads at most. */
const maxRead = 100

export const hasManyMessages = sql<boolean>`c.message_count > ${sql.lit(maxRead)}`

/**
 * Whether a message `m` meets the condition; use it only without `hasManyMessages`. The planner cannot
 * turn it into a scan of all messages, as it might `exists`.
 */
export const hasMessage = (condition: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`((select true from message m where m.bot_id = c.bot_id and m.conversation_id = c.id
    and ${condition} limit 1) is true)`
