import { ApiError, type chat, type Handlers, type Input } from '@botstead/contract'
import type { Redactor } from '../../../compute/index.ts'
import {
  type Caller,
  type Contexts,
  type MessageOperation,
  type PagedQuery,
  parsePage,
  type Services,
  toListPage,
} from '../../../http/index.ts'
import type { KeyedMessage } from '../../../idempotency/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { noKeyUser, type Participation } from '../../chat/chat-lookups.ts'
import { type ChatMessageRow, storedPayload } from '../../chat/chat-message.ts'
import {
  findChatMessage,
  listChatMessages,
  type ReadMessage,
} from '../../chat/chat-messages.ts'
import { toMessagePosition } from '../../messages/message-pages.ts'
import type { WrittenMessage } from '../../messages/message-types.ts'
import { deleteMessage } from '../../messages/messages.ts'
import type { MessagingServices } from '../../services.ts'
import {
  asUser,
  conversationFor,
  notParticipating,
  requireParticipation,
} from './access.ts'
import { toChatMessage } from './serializers.ts'

type Own = MessagingServices & RealtimeServices

export const messages: Handlers<typeof chat.messages, Contexts<Own>> = {
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
    return {
      message: toChatMessage(await findReadableMessage(services, caller, params.id)),
    }
  },

  async deleteMessage({ services, caller }, { params }) {
    const { db, signals } = services
    const message = await findOwnMessage(services, caller, params.id)
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
    const { items, meta } = await pageOfMessages(
      services,
      caller,
      'chat.listMessages',
      params.conversationId,
      query,
    )
    return { messages: items.map(toChatMessage), meta }
  },
}

/** Throws ResourceNotFound, or Forbidden if the caller is not a participant. */
export async function findReadableMessage(
  services: Services & Own,
  caller: Caller<'chatUser'>,
  id: string,
): Promise<ReadMessage & { by: Participation }> {
  const message = await asUser(
    services,
    caller,
    findChatMessage(services.db, caller.botId, caller.alias, id),
  )
  return {
    ...message,
    by: await requireParticipation(services, caller, message.conversation_id),
  }
}

/** Throws ResourceNotFound, or Forbidden if the caller is not the author. */
export async function findOwnMessage(
  services: Services & Own,
  caller: Caller<'chatUser'>,
  id: string,
): Promise<ReadMessage> {
  const message = await asUser(
    services,
    caller,
    findChatMessage(services.db, caller.botId, caller.alias, id),
  )
  const isAuthor = message.user.fid === caller.claim || message.user_id === caller.claim
  if (!isAuthor || message.direction !== 'incoming')
    throw new ApiError('Forbidden', 'Only the author can change or delete a message')
  return message
}

/** Throws Forbidden if the caller is not a participant. */
export async function pageOfMessages(
  services: Services & Own,
  caller: Caller<'chatUser'>,
  operation: string,
  conversation: string,
  query: PagedQuery,
) {
  const pageIn = (conversationId: string) =>
    parsePage(services, [operation, caller.botId, conversationId], query)
  // A token is bound to the server's id of the conversation, which the client may not have sent.
  const name = query.nextToken
    ? (await requireParticipation(services, caller, conversation)).conversationId
    : conversation
  const found = await listChatMessages(
    services.database,
    conversationFor(caller, name),
    pageIn(name),
  )
  if (!found) throw notParticipating()
  return toListPage(pageIn(found.conversationId), found.rows, toMessagePosition)
}

type NewMessageBody = Input<typeof chat.messages.createMessage>['body']

/** `createMessage` with an Idempotency-Key. */
export const keyedCreateMessage: MessageOperation<Caller<'chatUser'>, NewMessageBody> = {
  isOneStatement: () => true,
  rebuild: async (_, body, message, storage) => ({
    message: toChatMessage(
      await rebuiltRow(message, storedPayload(body.payload, body.metadata), storage),
    ),
  }),
}

/** The row of a message that was written before; its ids are those that the client sees. */
export const rebuiltRow = async (
  { id, createdAt, conversationId, userId }: KeyedMessage,
  { type, payload }: Pick<ChatMessageRow, 'type' | 'payload'>,
  storage: Redactor | null,
): Promise<ChatMessageRow> => ({
  type,
  payload: storage ? await storage.value(payload) : payload,
  id,
  created_at: createdAt,
  conversation_id: conversationId,
  user_id: userId,
  conversation: { fid: null },
  user: { fid: null },
})

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
export async function post(
  services: Services & Own,
  caller: Caller<'chatUser'>,
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
