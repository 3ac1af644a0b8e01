// Finds handoffs by words: of the names of participants, or of the messages in their conversations.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import { toWordQuery } from '../../core/messaging/index.ts'
import { limited, maxRare } from './search/rare-filters.ts'
import { usersNamed } from './search/user-search.ts'

export interface FoundText {
  /** Conversations with the words; null if so many messages have them that each handoff is checked. */
  ids: string[] | null
  /** The same condition on `handoff`. */
  check: RawBuilder<boolean>
  /** Handoffs that are checked at most. */
  maxRead: number
}

const maxRead = 2_000

/** Without `hasMessages`, messages are not indexed. */
export async function findByText(
  { db, hasMessages }: { db: Db; hasMessages: boolean },
  botId: string,
  text: string,
): Promise<FoundText> {
  const query = hasMessages ? toWordQuery(botId, text) : null
  const named = limited(sql`select p.conversation_id from ${usersNamed(botId, text)} u
    join participant p on p.bot_id = ${botId} and p.user_id = u.id`)
  const { rows } = await sql<{ worded: string[] | null; named: string[] }>`
    select (select case when sum(matches) > ${maxRare} then null
        else coalesce(jsonb_agg(conversation_id), '[]') end
      from find_message_words(${botId}, ${query}::tsquery, ${maxRare + 1})) as worded,
      (select coalesce(jsonb_agg(distinct conversation_id), '[]') from ${named} n) as named`.execute(
    db,
  )
  const { worded, named: ids } = rows[0]!
  return {
    ids: worded && [...new Set([...worded, ...ids])],
    // The order keeps the planner from reading all messages once.
    check: sql`(conversation_id = any(${ids}::text[]) or (select s.number from message_search s
      where s.bot_id = handoff.bot_id and s.conversation_id = handoff.conversation_id
        and (s.words @@ ${query}::tsquery) is true order by s.number desc limit 1) is not null)`,
    maxRead,
  }
}
