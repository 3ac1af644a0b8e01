import { ApiError, type chat, type Handlers, type Input } from '@botstead/contract'
import type { MessageOperation } from '../../http/idempotency-key.ts'
import type { ChatUserCaller, Contexts, Services } from '../../http/services.ts'
import { noKeyUser } from '../../modules/messaging/chat-lookups.ts'
import { storedPayload } from '../../modules/messaging/chat-message.ts'
import { findChatMessage, listChatMessages } from '../../modules/messaging/chat-messages.ts'
import { messagePositionOf } from '../../modules/messaging/message-pages.ts'
import type { WrittenMessage } from '../../modules/messaging/message-writer.ts'
import { deleteMessage } from '../../modules/messaging/messages.ts'
import { pageOf, parsePage } from '../paging.ts'
import { asUser, conversationFor, notParticipating, requireParticipation } from './access.ts'
import { toChatMessage } from './serializers.ts'

export const messages: Handlers<typeof chat.messages, Contexts> = {
  async createMessage({ services, caller, request }, { body }) {
    const { type, payload } = storedPayload(body.payload, body.metadata)
    const message = await post(services, caller, {
      conversation: body.conversationId,
      type,
      payload,
      requestId: request.id,
    })
    await services.signals.settled(caller.botId, message.conversation_id)
    return { message: toChatMessage(message) }
  },

  async getMessage({ services, caller }, { params }) {
    const message = await asUser(
      services,
      caller,
      findChatMessage(services.db, caller.botId, caller.alias, params.id),
    )
    await requireParticipation(services, caller, message.conversation_id)
    return { message: toChatMessage(message) }
  },

  async deleteMessage({ services, caller }, { params }) {
    const { db, signals } = services
    const message = await asUser(
      services,
      caller,
      findChatMessage(db, caller.botId, caller.alias, params.id),
    )
    const isAuthor = message.user.fid === caller.claim || message.user_id === caller.claim
    if (!isAuthor || message.direction !== 'incoming')
      throw new ApiError('Forbidden', 'Only the author can delete a message')
    const { number, conversation, type, data } = await deleteMessage(
      db,
      caller.botId,
      message.id,
      caller.alias,
    )
    signals.publish(caller.botId, conversation, number, () => ({ type, data }))
    return {}
  },

  async listMessages({ services, caller }, { params, query }) {
    const pageIn = (conversationId: string) =>
      parsePage(services, ['chat.listMessages', caller.botId, conversationId], query)
    // A token is bound to the server's id of the conversation, which the client may not have sent.
    const { conversationId: name } = query.nextToken
      ? await requireParticipation(services, caller, params.conversationId)
      : params
    const found = await listChatMessages(
      services.database,
      conversationFor(caller, name),
      pageIn(name),
    )
    if (!found) throw notParticipating()
    const { items, meta } = pageOf(pageIn(found.conversationId), found.rows, messagePositionOf)
    return { messages: items.map(toChatMessage), meta }
  },
}

type NewMessageBody = Input<typeof chat.messages.createMessage>['body']

/** `createMessage` with an Idempotency-Key. */
export const keyedCreateMessage: MessageOperation<ChatUserCaller, NewMessageBody> = {
  isOneStatement: () => true,

  rebuild(_, body, { id, createdAt, conversationId, userId }) {
    const row = {
      ...storedPayload(body.payload, body.metadata),
      id,
      created_at: createdAt,
      conversation_id: conversationId,
      user_id: userId,
      conversation: { fid: null },
      user: { fid: null },
    }
    return { message: toChatMessage(row) }
  },
}

interface GivenMessage {
  conversation: string
  type: string
  payload: Record<string, unknown>
  requestId: string
}

/**
 * Posts a message in one round trip: the user's participation comes from the cache, and the
 * statement checks it. If the statement rejects it, the cached entry may be stale, so the look-up
 * is repeated once.
 */
async function post(
  services: Services,
  caller: ChatUserCaller,
  input: GivenMessage,
): Promise<WrittenMessage> {
  const { conversation, ...message } = input
  const key = JSON.stringify([caller.botId, caller.alias, conversation, caller.claim])
  const { participations } = services
  const remembered = participations.peek(key) !== undefined
  const found = await participations.get(key)
  if (!found) {
    participations.invalidate((known) => known === key)
    throw notParticipating()
  }
  const { conversationId, userId } = found
  try {
    return await services.messages.post({
      botId: caller.botId,
      conversationId,
      userId,
      direction: 'incoming',
      ...message,
      mustParticipate: true,
    })
  } catch (error) {
    if (
      !(error instanceof ApiError) ||
      !['ResourceNotFound', 'ReferenceNotFound', 'Forbidden'].includes(error.type)
    )
      throw error
    participations.invalidate((known) => known === key)
    if (remembered) return post(services, caller, input)
    if (error.type === 'ReferenceNotFound') throw noKeyUser()
    throw notParticipating()
  }
}
