// Checks the ids in a new message or event: the objects must exist in the same bot and, for an
// integration, belong to it. Objects of other integrations get the same errors as objects that do
// not exist.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { noConversation } from '../conversations.ts'
import type { Viewer } from '../tags/tags.ts'

interface References {
  conversationId?: string | undefined
  userId?: string | undefined
  messageId?: string | undefined
}

interface Presence {
  conversation: boolean
  user: boolean
  message: boolean
  /** False for a channel that is disabled in the bot. */
  open: boolean
}

/** Throws ReferenceNotFound. */
export async function checkReferences(
  db: Db,
  botId: string,
  viewer: Viewer,
  references: References,
): Promise<void> {
  const { conversationId, userId, messageId } = references
  if (conversationId === undefined && userId === undefined && messageId === undefined)
    return
  const found = await findPresence(db, botId, viewer, references)
  if (!found.conversation)
    throw new ApiError(
      'ReferenceNotFound',
      `Conversation "${conversationId}" was not found`,
    )
  if (!found.user)
    throw new ApiError('ReferenceNotFound', `User "${userId}" was not found`)
  if (!found.message)
    throw new ApiError('ReferenceNotFound', `Message "${messageId}" was not found`)
}

/**
 * Checks that this user's message may be written to this conversation. Throws ResourceNotFound and
 * ReferenceNotFound as the writer does, and Forbidden where the bot has disabled the channel or
 * integration.
 */
export async function checkIncoming(
  db: Db,
  botId: string,
  viewer: Viewer,
  conversationId: string,
  userId: string,
): Promise<void> {
  const found = await findPresence(db, botId, viewer, { conversationId, userId })
  if (!found.conversation) throw noConversation(conversationId)
  if (!found.user)
    throw new ApiError('ReferenceNotFound', `User "${userId}" was not found`)
  if (!found.open) throw closed()
}

/**
 * Returns a function that gives the channel of an imported message, or throws as `checkIncoming`
 * does. One round trip for any number of messages.
 */
export async function findMessageContexts(
  db: Db,
  botId: string,
  viewer: Viewer,
  messages: { conversationId: string; userId: string }[],
) {
  const { rows } = await sql<{
    kind: 'conversation' | 'user'
    id: string
    channel: string | null
    open: boolean
  }>`
    select 'conversation' as kind, c.id, c.channel, t.alias is null
      or (t.enabled and not c.channel = any(t.disabled_channels)) as open
    from conversation c left join installation t on t.bot_id = c.bot_id and t.alias = c.integration
      and t.alias = ${viewer}
    where c.bot_id = ${botId} and c.id = any(${messages.map((one) => one.conversationId)}::text[])
      and ${ownConversation(viewer)}
    union all
    select 'user', u.id, null, true from "user" u
    where u.bot_id = ${botId} and u.id = any(${messages.map((one) => one.userId)}::text[])
      and ${ownUser(viewer)}`.execute(db)
  const found = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]))
  return ({
    conversationId,
    userId,
  }: {
    conversationId: string
    userId: string
  }): string => {
    const conversation = found.get(`conversation ${conversationId}`)
    if (!conversation) throw noConversation(conversationId)
    if (!found.has(`user ${userId}`))
      throw new ApiError('ReferenceNotFound', `User "${userId}" was not found`)
    if (!conversation.open) throw closed()
    return conversation.channel!
  }
}

const ownConversation = (viewer: Viewer) =>
  viewer === null ? sql`true` : sql`c.integration = ${viewer}`
const ownUser = (viewer: Viewer) =>
  viewer === null ? sql`true` : sql`(u.integration = ${viewer} or u.id = u.bot_id)`
const closed = () =>
  new ApiError('Forbidden', 'This channel is disabled in the settings of the integration')

/** Returns true for references that are not given. One round trip. */
async function findPresence(
  db: Db,
  botId: string,
  viewer: Viewer,
  { conversationId, userId, messageId }: References,
): Promise<Presence> {
  const own = ownConversation(viewer)
  const { rows } = await sql<Presence>`
    select
      ${conversationId === undefined} or exists (select from conversation c
        where c.bot_id = ${botId} and c.id = ${conversationId ?? ''} and ${own}) as conversation,
      ${userId === undefined} or exists (select from "user" u where u.bot_id = ${botId}
        and u.id = ${userId ?? ''} and ${ownUser(viewer)}) as user,
      ${messageId === undefined} or exists (
        select from message m join conversation c on c.bot_id = m.bot_id and c.id = m.conversation_id
        where m.bot_id = ${botId} and m.id = ${messageId ?? ''} and ${own}
      ) as message,
      not exists (
        select from installation t join conversation c on c.bot_id = t.bot_id and c.integration = t.alias
        where t.bot_id = ${botId} and t.alias = ${viewer} and c.id = ${conversationId ?? ''}
          and (not t.enabled or c.channel = any(t.disabled_channels))
      ) as open`.execute(db)
  return rows[0]!
}
