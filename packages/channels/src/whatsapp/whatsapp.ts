// WhatsApp by Meta's Cloud API. Messages arrive by its webhook.
import {
  type Channel,
  ChannelError,
  type Context,
  type OutgoingMessage,
} from '../channel.ts'
import { isAtProvider } from '../guide.ts'
import { readWebhook } from '../meta/webhook.ts'
import { call, toPath, unknownId } from './api.ts'
import { toParts } from './sending.ts'
import { findDefaultPhoneId, listTemplates, sendTemplate } from './templates.ts'
import type { Part } from './types.ts'
import { listReadable, toArrivals } from './updates.ts'

export const whatsappChannel: Channel = {
  toAccount: (configuration) => findDefaultPhoneId({ configuration }),

  needsPublicAddress: isAtProvider,

  async check(context) {
    const { businessAccountId } = context.configuration
    const account = String(businessAccountId ?? '').trim()
    const fields = 'display_phone_number,verified_name'
    const [{ display_phone_number: number, verified_name: name }] = await Promise.all([
      ask(context, findDefaultPhoneId(context), 'phone number ID', fields),
      account && ask(context, account, 'business account ID', 'id'),
    ])
    const digits = String(number ?? '').replace(/\D/g, '')
    const shown = name ? `${number} (${name})` : String(number)
    return digits ? { name: shown, link: `https://wa.me/${digits}` } : {}
  },

  async register(context) {
    const { businessAccountId } = context.configuration
    if (businessAccountId)
      await call(context, toPath(String(businessAccountId).trim(), 'subscribed_apps'), {
        method: 'POST',
      })
  },

  async receive(context, request) {
    const read = readWebhook(context.configuration, '"App settings", "Basic"', request)
    if ('answer' in read) return read.answer
    const arrivals = await toArrivals(context, read.entries)
    if (context.configuration.markAsRead !== false)
      for (const { phoneId, messageId } of listReadable(read.entries))
        markAsRead(context, phoneId, messageId).catch(() => {})
    return { arrivals }
  },

  async *send(context, message) {
    const phoneId = findPhoneId(context, message.conversation)
    const parts = await toParts(context, phoneId, message)
    const to = toRecipient(message.conversation)
    for (const [i, part] of parts.slice(message.sentParts).entries()) {
      const isFirst = message.sentParts + i === 0
      const body = { ...to, ...(isFirst && toContext(message.payload)), ...part }
      yield { tags: { id: await post(context, phoneId, body) } }
    }
  },

  actions: {
    /** WhatsApp shows it below a message of the person, which it shows as read. */
    async startTypingIndicator(context, { conversationId, messageId }) {
      const [conversation, message] = await Promise.all([
        context.host.findConversation(String(conversationId)),
        context.host.findMessage(String(messageId)),
      ])
      const id = message?.tags[`${context.installation.alias}:id`]?.replace(/\.\d+$/, '')
      if (conversation && id)
        await markAsRead(context, findPhoneId(context, conversation), id, {
          typing_indicator: { type: 'text' },
        })
      return {}
    },
    // WhatsApp ends it by itself: after 25 seconds, or with the next message.
    stopTypingIndicator: async () => ({}),
    startConversation: sendTemplate,
    sendTemplateMessage: sendTemplate,
    listTemplates,
  },
}

/** Asks for something by its id. Throws ChannelError, which names a setting without such a thing. */
async function ask(
  context: Context,
  id: string,
  title: string,
  fields: string,
): Promise<Record<string, unknown>> {
  try {
    return await call(context, `/${encodeURIComponent(id)}`, { query: { fields } })
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    const named = `Meta does not find the ${title} "${id.slice(0, 50)}"`
    throw new ChannelError(
      error.kind,
      error.message.replace(unknownId, () => named),
    )
  }
}

type Conversation = Pick<OutgoingMessage['conversation'], 'tags'>

const findPhoneId = (context: Context, { tags }: Conversation) =>
  tags.botPhoneNumberId ?? findDefaultPhoneId(context)

/** Throws ChannelError ("rejected"). */
function toRecipient({ tags: { userPhone, userId } }: Conversation) {
  const common = { messaging_product: 'whatsapp', recipient_type: 'individual' }
  if (userPhone) return { ...common, to: userPhone.replace(/\D/g, '') }
  if (userId) return { ...common, recipient: userId }
  throw new ChannelError(
    'rejected',
    'The conversation has no tag `userPhone` or `userId`',
  )
}

/** A reply to a message names it as messages of people do: `replyTo: { id }`. */
function toContext({ replyTo }: OutgoingMessage['payload']) {
  const id = (replyTo as { id?: unknown } | undefined)?.id
  return typeof id === 'string' && id !== '' ? { context: { message_id: id } } : {}
}

async function post(context: Context, phoneId: string, body: Part): Promise<string> {
  const { messages } = await call(context, toPath(phoneId, 'messages'), { body })
  return String((messages as { id?: string }[] | undefined)?.[0]?.id ?? '')
}

const markAsRead = (
  context: Context,
  phoneId: string,
  messageId: string,
  more: Part = {},
) =>
  call(context, toPath(phoneId, 'messages'), {
    body: {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: messageId,
      ...more,
    },
    timeoutMs: 10_000,
  })
