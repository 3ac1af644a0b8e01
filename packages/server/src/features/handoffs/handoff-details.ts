// The details of handoffs in lists: the user of the conversation, its last message and the last
// one of the user, by three statements for any number of handoffs.
import type { HandoffDetails } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import { type MessageRow, receipts, toMessage } from '../../core/messaging/index.ts'
import { toHandoff } from './handoff-serializers.ts'
import type { HandoffRow } from './handoffs.ts'
import { findLastOfUsers, findMessages } from './search/conversation-details.ts'

/** Participants of a conversation among which the user is searched. */
const maxParticipants = 100

/** Returns the handoffs with their details, in their order. */
export async function describeHandoffs(
  db: Db,
  botId: string,
  rows: HandoffRow[],
): Promise<HandoffDetails[]> {
  if (rows.length === 0) return []
  const ids = [...new Set(rows.map((row) => row.conversation_id))]
  const [messages, ofUsers, users] = await Promise.all([
    findMessages(
      db,
      botId,
      ids.map((id) => ({ id, match: null })),
    ),
    findLastOfUsers(db, botId, ids),
    findUsers(db, botId, ids),
  ])
  const lastMessages = byConversation(messages)
  const lastOfUsers = byConversation(ofUsers)
  return rows.map((row) => {
    const user = users.get(row.conversation_id)
    const lastMessage = lastMessages.get(row.conversation_id)
    const lastUserMessage = lastOfUsers.get(row.conversation_id)
    return {
      ...toHandoff(row),
      ...(user && { user }),
      ...(lastMessage && { lastMessage }),
      ...(lastUserMessage && { lastUserMessage }),
    }
  })
}

const byConversation = (messages: MessageRow[]) =>
  new Map(messages.map((row) => [row.conversation_id, toMessage(row)]))

/** By conversation: the first participant except for the bot and members who answer. */
async function findUsers(db: Db, botId: string, conversationIds: string[]) {
  const { rows } = await sql<{ conversation_id: string } & UserRow>`
    select given.id as conversation_id, found.* from unnest(${conversationIds}::text[]) as given (id)
    cross join lateral (
      select u.id, u.name, u.fid, u.picture_url, p.delivered_until, p.read_until
      from (select * from participant where bot_id = ${botId} and conversation_id = given.id
        and user_id <> ${botId} limit ${maxParticipants}) p
      join "user" u on u.bot_id = p.bot_id and u.id = p.user_id
      where not exists (select from handoff_agent a where a.bot_id = p.bot_id and a.user_id = p.user_id)
      order by p.joined_at, p.user_id limit 1
    ) found`.execute(db)
  return new Map(rows.map((row) => [row.conversation_id, toUser(row)]))
}

interface UserRow {
  id: string
  name: string | null
  fid: string | null
  picture_url: string | null
  delivered_until: Date | null
  read_until: Date | null
}

const toUser = ({ id, name, fid, picture_url: pictureUrl, ...positions }: UserRow) => ({
  id,
  ...receipts.toReceipt(positions),
  ...(name !== null && { name }),
  ...(fid !== null && { fid }),
  ...(pictureUrl !== null && { pictureUrl }),
})
