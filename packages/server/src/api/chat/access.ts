// Permissions in conversations of the Chat API: participants read and write; only the owner adds
// and removes participants, and deletes the conversation.
import { ApiError } from '@botstead/contract'
import type { ChatUserCaller, Services } from '../../http/services.ts'
import {
  findKeyUser,
  lookUpConversation,
  lookUpParticipation,
  type Participation,
} from '../../modules/messaging/chat-lookups.ts'
import { type ConversationRow, noConversation } from '../../modules/messaging/conversations.ts'

/**
 * Reads on behalf of a user. Throws Unauthorized if the key's user does not exist, before any error
 * of `reading`.
 */
export async function asUser<T>(
  { db }: Services,
  { botId, claim }: ChatUserCaller,
  reading: Promise<T>,
): Promise<T> {
  reading.catch(() => {})
  await findKeyUser(db, botId, claim)
  return reading
}

/**
 * Throws Unauthorized without such a user, and Forbidden without participation. An unknown
 * conversation is Forbidden too, so that callers do not learn which ones exist.
 */
export async function requireParticipation(
  { db }: Services,
  { botId, alias, claim }: ChatUserCaller,
  conversation: string,
): Promise<Participation> {
  const found = await lookUpParticipation(db, botId, alias, conversation, claim)
  if (!found) throw new ApiError('Forbidden', 'Only participants of the conversation may do this')
  return found
}

/**
 * Throws Unauthorized without such a user, ResourceNotFound without such a conversation, Forbidden
 * if the caller is not its owner.
 */
export async function requireOwnership(
  { db }: Services,
  { botId, alias, claim }: ChatUserCaller,
  conversation: string,
): Promise<ConversationRow> {
  const [found, user] = await Promise.all([
    lookUpConversation(db, botId, alias, conversation),
    findKeyUser(db, botId, claim),
  ])
  if (!found) throw noConversation(conversation)
  if (found.owner_id !== user.id)
    throw new ApiError('Forbidden', 'Only the owner of the conversation may do this')
  return found
}
