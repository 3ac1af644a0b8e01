// What a new message or event names by id: it must be there, in the same bot, and for an integration it must be its own.
// What is another's is refused in the same words as what is nowhere.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { noConversation } from './conversations.ts'
import type { Viewer } from './tags.ts'

export interface References {
  conversationId?: string | undefined
  userId?: string | undefined
  messageId?: string | undefined
}

interface Presence {
  conversation: boolean
  user: boolean
  message: boolean
  /** False for a channel that the bot has switched off. */
  open: boolean
}

/** Throws ReferenceNotFound. */
export async function checkReferences(db: Db, botId: string, viewer: Viewer, references: References): Promise<void> {
  const { conversationId, userId, messageId } = references
  if (conversationId === undefined && userId === undefined && messageId === undefined) return
  const found = await findPresence(db, botId, viewer, references)
  if (!found.conversation) throw new ApiError('ReferenceNotFound', `No conversation "${conversationId}"`)
  if (!found.user) throw new ApiError('ReferenceNotFound', `No user "${userId}"`)
  if (!found.message) throw new ApiError('ReferenceNotFound', `No message "${messageId}"`)
}

/**
 * Whether an integration may write this user's words into this conversation. Throws ResourceNotFound and ReferenceNotFound as the writer
 * itself does, and Forbidden where the bot has switched the channel or the integration off.
 */
export async function checkIncoming(db: Db, botId: string, alias: string, conversationId: string, userId: string): Promise<void> {
  const found = await findPresence(db, botId, alias, { conversationId, userId })
  if (!found.conversation) throw noConversation(conversationId)
  if (!found.user) throw new ApiError('ReferenceNotFound', `No user "${userId}"`)
  if (!found.open) throw new ApiError('Forbidden', 'The bot has switched this channel off')
}

/** What is not asked for is there. One round trip. */
async function findPresence(db: Db, botId: string, viewer: Viewer, { conversationId, userId, messageId }: References): Promise<Presence> {
  const own = viewer === null ? sql`true` : sql`c.integration = ${viewer}`
  const ownUser = viewer === null ? sql`true` : sql`(u.integration = ${viewer} or u.id = u.bot_id)`
  const { rows } = await sql<Presence>`
    select
      ${conversationId === undefined} or exists (select from conversation c where c.bot_id = ${botId} and c.id = ${conversationId ?? ''} and ${own}) as conversation,
      ${userId === undefined} or exists (select from "user" u where u.bot_id = ${botId} and u.id = ${userId ?? ''} and ${ownUser}) as user,
      ${messageId === undefined} or exists (
        select from message m join conversation c on c.bot_id = m.bot_id and c.id = m.conversation_id
        where m.bot_id = ${botId} and m.id = ${messageId ?? ''} and ${own}
      ) as message,
      not exists (
        select from installation t join conversation c on c.bot_id = t.bot_id and c.integration = t.alias
        where t.bot_id = ${botId} and t.alias = ${viewer} and c.id = ${conversationId ?? ''} and (not t.enabled or c.channel = any(t.disabled_channels))
      ) as open`.execute(db)
  return rows[0]!
}
