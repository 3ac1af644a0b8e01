// LINE by its Messaging API. Messages arrive by its webhook.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import {
  type Channel,
  ChannelError,
  type Context,
  type OutgoingMessage,
  type ProviderRequest,
  type SentPart,
} from '../channel.ts'
import { isAtProvider } from '../guide.ts'
import { readJson } from '../provider-calls.ts'
import { call } from './api.ts'
import { toArrivals } from './events.ts'
import { type LinePart, toParts } from './sending.ts'
import type { LineEvent } from './types.ts'

/** LINE takes as many messages at once. */
const maxAtOnce = 5
const typingSeconds = 20

export const lineChannel: Channel = {
  toAccount: ({ channelAccessToken }) => String(channelAccessToken).trim(),

  needsPublicAddress: isAtProvider,

  async check(context) {
    const { basicId, displayName } = await call(context, '/v2/bot/info')
    return {
      ...(typeof displayName === 'string' && {
        name: basicId ? `${displayName} (${basicId})` : displayName,
      }),
      ...(typeof basicId === 'string' && { link: `https://line.me/R/ti/p/${basicId}` }),
    }
  },

  async register(context, { webhookUrl }) {
    await call(context, endpointPath, { method: 'PUT', body: { endpoint: webhookUrl } })
    await checkEndpoint(context, webhookUrl)
  },

  verify: (context, { webhookUrl }) => checkEndpoint(context, webhookUrl),

  async receive(context, request) {
    checkSignature(String(context.configuration.channelSecret).trim(), request)
    const { destination, events } = readJson(request.body)
    const all = (Array.isArray(events) ? events : []) as LineEvent[]
    return { arrivals: await toArrivals(context, String(destination ?? ''), all) }
  },

  async *send(context, message) {
    const parts = await toParts(message)
    // LINE takes all messages of a call, or none: an attempt that noted some of them has sent the others too.
    const begun = Math.min(toWholeCalls(message.sentParts), parts.length)
    for (let i = message.sentParts; i < begun; i++) yield {}
    for (let i = begun; i < parts.length; i += maxAtOnce) {
      const ids = yield* deliver(context, message, parts.slice(i, i + maxAtOnce), i)
      for (const msgId of ids) yield { tags: msgId ? { msgId } : {} }
    }
  },

  async toConversation(context, address) {
    if (!/^[UCR][0-9a-f]{32}$/.test(address))
      throw new ChannelError('rejected', 'A user ID of LINE is U and 32 characters')
    const { userId } = await call(context, '/v2/bot/info')
    return { channel: 'channel', tags: { usrId: address, destId: String(userId) } }
  },

  actions: {
    /** LINE shows it only in chats with one person. */
    async startTypingIndicator(context, { conversationId }) {
      const conversation = await context.host.findConversation(String(conversationId))
      const { usrId: chatId, chatType = 'user' } = conversation?.tags ?? {}
      const body = { chatId, loadingSeconds: typingSeconds }
      if (chatId && chatType === 'user')
        await call(context, '/v2/bot/chat/loading/start', { body })
      return {}
    },
    // LINE ends it by itself: after the seconds, or with the next message.
    stopTypingIndicator: async () => ({}),
  },
}

const endpointPath = '/v2/bot/channel/webhook/endpoint'

/** Throws ChannelError if LINE sends nothing, or to another address. */
async function checkEndpoint(context: Context, webhookUrl: string): Promise<void> {
  const { active, endpoint } = await call(context, endpointPath)
  if (active === false)
    throw new ChannelError(
      'credentials',
      'LINE sends nothing yet: switch on "Use webhook" in the LINE Developers Console, Messaging API.',
    )
  if (typeof endpoint === 'string' && endpoint !== webhookUrl)
    throw new ChannelError(
      'credentials',
      'LINE calls another address, because another program uses this channel. Stop it, and register ' +
        'the channel again.',
    )
}

const toWholeCalls = (count: number) => Math.ceil(count / maxAtOnce) * maxAtOnce

/** Throws ChannelError ("forged"). The signature is over the bytes of the body, before anything is read. */
function checkSignature(secret: string, { headers, body }: ProviderRequest): void {
  const given = Buffer.from(headers['x-line-signature'] ?? '')
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('base64'))
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new ChannelError(
      'forged',
      'A message was not taken, because its signature is wrong. If it came from LINE, the channel ' +
        'secret in the settings is wrong: copy it again from "Basic settings". Otherwise, a stranger ' +
        'sent it.',
    )
}

type Ids = (string | undefined)[]

/** Replies cost nothing, and need a token of the last minute; other messages count for the plan of the account. */
async function* deliver(
  context: Context,
  message: OutgoingMessage,
  messages: LinePart[],
  from: number,
): AsyncGenerator<SentPart, Ids> {
  const { usrId, replyToken, replyUntil } = message.conversation.tags
  if (!usrId) throw new ChannelError('rejected', 'The conversation has no tag `usrId`')
  const mayReply = replyToken && from === 0 && Date.now() < Number(replyUntil)
  const replied = mayReply ? yield* reply(context, message, replyToken, messages) : null
  if (replied) return replied
  const answer = await call(context, '/v2/bot/message/push', {
    body: { to: usrId, messages },
    headers: { 'x-line-retry-key': toRetryKey(`${message.id}/${from}`) },
  })
  return readIds(messages, answer)
}

function readIds(messages: LinePart[], { sentMessages }: Record<string, unknown>): Ids {
  const sent = (sentMessages ?? []) as { id?: string }[]
  return messages.map((_, i) => sent[i]?.id)
}

/**
 * Returns null if the token is over, or another message has used it. LINE recognises no repeated reply, but a
 * token works once: if an earlier attempt has noted it and it is used, that attempt has sent the messages.
 */
async function* reply(
  context: Context,
  { id, conversation }: OutgoingMessage,
  replyToken: string,
  messages: LinePart[],
): AsyncGenerator<SentPart, Ids | null> {
  const user = await context.host.findSent(conversation.id, { replyToken })
  if (user !== null && user !== id) return null
  if (user === null) yield { tags: { replyToken }, isPlanned: true }
  const body = { replyToken, messages }
  const answer = await call(context, '/v2/bot/message/reply', { body }).catch((error) => {
    if (error instanceof ChannelError && /invalid reply token/i.test(error.message))
      return null
    throw error
  })
  if (answer) return readIds(messages, answer)
  if (user === id) return readIds(messages, {})
  yield { tags: { replyToken: '' }, isPlanned: true }
  return null
}

/** The same for a repeated attempt, which LINE then does not send again. */
function toRetryKey(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  const variant = `8${hex.slice(17, 20)}`
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant,
    hex.slice(20, 32),
  ].join('-')
}
