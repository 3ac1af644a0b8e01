// Reads messages as chat clients see them, with the ids that clients chose for author and
// conversation.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { type Database, type Db, statement } from '../../db/index.ts'
import {
  messagePage,
  type PageValues,
  parseMessagePosition,
  toBounds,
  toPageValues,
} from '../messages/message-pages.ts'
import {
  type ConversationName,
  keyUser,
  namedConversation,
  noKeyUser,
} from './chat-lookups.ts'
import type { ChatMessageRow } from './chat-message.ts'

type ListedMessage = ChatMessageRow & { number: string; tags: Record<string, string> }
export type ReadMessage = ListedMessage & { direction: string }

/** Throws ResourceNotFound. */
export async function findChatMessage(
  db: Db,
  botId: string,
  integration: string,
  id: string,
): Promise<ReadMessage> {
  const { rows } =
    await sql<ReadMessage>`${chatMessages} where m.bot_id = ${botId} and m.id = ${id}
      and c.integration = ${integration}`.execute(db)
  if (!rows[0]) throw new ApiError('ResourceNotFound', `Message "${id}" was not found`)
  return rows[0]
}

/** Returns null if the message was deleted. `integration` is the alias of its conversation. */
export async function findMessageOfChat(
  db: Db,
  botId: string,
  id: string,
): Promise<(ReadMessage & { integration: string }) | null> {
  const { rows } = await sql<ReadMessage & { integration: string }>`
    select found.*, c.integration from (${chatMessages} where m.bot_id = ${botId} and m.id = ${id}) found
    join conversation c on c.bot_id = ${botId} and c.id = found.conversation_id`.execute(
    db,
  )
  return rows[0] ?? null
}

const allowed = '(select id from allowed)'
const listStatement = (imported: boolean) =>
  statement<ConversationName & PageValues>(
    `list-chat-messages${imported ? '-imported' : ''}`,
    `with ${keyUser}, ${namedConversation},
    allowed as materialized (
      select c.id, c.fid from u cross join c
      join participant p on p.bot_id = :botId and p.conversation_id = c.id and p.user_id = u.id
    )
    select a.id as conversation_id, a.fid as conversation_fid,
      m.id, m.number, m.type, m.payload, m.tags, m.created_at, m.user_id, author.fid as user_fid
    from u left join allowed a on true
    left join ${messagePage(allowed, { imported, after: false, before: false })} m on true
    left join "user" author on author.bot_id = :botId and author.id = m.user_id
    order by m.created_at desc, m.number desc`,
  )
const [listUsual, listAfterImported] = [listStatement(false), listStatement(true)]

type ListedRow = Omit<
  ListedMessage,
  'conversation' | 'user' | 'conversation_id' | 'id'
> & {
  /** Null if the user does not take part in the conversation. */
  conversation_id: string | null
  conversation_fid: string | null
  user_fid: string | null
  /** Null if the conversation has no message on this page. */
  id: string | null
}

/**
 * Lists messages as the user of a key sees them, newest first, with one row more than the page when
 * there is a next page. Returns null if the user does not take part in the conversation. Throws
 * Unauthorized when the user does not exist. Uses indexes only, so the cost does not depend on the
 * conversation's length.
 */
export async function listChatMessages(
  { run }: Pick<Database, 'run'>,
  conversation: ConversationName,
  { position, limit }: { position: string[] | null; limit: number },
): Promise<{ conversationId: string; rows: ListedMessage[] } | null> {
  const window = { position: parseMessagePosition(position), limit: limit + 1 }
  const list = toBounds(window).imported ? listAfterImported : listUsual
  const rows = await run<ListedRow>(...list({ ...toPageValues(window), ...conversation }))
  if (!rows[0]) throw noKeyUser()
  const { conversation_id: conversationId, id } = rows[0]
  if (conversationId === null) return null
  return { conversationId, rows: id === null ? [] : rows.map(toListedMessage) }
}

const toListedMessage = (row: ListedRow): ListedMessage => ({
  id: row.id!,
  number: row.number,
  type: row.type,
  payload: row.payload,
  tags: row.tags,
  created_at: row.created_at,
  user_id: row.user_id,
  conversation_id: row.conversation_id!,
  conversation: { fid: row.conversation_fid },
  user: { fid: row.user_fid },
})

const chatMessages = sql`
  select m.id, m.number, m.direction, m.type, m.payload, m.tags, m.created_at, m.user_id, m.conversation_id,
    json_build_object('fid', c.fid) as conversation, json_build_object('fid', u.fid) as "user"
  from message m
  join conversation c on c.bot_id = m.bot_id and c.id = m.conversation_id
  left join "user" u on u.bot_id = m.bot_id and u.id = m.user_id`

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

/** Returns the newest message of each conversation that has one, by the conversation's id. */
export async function findLastMessages(
  db: Db,
  botId: string,
  conversationIds: string[],
): Promise<Map<string, ReadMessage>> {
  if (conversationIds.length === 0) return new Map()
  const { rows } = await sql<ReadMessage>`
    ${chatMessages} where (m.bot_id, m.conversation_id, m.number) in (
      select ${botId}, wanted.id, (
        select number from message where bot_id = ${botId} and conversation_id = wanted.id
        order by created_at desc, number desc limit 1
      ) from unnest(${conversationIds}::text[]) wanted (id)
    )`.execute(db)
  return new Map(rows.map((row) => [row.conversation_id, row]))
}
