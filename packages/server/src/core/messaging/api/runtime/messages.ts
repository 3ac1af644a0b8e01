import { ApiError, type Handlers, type Input, type runtime } from '@botstead/contract'
import type { BotServices } from '../../../bots/index.ts'
import { redactMessage, redactStored } from '../../../compute/index.ts'
import {
  type Caller,
  type Context,
  type Contexts,
  getViewer,
  type MessageOperation,
  runtimePage,
  type Services,
  toDate,
  toListPage,
} from '../../../http/index.ts'
import type { QueueServices } from '../../../queue/index.ts'
import type { RealtimeServices } from '../../../realtime/index.ts'
import { updateMessageAsBot } from '../../chat/notified-changes.ts'
import { type DueTime, dueTime } from '../../events/schedule.ts'
import { initializeIncoming } from '../../messages/incoming.ts'
import { type ImportedMessage, importMessages } from '../../messages/message-imports.ts'
import { listMessages, messageListPosition } from '../../messages/message-listing.ts'
import type { MessageRow, NewMessage } from '../../messages/message-types.ts'
import {
  checkMessageTags,
  deleteMessage,
  findMessage,
  getOrCreateMessage,
  updateMessage,
} from '../../messages/messages.ts'
import { checkIncoming } from '../../messages/references.ts'
import {
  cancelScheduledMessage,
  getOrScheduleMessage,
  scheduleMessage,
} from '../../messages/scheduled-messages.ts'
import { toConversation, toMessage, toUser } from '../../serializers.ts'
import type { MessagingServices } from '../../services.ts'
import { changeOfTags, discriminating, ownTags, type TagInput } from '../../tags/tags.ts'
import { publishBotsUpdate } from '../chat/changes.ts'
import { toNewConversation } from './conversations.ts'
import { toNewUser } from './users.ts'

type Own = BotServices & MessagingServices & QueueServices & RealtimeServices

interface GivenMessage {
  conversationId: string
  userId: string
  type: string
  payload?: Record<string, unknown>
  tags: TagInput
  origin?: 'synthetic'
}

export const messages: Handlers<typeof runtime.messages, Contexts<Own>> = {
  async createMessage(context, { body }) {
    const due = body.schedule && dueTime(body.schedule)
    const message = await prepare(context, body)
    const row = due
      ? await sayLater(context, message, due)
      : await context.services.messages.post(message)
    return { message: toMessage(row, getViewer(context.caller)) }
  },

  async getOrCreateMessage(context, { body }) {
    const { services, caller } = context
    const due = body.schedule && dueTime(body.schedule)
    const viewer = getViewer(caller)
    const sent = await prepare(context, { ...body, tags: ownTags(body.tags, viewer) })
    const message = await redactMessage(services.getRedactors, sent)
    /**
     * Adds a check to creations: a bot may find a message by a tag of its integration, but not
     * create one with it.
     */
    const creating =
      <T>(create: () => Promise<T>) =>
      async () => {
        changeOfTags(body.tags, viewer)
        return create()
      }
    const match = discriminating(body.tags, body.discriminateByTags, viewer)
    const wanted = {
      match,
      tags: body.tags,
      payload: message.payload,
      conversationId: body.conversationId,
    }
    const { row, created } = due
      ? await getOrScheduleMessage(
          services.db,
          caller.botId,
          viewer,
          wanted,
          creating(() => sayLater(context, message, due)),
        )
      : await getOrCreateMessage(
          services.db,
          caller.botId,
          viewer,
          wanted,
          creating(() => services.messages.post(message)),
        )
    if (!created && body.payload) await publishBotsUpdate(services, caller, row.id)
    return { message: toMessage(row, viewer), meta: { created } }
  },

  async initializeIncomingMessage(context, { body }) {
    const { services, caller, request } = context
    const viewer = getViewer(caller)
    const [user, conversation] = await Promise.all([
      body.user && toNewUser(context, body.user),
      body.conversation && toNewConversation(context, body.conversation),
    ])
    const arrived = await initializeIncoming(
      services,
      caller.botId,
      viewer,
      { ...body, user, conversation },
      { cause: caller.cause, requestId: request.id },
    )
    return {
      user: toUser(arrived.user, viewer),
      conversation: toConversation(arrived.conversation, viewer),
      ...(arrived.message && { message: toMessage(arrived.message, viewer) }),
    }
  },

  async importMessages({ services, caller }, { body }) {
    const viewer = getViewer(caller)
    const { storage } = await services.getRedactors(caller.botId)
    const payloads = body.messages.map(({ userId, payload }) =>
      userId === caller.botId ? null : payload,
    )
    const redacted = storage ? await storage.value(payloads) : payloads
    const given = body.messages.map((message, i) => ({
      ...message,
      payload: redacted[i] ?? message.payload,
    }))
    const imported = await importMessages(services.db, caller.botId, viewer, given)
    const messages = imported
      .filter((one): one is MessageRow => !(one instanceof ApiError))
      .map((row) => toMessage(row, viewer))
    if (messages.length < imported.length)
      throw partialFailure(body.messages, imported, messages)
    return { messages }
  },

  async getMessage({ services, caller }, { params }) {
    return {
      message: toMessage(
        await findMessage(services.db, caller.botId, params.id, getViewer(caller)),
        getViewer(caller),
      ),
    }
  },

  async listMessages(context, { query }) {
    const { services, caller } = context
    const { conversationId, tags, afterDate, beforeDate } = query
    const page = runtimePage(context, 'listMessages', query)
    const dates = { after: toDate(afterDate), before: toDate(beforeDate) }
    const listing = {
      ...dates,
      conversationId,
      tags,
      position: page.position,
      limit: page.limit + 1,
    }
    const rows = await listMessages(
      services.database,
      caller.botId,
      getViewer(caller),
      listing,
    )
    const { items, meta } = toListPage(page, rows, (row) =>
      messageListPosition(row, conversationId !== undefined),
    )
    return { messages: items.map((row) => toMessage(row, getViewer(caller))), meta }
  },

  async updateMessage({ services, caller }, { params, body }) {
    const viewer = getViewer(caller)
    const row = await (viewer === null
      ? updateMessageAsBot(services, caller.botId, params.id, body)
      : updateMessage(services.db, caller.botId, params.id, viewer, {
          ...body,
          ...(body.payload && {
            payload: await redacted(services, caller, body.payload),
          }),
        }))
    if (body.payload) await publishBotsUpdate(services, caller, params.id)
    return { message: toMessage(row, viewer) }
  },

  async deleteMessage({ services, caller }, { params }) {
    if (
      await cancelScheduledMessage(
        services.db,
        caller.botId,
        params.id,
        getViewer(caller),
      )
    )
      return {}
    const { number, conversation, type, data } = await deleteMessage(
      services.db,
      caller.botId,
      params.id,
      getViewer(caller),
    )
    services.signals.publish(caller.botId, conversation, number, () => ({ type, data }))
    return {}
  },
}

