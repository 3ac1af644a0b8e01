// What people see of handoffs in a list: the user of the conversation and its last message, by two
// statements for any number of handoffs.
import type { HandoffDetails } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../infra/db/open.ts'
import { type HandoffRow, toHandoff } from './handoffs.ts'
import { toReceipt } from './receipts.ts'
import { findMessages } from './search/conversation-details.ts'
import { toMessage } from './serializers.ts'

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
  const [messages, users] = await Promise.all([
    findMessages(
      db,
      botId,
      ids.map((id) => ({ id, match: null })),
    ),
    findUsers(db, botId, ids),
  ])
  const lastMessages = new Map(messages.map((row) => [row.conversation_id, toMessage(row)]))
  return rows.map((row) => {
    const user = users.get(row.conversation_id)
    const lastMessage = lastMessages.get(row.conversation_id)
    return { ...toHandoff(row), ...(user && { user }), ...(lastMessage && { lastMessage }) }
  })
}

/** By conversation: the first participant except for the bot and members who answer. */
async function findUsers(db: Db, botId: string, conversationIds: string[]) {
  const { rows } = await sql<{ conversation_id: string } & UserRow>`
    select given.id as conversation_id, found.* from unnest(${conversationIds}::text[]) as given (id)
    cross join lateral (
      select u.id, u.name, u.picture_url, p.delivered_until, p.read_until
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
  picture_url: string | null
  delivered_until: Date | null
  read_until: Date | null
}

const toUser = ({ id, name, picture_url: pictureUrl, ...positions }: UserRow) => ({
  id,
  ...toReceipt(positions),
  ...(name !== null && { name }),
  ...(pictureUrl !== null && { pictureUrl }),
})
