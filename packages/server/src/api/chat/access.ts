// Who may do what in a conversation of the Chat API: participants read and write, the owner alone invites, removes and deletes.
import { ApiError } from '@botstead/contract'
import {
  findNamedConversation,
  lookUpParticipation,
  lookUpUser,
  type Participation,
} from '../../messaging/chat-lookups.ts'
import type { ConversationRow } from '../../messaging/conversations.ts'
import type { ChatUserCaller, Services } from '../../services.ts'

/** Throws Forbidden, also when there is no such conversation: who is not inside does not learn which exist. */
export async function participate(
  { db }: Services,
  { botId, alias, claim }: ChatUserCaller,
  conversation: string,
): Promise<Participation> {
  const found = await lookUpParticipation(db, botId, alias, conversation, claim)
  if (!found) throw new ApiError('Forbidden', 'Only participants of the conversation may do this')
  return found
}

/** Throws ResourceNotFound without such a conversation, Forbidden to anybody but its owner. */
export async function own(
  { db }: Services,
  { botId, alias, claim }: ChatUserCaller,
  conversation: string,
): Promise<ConversationRow> {
  const [found, user] = await Promise.all([
    findNamedConversation(db, botId, alias, conversation),
    lookUpUser(db, botId, claim),
  ])
  if (!user || found.owner_id !== user.id)
    throw new ApiError('Forbidden', 'Only the owner of the conversation may do this')
  return found
}
