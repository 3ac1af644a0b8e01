import { ApiError, type chat, type Handlers } from '@botstead/contract'
import type { Caller } from '../../../http/index.ts'
import {
  type Contexts,
  type PagedQuery,
  parsePage,
  type Services,
  timePosition,
  toListPage,
} from '../../../http/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { findNamedUser, lookUpUser } from '../../chat/chat-lookups.ts'
import {
  findParticipant,
  joinConversation,
  leaveConversation,
  listParticipants,
} from '../../participants.ts'
import { requireOwnership, requireParticipation } from './access.ts'
import { toChatUser } from './serializers.ts'

export const participants: Handlers<
  typeof chat.participants,
  Contexts<RealtimeServices>
> = {
  async addParticipant({ services, caller }, { params, body }) {
    const { database, db, signals } = services
    const { id } = await requireOwnership(services, caller, params.conversationId)
    const user = await findNamedUser(database, caller.botId, body.userId)
    // Only users of this chat can be added; the bot is not one of them.
    if (user.integration !== caller.alias)
      throw new ApiError('ResourceNotFound', `User "${body.userId}" was not found`)
    const { signal } = await joinConversation(db, caller.botId, id, user.id)
    if (signal) signals.publish(caller.botId, id, signal.number, () => signal)
    return { participant: toChatUser(user) }
  },

  async listParticipants({ services, caller }, { params, query }) {
    return pageOfParticipants(
      services,
      caller,
      'chat.listParticipants',
      params.conversationId,
      query,
    )
  },

  async getParticipant({ services, caller }, { params }) {
    const { id } = await requireOwnership(services, caller, params.conversationId)
    const user = await findNamedUser(services.database, caller.botId, params.userId)
    return {
      participant: toChatUser(
        await findParticipant(services.db, caller.botId, id, user.id),
      ),
    }
  },

  async removeParticipant({ services, caller }, { params }) {
    const { database, db, signals } = services
    const { id, owner_id } = await requireOwnership(
      services,
      caller,
      params.conversationId,
    )
    const user = await lookUpUser(database, caller.botId, params.userId)
    if (!user) return {}
    if (user.id === owner_id)
      throw new ApiError(
        'InvalidPayload',
        'The owner of a conversation cannot be removed: delete the conversation instead',
      )
    const { signal } = await leaveConversation(db, caller.botId, id, user.id)
    // Ends the streams first, so that the removed participant does not receive the event.
    signals.cut(caller.botId, id, user.id)
    if (signal) signals.publish(caller.botId, id, signal.number, () => signal)
    return {}
  },
}

/** Throws Forbidden if the caller is not a participant. */
export async function pageOfParticipants(
  services: Services,
  caller: Caller<'chatUser'>,
  operation: string,
  conversation: string,
  query: PagedQuery,
) {
  const { conversationId } = await requireParticipation(services, caller, conversation)
  const page = parsePage(services, [operation, caller.botId, conversationId], query)
  const position = timePosition(page.position)
  const rows = await listParticipants(services.db, caller.botId, conversationId, {
    position,
    limit: page.limit + 1,
  })
  const { items, meta } = toListPage(page, rows, ({ joined_at, id }) => [
    joined_at.toISOString(),
    id,
  ])
  return { participants: items.map(toChatUser), meta }
}
