import { ApiError, type Handlers, type Input, type runtime } from '@botstead/contract'
import type { BotCaller, Context, Contexts, MessageOperation, Services } from '../../http/index.ts'
import { redactMessage, redactStored } from '../../lib/index.ts'
import {
  cancelScheduledMessage,
  changeOfTags,
  checkIncoming,
  checkMessageTags,
  type DueTime,
  deleteMessage,
  discriminating,
  dueTime,
  findMessage,
  getOrCreateMessage,
  getOrScheduleMessage,
  type ImportedMessage,
  importMessages,
  initializeIncoming,
  listMessages,
  type MessageRow,
  messageListPosition,
  type NewMessage,
  ownTags,
  scheduleMessage,
  type TagInput,
  toConversation,
  toMessage,
  toUser,
  updateMessage,
  updateMessageAsBot,
} from '../../messaging/index.ts'
import { publishBotsUpdate } from '../chat/changes.ts'
import { momentOf } from '../moments.ts'
import { pageOf } from '../paging.ts'
import { toNewConversation } from './conversations.ts'
import { runtimePage } from './paging.ts'
import { toNewUser } from './users.ts'
import { viewerOf } from './viewer.ts'

interface GivenMessage {
  conversationId: string
  userId: string
  type: string
  payload?: Record<string, unknown>
  tags: TagInput
  origin?: 'synthetic'
}

export const messages: Handlers<typeof runtime.messages, Contexts> = {
  async createMessage(context, { body }) {
    const due = body.schedule && dueTime(body.schedule)
    const message = await prepare(context, body)
    const row = due
      ? await sayLater(context, message, due)
      : await context.services.messages.post(message)
    return { message: toMessage(row, viewerOf(context.caller)) }
  },

  async getOrCreateMessage(context, { body }) {
    const { services, caller } = context
    const due = body.schedule && dueTime(body.schedule)
    const viewer = viewerOf(caller)
    const sent = await prepare(context, { ...body, tags: ownTags(body.tags, viewer) })
    const message = await redactMessage(services.redactorsOf, sent)
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
    const viewer = viewerOf(caller)
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
    const viewer = viewerOf(caller)
    const { storage } = await services.redactorsOf(caller.botId)
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
    if (messages.length < imported.length) throw partialFailure(body.messages, imported, messages)
    return { messages }
  },

  async getMessage({ services, caller }, { params }) {
    return {
      message: toMessage(
        await findMessage(services.db, caller.botId, params.id, viewerOf(caller)),
        viewerOf(caller),
      ),
    }
  },

  async listMessages(context, { query }) {
    const { services, caller } = context
    const { conversationId, tags, afterDate, beforeDate } = query
    const page = runtimePage(context, 'listMessages', query)
    const dates = { after: momentOf(afterDate), before: momentOf(beforeDate) }
    const listing = {
      ...dates,
      conversationId,
      tags,
      position: page.position,
      limit: page.limit + 1,
    }
    const rows = await listMessages(services.database, caller.botId, viewerOf(caller), listing)
    const { items, meta } = pageOf(page, rows, (row) =>
      messageListPosition(row, conversationId !== undefined),
    )
    return { messages: items.map((row) => toMessage(row, viewerOf(caller))), meta }
  },

  async updateMessage({ services, caller }, { params, body }) {
    const viewer = viewerOf(caller)
    const row = await (viewer === null
      ? updateMessageAsBot(services, caller.botId, params.id, body)
      : updateMessage(services.db, caller.botId, params.id, viewer, {
          ...body,
          ...(body.payload && { payload: await redacted(services, caller, body.payload) }),
        }))
    if (body.payload) await publishBotsUpdate(services, caller, params.id)
    return { message: toMessage(row, viewer) }
  },

  async deleteMessage({ services, caller }, { params }) {
    if (await cancelScheduledMessage(services.db, caller.botId, params.id, viewerOf(caller)))
      return {}
    const { number, conversation, type, data } = await deleteMessage(
      services.db,
      caller.botId,
      params.id,
      viewerOf(caller),
    )
    services.signals.publish(caller.botId, conversation, number, () => ({ type, data }))
    return {}
  },
}

const redacted = <Value>({ redactorsOf }: Services, { botId }: BotCaller, value: Value) =>
  redactStored(redactorsOf, botId, value)

type NewMessageBody = Input<typeof runtime.messages.createMessage>['body']

/** `createMessage` with an Idempotency-Key. */
export const keyedCreateMessage: MessageOperation<BotCaller, NewMessageBody> = {
  // A repeated run may find its message of an earlier run: core/messaging/messages/repeated-messages.ts.
  isOneStatement: ({ run }, { schedule }) => run === null && schedule === undefined,

  async rebuild(caller, body, { id, createdAt }, storage) {
    const viewer = viewerOf(caller)
    const direction = directionOf(caller, body)
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
  { services, caller, request }: Context<BotCaller>,
  given: GivenMessage,
): Promise<NewMessage> {
  const { conversationId, userId, type, payload = {}, origin } = given
  const viewer = viewerOf(caller)
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
    direction: directionOf(caller, given),
    cause: caller.cause,
    run: caller.run,
    fence: caller.fence,
    requestId: request.id,
  }
  return { ...base, ...(origin && { origin }) }
}

/** The answer to the caller's event was stopped: a message would continue it. */
function rejectStopped({ stops }: Services, { botId, cause, integration }: BotCaller): void {
  if (integration || !stops.isStopped(botId, cause)) return
  throw new ApiError('ResourceGone', 'The answer was stopped: send no more messages')
}

async function sayLater({ services }: Context<BotCaller>, sent: NewMessage, due: DueTime) {
  const message = await redactMessage(services.redactorsOf, sent)
  const { row, waitMs } = await scheduleMessage(services.database, services.db, message, due)
  services.dueIn(waitMs)
  return row
}

/** The caller determines the direction of a message; for imported messages, the author does. */
function directionOf(
  { botId, integration }: BotCaller,
  { origin, userId }: GivenMessage,
): 'incoming' | 'outgoing' {
  if (origin === 'synthetic') return userId === botId ? 'outgoing' : 'incoming'
  return integration ? 'incoming' : 'outgoing'
}
