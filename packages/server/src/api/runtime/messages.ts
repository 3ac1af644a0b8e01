import type { Handlers, runtime } from '@botstead/contract'
import { type DueTime, dueTime } from '../../events/schedule.ts'
import type { NewMessage } from '../../messaging/message-writer.ts'
import { checkMessageTags, deleteMessage, findMessage, getOrCreateMessage, listMessages, updateMessage } from '../../messaging/messages.ts'
import { checkIncoming } from '../../messaging/references.ts'
import { cancelScheduledMessage, getOrScheduleMessage, scheduleMessage } from '../../messaging/scheduled-messages.ts'
import { messageShown } from '../../messaging/shown.ts'
import { discriminating, type GivenTags } from '../../messaging/tags.ts'
import type { BotCaller, Context, Contexts } from '../../services.ts'
import { pageOf } from '../paging.ts'
import { momentOf, pageFor } from './paging.ts'
import { viewerOf } from './viewer.ts'

interface Given {
  conversationId: string
  userId: string
  type: string
  payload?: Record<string, unknown>
  tags: GivenTags
  origin?: 'synthetic'
}

export const messages: Handlers<typeof runtime.messages, Contexts> = {
  async createMessage(context, { body }) {
    const due = body.schedule && dueTime(body.schedule)
    const message = await prepare(context, body)
    const row = due ? await sayLater(context, message, due) : await context.services.messages.post(message)
    return { message: messageShown(row, viewerOf(context.caller)) }
  },

  async getOrCreateMessage(context, { body }) {
    const { services, caller } = context
    const due = body.schedule && dueTime(body.schedule)
    const viewer = viewerOf(caller)
    const message = await prepare(context, body)
    const match = discriminating(body.tags, body.discriminateByTags, viewer)
    const wanted = { ...{ match, tags: body.tags, payload: body.payload }, conversationId: body.conversationId }
    const { row, created } = due
      ? await getOrScheduleMessage(services.db, caller.botId, viewer, wanted, () => sayLater(context, message, due))
      : await getOrCreateMessage(services.db, caller.botId, viewer, wanted, () => services.messages.post(message))
    return { message: messageShown(row, viewer), meta: { created } }
  },

  async getMessage({ services, caller }, { params }) {
    return { message: messageShown(await findMessage(services.db, caller.botId, params.id, viewerOf(caller)), viewerOf(caller)) }
  },

  async listMessages(context, { query }) {
    const { services, caller } = context
    const { conversationId, tags, afterDate, beforeDate } = query
    const page = pageFor(context, 'listMessages', query)
    const dates = { after: momentOf(afterDate), before: momentOf(beforeDate) }
    const position = page.position?.[0] ?? null
    const rows = await listMessages(services.db, caller.botId, viewerOf(caller), { ...dates, conversationId, tags, position, limit: page.limit + 1 })
    const { items, meta } = pageOf(page, rows, (row) => [conversationId === undefined ? row.id : row.number])
    return { messages: items.map((row) => messageShown(row, viewerOf(caller))), meta }
  },

  async updateMessage({ services, caller }, { params, body }) {
    return { message: messageShown(await updateMessage(services.db, caller.botId, params.id, viewerOf(caller), body), viewerOf(caller)) }
  },

  async deleteMessage({ services, caller }, { params }) {
    if (await cancelScheduledMessage(services.db, caller.botId, params.id, viewerOf(caller))) return {}
    const { number, conversation, type, data } = await deleteMessage(services.db, caller.botId, params.id, viewerOf(caller))
    services.signals.publish(caller.botId, conversation, number, () => ({ type, data }))
    return {}
  },
}

/** What an integration names is checked here; what a bot names, by the writer itself. */
async function prepare({ services, caller, request }: Context<BotCaller>, given: Given): Promise<NewMessage> {
  const { conversationId, userId, type, payload = {}, origin } = given
  const viewer = viewerOf(caller)
  if (viewer !== null) await checkIncoming(services.db, caller.botId, viewer, conversationId, userId)
  const { set: tags } = await checkMessageTags(services.db, caller.botId, viewer, conversationId, given.tags)
  const base = {
    botId: caller.botId,
    conversationId,
    userId,
    type,
    payload,
    tags,
    direction: directionOf(caller, given),
    cause: caller.cause,
    requestId: request.id,
  }
  return { ...base, ...(origin && { origin }) }
}

async function sayLater({ services }: Context<BotCaller>, message: NewMessage, due: DueTime) {
  const { row, waitMs } = await scheduleMessage(services.database, services.db, message, due)
  services.dueIn(waitMs)
  return row
}

/** Who brings a message decides which way it goes; of what was said elsewhere already, who said it. */
function directionOf({ botId, integration }: BotCaller, { origin, userId }: Given): 'incoming' | 'outgoing' {
  if (origin === 'synthetic') return userId === botId ? 'outgoing' : 'incoming'
  return integration ? 'incoming' : 'outgoing'
}
