// Permissions in conversations of the Chat API: participants read and write; only the owner adds
// and removes participants, and deletes the conversation.
import { ApiError } from '@botstead/contract'
import type { Caller, Services } from '../../../http/index.ts'
import {
  findKeyUser,
  lookUpConversation,
  lookUpParticipation,
  type NamedConversation,
  type Participation,
} from '../../chat/chat-lookups.ts'
import { noConversation } from '../../conversations.ts'

/**
 * Reads on behalf of a user. Throws Unauthorized if the key's user does not exist, before any error
 * of `reading`.
 */
export async function asUser<T>(
  { database }: Services,
  { botId, claim }: Caller<'chatUser'>,
  reading: Promise<T>,
): Promise<T> {
  reading.catch(() => {})
  await findKeyUser(database, botId, claim)
  return reading
}

/**
 * Throws Unauthorized without such a user, and Forbidden without participation. An unknown
 * conversation is Forbidden too, so that callers do not learn which ones exist.
 */
export async function requireParticipation(
  { database }: Services,
  caller: Caller<'chatUser'>,
  conversation: string,
): Promise<Participation> {
  const found = await lookUpParticipation(database, conversationFor(caller, conversation))
  if (!found) throw notParticipating()
  return found
}

/** Returns the arguments of look-ups on behalf of the caller. */
export const conversationFor = (
  { botId, alias: integration, claim }: Caller<'chatUser'>,
  name: string,
) => ({ botId, integration, name, claim })

export const notParticipating = () =>
  new ApiError('Forbidden', 'Only participants of the conversation may do this')

/**
 * Throws Unauthorized without such a user, ResourceNotFound without such a conversation, Forbidden
 * if the caller is not its owner.
 */
export async function requireOwnership(
  { database }: Services,
  { botId, alias, claim }: Caller<'chatUser'>,
  conversation: string,
): Promise<NamedConversation> {
  const [found, user] = await Promise.all([
    lookUpConversation(database, botId, alias, conversation),
    findKeyUser(database, botId, claim),
  ])
  if (!found) throw noConversation(conversation)
  if (found.owner_id !== user.id)
    throw new ApiError('Forbidden', 'Only the owner of the conversation may do this')
  return found
}
