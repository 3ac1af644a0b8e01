// An incoming message arrives with its user and conversation. Each of the three is found by its
// tags or created, as its own operation does, so concurrent webhooks create it once. All input is
// validated before the first write.
import { ApiError } from '@botstead/contract'
import type { Db } from '../../db/index.ts'
import {
  type ConversationRow,
  conversationByTags,
  findConversation,
  type NewConversation,
} from '../conversations.ts'
import { discriminating, type TagInput, type Viewer } from '../tags/tags.ts'
import { findUser, type NewUser, type UserRow, userByTags } from '../users.ts'
import type { MessageRow, NewMessage, WrittenMessage } from './message-types.ts'
import type { MessageWriter } from './message-writer.ts'
import { checkMessageTags, getOrCreateMessage } from './messages.ts'
import { checkIncoming, checkReferences } from './references.ts'

/** Names of the tags that identify the object; all given tags when empty. */
interface Discriminated {
  discriminateByTags: string[]
}

interface Incoming {
  userId?: string | undefined
  user?: (NewUser & Discriminated) | undefined
  conversationId?: string | undefined
  conversation?: (NewConversation & Discriminated) | undefined
  message?:
    | (Discriminated & {
        type: string
        payload: Record<string, unknown>
        tags: TagInput
        origin?: 'synthetic' | undefined
      })
    | undefined
}

interface InitializedMessage {
  user: UserRow
  conversation: ConversationRow
  message: MessageRow | null
}

/**
 * Finds or creates user, conversation and message; delivers a new message to the bot. Throws
 * InvalidPayload, ReferenceNotFound, ResourceNotFound and Forbidden as the single operations do.
 */
export async function initializeIncoming(
  { db, messages }: { db: Db; messages: MessageWriter },
  botId: string,
  viewer: Viewer,
  input: Incoming,
  by: Pick<NewMessage, 'cause' | 'requestId'>,
): Promise<InitializedMessage> {
  const [findOrMakeUser, findOrMakeConversation] = await Promise.all([
    prepareUser(db, botId, viewer, input),
    prepareConversation(db, botId, viewer, input),
  ])
  const message =
    input.message && (await checkMessage(db, botId, viewer, input, input.message))
  const [user, conversation] = await Promise.all([
    findOrMakeUser(),
    findOrMakeConversation(),
  ])
  if (!message || !input.message) return { user, conversation, message: null }
  if (input.userId !== undefined || input.conversationId !== undefined)
    await checkIncoming(db, botId, viewer, conversation.id, user.id)
  const { type, payload, origin } = input.message
  const direction = origin && user.id === botId ? 'outgoing' : 'incoming'
  const post = () =>
    messages.post({
      botId,
      conversationId: conversation.id,
      userId: user.id,
      direction,
      type,
      payload,
      tags: message.set,
      ...by,
      ...(origin && { origin }),
    })
  const { row } = await getOrCreateMessage(
    db,
    botId,
    viewer,
    { ...message, conversationId: conversation.id, payload },
    post,
  )
  return { user, conversation: asWritten(conversation, row), message: row }
}

async function prepareUser(
  db: Db,
  botId: string,
  viewer: Viewer,
  { userId, user }: Incoming,
): Promise<() => Promise<UserRow>> {
  requireOne('user', userId, user)
  if (userId !== undefined) {
    await checkReferences(db, botId, viewer, { userId })
    return () => findUser(db, botId, userId, viewer)
  }
  const { discriminateByTags, ...wanted } = user!
  const findOrMake = await userByTags(db, botId, viewer, wanted, discriminateByTags)
  return async () => (await findOrMake()).row
}

async function prepareConversation(
  db: Db,
  botId: string,
  viewer: Viewer,
  { conversationId, conversation }: Incoming,
): Promise<() => Promise<ConversationRow>> {
  requireOne('conversation', conversationId, conversation)
  if (conversationId !== undefined) {
    const found = await findConversation(db, botId, conversationId, viewer)
    return async () => found
  }
  const { discriminateByTags, ...wanted } = conversation!
  const findOrMake = await conversationByTags(
    db,
    botId,
    viewer,
    wanted,
    discriminateByTags,
  )
  return async () => (await findOrMake()).row
}

function requireOne(field: string, id: string | undefined, input: object | undefined) {
  if ((id === undefined) === (input === undefined))
    throw new ApiError(
      'InvalidPayload',
      `Specify exactly one of \`${field}\` and \`${field}Id\``,
    )
}

async function checkMessage(
  db: Db,
  botId: string,
  viewer: Viewer,
  { conversationId, conversation }: Incoming,
  { tags, discriminateByTags }: Incoming['message'] & object,
) {
  const place =
    conversationId === undefined ? { channel: conversation!.channel } : { conversationId }
  const { set } = await checkMessageTags(db, botId, viewer, place, tags)
  return { set, tags, match: discriminating(tags, discriminateByTags, viewer) }
}

/** Returns the conversation with the count and time that writing the message has set. */
function asWritten(conversation: ConversationRow, row: MessageRow): ConversationRow {
  const { conversation: written } = row as Partial<WrittenMessage>
  return written
    ? {
        ...conversation,
        message_count: written.message_count,
        updated_at: written.updated_at,
      }
    : conversation
}
