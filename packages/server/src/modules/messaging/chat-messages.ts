// Reads messages as chat clients see them, with the ids that clients chose for author and
// conversation.
import { ApiError } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../infra/db/open.ts'
import type { ChatMessageRow } from './chat-message.ts'
import { messagesIn, parseMessagePosition } from './message-pages.ts'

type ReadMessage = ChatMessageRow & { number: string; direction: string }

/** Throws ResourceNotFound. */
export async function findChatMessage(
  db: Db,
  botId: string,
  integration: string,
  id: string,
): Promise<ReadMessage> {
  const { rows } = await sql<ReadMessage>`${chatMessages} where m.bot_id = ${botId} and m.id = ${id}
      and c.integration = ${integration}`.execute(db)
  if (!rows[0]) throw new ApiError('ResourceNotFound', `Message "${id}" was not found`)
  return rows[0]
}

/**
 * Lists messages, newest first, with one row more than the page when there is a next page. Uses
 * indexes only, so the cost does not depend on the conversation's length.
 */
export async function listChatMessages(
  db: Db,
  botId: string,
  conversationId: string,
  { position, limit }: { position: string[] | null; limit: number },
) {
  const page = messagesIn({
    botId,
    conversationId,
    position: parseMessagePosition(position),
    limit: limit + 1,
  })
  const { rows } =
    await sql<ReadMessage>`${chatMessagesOf(page)} order by m.created_at desc, m.number desc`.execute(
      db,
    )
  return rows
}

const chatMessagesOf = (source: RawBuilder<unknown>) => sql`
  select m.id, m.number, m.direction, m.type, m.payload, m.created_at, m.user_id, m.conversation_id,
    json_build_object('fid', c.fid) as conversation, json_build_object('fid', u.fid) as "user"
  from ${source} m
  join conversation c on c.bot_id = m.bot_id and c.id = m.conversation_id
  left join "user" u on u.bot_id = m.bot_id and u.id = m.user_id`
const chatMessages = chatMessagesOf(sql`message`)

/** Lists the messages with a number greater than `after`, oldest first. */
export async function readMessagesAfter(
  db: Db,
  botId: string,
  conversationId: string,
  after: string,
  limit: number,
): Promise<ReadMessage[]> {
  const { rows } = await sql<ReadMessage>`
    ${chatMessages} where m.bot_id = ${botId} and m.conversation_id = ${conversationId}
      and m.number > ${after} order by m.number limit ${limit}`.execute(db)
  return rows
}