const redacted = <Value>(
  { getRedactors }: Services & Own,
  { botId }: Caller<'bot'>,
  value: Value,
) => redactStored(getRedactors, botId, value)

type NewMessageBody = Input<typeof runtime.messages.createMessage>['body']

/** `createMessage` with an Idempotency-Key. */
export const keyedCreateMessage: MessageOperation<Caller<'bot'>, NewMessageBody> = {
  // A repeated run may find its message of an earlier run: core/messaging/messages/repeated-messages.ts.
  isOneStatement: ({ run }, { schedule }) => run === null && schedule === undefined,

  async rebuild(caller, body, { id, createdAt }, storage) {
    const viewer = getViewer(caller)
    const direction = toDirection(caller, body)
    const redactor = direction === 'incoming' ? storage : null
    const row = {
      id,
      conversation_id: body.conversationId,
      user_id: body.userId,
      type: body.type,
      payload: redactor ? await redactor.value(body.payload) : body.payload,
      tags: changeOfTags(body.tags, viewer).set,
      direction,
      origin: body.origin ?? null,
      created_at: createdAt,
      updated_at: createdAt,
    }
    return { message: toMessage(row, viewer) }
  },
}

/** Returns the error for messages that failed, each with its reason; the others are stored. */
function partialFailure(
  given: object[],
  imported: ImportedMessage[],
  resolvedMessages: object[],
): ApiError {
  const failedMessages = imported.flatMap((one, index) =>
    one instanceof ApiError
      ? [
          {
            ...given[index],
            index,
            error: { code: one.code, type: one.type, message: one.message },
          },
        ]
      : [],
  )
  const counts = `${failedMessages.length} of ${given.length}`
  const text = `${counts} messages could not be imported: ${failedMessages[0]?.error.message}`
  return new ApiError('InvalidPayload', text, {
    metadata: { resolvedMessages, failedMessages },
    partly: true,
  })
}

/** Checks the input of integrations; the message writer checks that of bots. */
async function prepare(
  { services, caller, request }: Context<Caller<'bot'>, Own>,
  given: GivenMessage,
): Promise<NewMessage> {
  const { conversationId, userId, type, payload = {}, origin } = given
  const viewer = getViewer(caller)
  rejectStopped(services, caller)
  if (viewer !== null)
    await checkIncoming(services.db, caller.botId, viewer, conversationId, userId)
  const { set: tags } = await checkMessageTags(
    services.db,
    caller.botId,
    viewer,
    { conversationId },
    given.tags,
  )
  const base = {
    botId: caller.botId,
    conversationId,
    userId,
    type,
    payload,
    tags,
    direction: toDirection(caller, given),
    cause: caller.cause,
    run: caller.run,
    fence: caller.fence,
    requestId: request.id,
  }
  return { ...base, ...(origin && { origin }) }
}

/** The answer to the caller's event was stopped: a message would continue it. */
function rejectStopped(
  { stops }: Services & Own,
  { botId, cause, integration }: Caller<'bot'>,
): void {
  if (integration || !stops.isStopped(botId, cause)) return
  throw new ApiError('ResourceGone', 'The answer was stopped: send no more messages')
}

async function sayLater(
  { services }: Context<Caller<'bot'>, Own>,
  sent: NewMessage,
  due: DueTime,
) {
  const message = await redactMessage(services.getRedactors, sent)
  const { row, waitMs } = await scheduleMessage(
    services.database,
    services.db,
    message,
    due,
  )
  services.dueIn(waitMs)
  return row
}

/** The caller determines the direction of a message; for imported messages, the author does. */
function toDirection(
  { botId, integration }: Caller<'bot'>,
  { origin, userId }: GivenMessage,
): 'incoming' | 'outgoing' {
  if (origin === 'synthetic') return userId === botId ? 'outgoing' : 'incoming'
  return integration ? 'incoming' : 'outgoing'
}
