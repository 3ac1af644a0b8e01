// Who may do what in a conversation of the Chat API: participants read and write, the owner alone invites, removes and deletes.
import { ApiError } from '@botstead/contract'
import {
  findKeyUser,
  lookUpConversation,
  lookUpParticipation,
  type Participation,
} from '../../messaging/chat-lookups.ts'
import { type ConversationRow, noConversation } from '../../messaging/conversations.ts'
import type { ChatUserCaller, Services } from '../../services.ts'

/** What is read for a caller, once it is known that the user of the key exists. Throws Unauthorized before anything that `reading` throws. */
export async function asUser<T>(
  { db }: Services,
  { botId, claim }: ChatUserCaller,
  reading: Promise<T>,
): Promise<T> {
  reading.catch(() => {})
  await findKeyUser(db, botId, claim)
  return reading
}

/** Throws Unauthorized without such a user, and Forbidden, also when there is no such conversation: who is not inside does not learn which exist. */
export async function participate(
  { db }: Services,
  { botId, alias, claim }: ChatUserCaller,
  conversation: string,
): Promise<Participation> {
  const found = await lookUpParticipation(db, botId, alias, conversation, claim)
  if (!found) throw new ApiError('Forbidden', 'Only participants of the conversation may do this')
  return found
}

/** Throws Unauthorized without such a user, ResourceNotFound without such a conversation, Forbidden to anybody but its owner. */
export async function own(
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
