import { ApiError, type Handlers, type Input, type webchat } from '@botstead/contract'
import type { BotServices } from '../../../bots/index.ts'
import type { Caller, Contexts, MessageOperation } from '../../../http/index.ts'
import type { QueueServices } from '../../../queue/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import type { ReadMessage } from '../../chat/chat-messages.ts'
import { selectMessage } from '../../chat/ratings.ts'
import type { MessagingServices } from '../../services.ts'
import {
  changeMessage,
  publishUpdate,
  rateMessage,
  unrateMessage,
} from '../chat/changes.ts'
import {
  messages as chatMessages,
  findOwnMessage,
  findReadableMessage,
  pageOfMessages,
  post,
  rebuiltRow,
} from '../chat/messages.ts'
import { storedWebchatPayload } from './payloads.ts'
import { toWebchatMessage } from './serializers.ts'

export const messages: Handlers<
  typeof webchat.messages,
  Contexts<BotServices & MessagingServices & QueueServices & RealtimeServices>
> = {
  async createMessage({ services, caller, request }, { body }) {
    const message = await post(services, caller, {
      ...storedWebchatPayload(body),
      conversation: body.conversationId,
      requestId: request.id,
    })
    await services.signals.settled(caller.botId, message.conversation_id)
    return { message: toWebchatMessage(message, caller.alias) }
  },

  async getMessage({ services, caller }, { params }) {
    const message = await findReadableMessage(services, caller, params.id)
    return { message: toWebchatMessage(message, caller.alias) }
  },

  async updateMessage({ services, caller }, { params, body }) {
    const message = await findOwnMessage(services, caller, params.id)
    const after = await changeMessage(services, caller, message, {
      payload: changed(message, body),
    })
    return { message: toWebchatMessage(after, caller.alias) }
  },

  deleteMessage: chatMessages.deleteMessage,

  async listConversationMessages({ services, caller }, { params, query }) {
    const operation = 'webchat.listConversationMessages'
    const { items, meta } = await pageOfMessages(
      services,
      caller,
      operation,
      params.id,
      query,
    )
    return { messages: items.map((row) => toWebchatMessage(row, caller.alias)), meta }
  },

  async addMessageFeedback({ services, caller }, { params, body }) {
    const message = await findReadableMessage(services, caller, params.id)
    const { value: rating, comment } = body
    await rateMessage(services, caller, message, { rating, comment })
    return {}
  },

  async removeMessageFeedback({ services, caller }, { params }) {
    const message = await findReadableMessage(services, caller, params.id)
    await unrateMessage(services, caller, message)
    return {}
  },

  async selectMessage({ services, caller }, { params }) {
    const { botId, alias, claim } = caller
    const message = await findReadableMessage(services, caller, params.id)
    if (!(await selectMessage(services.db, botId, message.id, alias, claim)))
      throw new ApiError(
        'AlreadyExists',
        `Another user selected the message "${message.id}"`,
      )
    publishUpdate(services, caller, {
      ...message,
      tags: { ...message.tags, [`${alias}:selectedBy`]: claim },
    })
    return {}
  },
}

/** The type of a message cannot change: integrations and bots choose their handler by it. */
function changed(
  { type, payload: stored }: ReadMessage,
  { payload, metadata }: Input<typeof webchat.messages.updateMessage>['body'],
): Record<string, unknown> {
  if (payload && payload.type !== type)
    throw new ApiError('InvalidPayload', `\`payload/type\` must stay "${type}"`)
  const { metadata: metadataBefore, replyTo, ...before } = stored
  return {
    ...(payload ? storedWebchatPayload({ payload }).payload : before),
    metadata: metadata ?? metadataBefore,
    replyTo,
  }
}

type NewMessageBody = Input<typeof webchat.messages.createMessage>['body']

/** `createMessage` with an Idempotency-Key. */
export const keyedCreateMessage: MessageOperation<Caller<'chatUser'>, NewMessageBody> = {
  isOneStatement: () => true,
  rebuild: async ({ alias }, body, message, storage) => ({
    message: toWebchatMessage(
      await rebuiltRow(message, storedWebchatPayload(body), storage),
      alias,
    ),
  }),
}
