// Telegram: messages arrive by long polling, so that no public address is needed, or by its webhook.
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  type Arrival,
  type Channel,
  ChannelError,
  type Context,
  type OutgoingMessage,
} from '../channel.ts'
import { isAtProvider } from '../guide.ts'
import { readJson } from '../provider-calls.ts'
import { call, explain } from './api.ts'
import { toParts } from './sending.ts'
import type { TelegramMessage, TelegramUpdate } from './types.ts'
import { splitAtFiles, toArrivals, updateKinds } from './updates.ts'

/** How long Telegram waits for an update, in seconds. */
const pollSeconds = 50
const secretHeader = 'x-telegram-bot-api-secret-token'

const usesConnection = ({ receiveBy }: Context['configuration']) =>
  receiveBy !== 'webhook'

/** Telegram sends it along with requests, which other callers then cannot make. */
const toSecret = ({
  configuration,
  installation,
}: Pick<Context, 'configuration' | 'installation'>) =>
  createHmac('sha256', String(configuration.botToken))
    .update(`${installation.botId}/${installation.alias}`)
    .digest('hex')

export const telegramChannel: Channel = {
  usesConnection,

  // The first part of a token is the id of the bot.
  toAccount: ({ botToken }) => String(botToken).split(':')[0] ?? '',

  needsPublicAddress: (configuration) =>
    !usesConnection(configuration) && isAtProvider(configuration),

  async check(context) {
    const { username } = await call<{ username?: string }>(context, 'getMe')
    return username ? { name: `@${username}`, link: `https://t.me/${username}` } : {}
  },

  async register(context, { webhookUrl }) {
    if (usesConnection(context.configuration))
      return void (await call(context, 'deleteWebhook'))
    await call(context, 'setWebhook', {
      url: webhookUrl,
      secret_token: toSecret(context),
      allowed_updates: updateKinds,
    })
  },

  async unregister(context) {
    if (!usesConnection(context.configuration)) await call(context, 'deleteWebhook')
  },

  async verify(context, { webhookUrl }) {
    if (usesConnection(context.configuration)) return
    const info = await call<WebhookInfo>(context, 'getWebhookInfo')
    if (info.url !== webhookUrl)
      throw new ChannelError(
        'credentials',
        'Another program receives the messages of this bot: Telegram calls another address. Stop that ' +
          'program, and register the channel again.',
      )
    const lastError = (info.last_error_date ?? 0) * 1_000
    if (info.last_error_message && Date.now() - lastError < recentMs)
      throw new ChannelError('unavailable', explain(info.last_error_message))
  },

  async receive(context, { headers, body }) {
    const given = Buffer.from(headers[secretHeader] ?? '')
    const expected = Buffer.from(toSecret(context))
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      throw new ChannelError(
        'forged',
        'The request is not from Telegram: its secret token is wrong',
      )
    const update = readJson(body) as unknown as TelegramUpdate
    return { arrivals: await toArrivals(context, update) }
  },

  async *connect(context, cursor) {
    let offset = cursor === null ? undefined : Number(cursor) + 1
    while (!context.signal.aborted) {
      const updates = await call<TelegramUpdate[]>(
        context,
        'getUpdates',
        { offset, timeout: pollSeconds, allowed_updates: updateKinds, limit: 100 },
        { timeoutMs: (pollSeconds + 15) * 1_000 },
      )
      if (updates.length === 0) yield { arrivals: [], cursor: null }
      for (const together of splitAtFiles(updates)) {
        const arrivals: Arrival[] = []
        for (const update of together)
          arrivals.push(...(await toArrivals(context, update)))
        const last = together.at(-1)!.update_id
        offset = last + 1
        yield { arrivals, cursor: String(last) }
      }
    }
  },

  async *send(context, message) {
    const parts = await toParts(context, message)
    for (const { method, parameters, files } of parts.slice(message.sentParts)) {
      const sent = await call<TelegramMessage>(
        context,
        method,
        { ...toPlace(message), ...parameters },
        files ? { files } : {},
      )
      yield { tags: { id: String(sent.message_id), chatId: String(sent.chat.id) } }
    }
  },

  async toConversation(_, address) {
    if (/^-?\d{1,20}$/.test(address)) return { channel: 'channel', tags: { id: address } }
    throw new ChannelError('rejected', 'The id of a chat in Telegram is a number')
  },

  actions: {
    async startTypingIndicator(context, { conversationId }) {
      const conversation = await context.host.findConversation(String(conversationId))
      if (conversation)
        await call(context, 'sendChatAction', {
          ...toPlace({ conversation }),
          action: 'typing',
        })
      return {}
    },
    // Telegram ends it by itself: after five seconds, or with the next message.
    stopTypingIndicator: async () => ({}),
  },
}

/** https://core.telegram.org/bots/api#webhookinfo */
interface WebhookInfo {
  url: string
  /** In seconds since 1970. */
  last_error_date?: number
  last_error_message?: string
}

/** Telegram repeats calls that fail; an older failure is over. */
const recentMs = 300_000

function toPlace({
  conversation,
}: {
  conversation: { tags: OutgoingMessage['conversation']['tags'] }
}) {
  const { chatId, id, topicId } = conversation.tags
  return {
    chat_id: Number(chatId ?? id),
    ...(topicId && { message_thread_id: Number(topicId) }),
  }
}
