// SMS by any gateway with an HTTP API, as the configuration describes it.
import {
  type Channel,
  ChannelError,
  type Context,
  type ProviderResponse,
} from '../channel.ts'
import { readRetryAfter, toJson } from '../provider-calls.ts'
import { fillBody, readField } from './fields.ts'
import { toSmsParts } from './parts.ts'
import { readRequest } from './requests.ts'

const usualBody = '{"to":"{{to}}","from":"{{from}}","text":"{{text}}"}'

/** Returns a number without the characters that people put between digits, or a name. */
const toNumber = (sender: unknown) => String(sender ?? '').replaceAll(/[\s().-]/g, '')

export const smsChannel: Channel = {
  isProvedByMessages: true,

  toAccount: ({ sender }) => toNumber(sender) || null,

  // A gateway may post what people write to several addresses.
  mayShareAccount: true,

  async check({ configuration }) {
    const body = String(configuration.body ?? usualBody)
    if (!/\{\{\s*to\s*\}\}/.test(body) || !/\{\{\s*text\s*\}\}/.test(body))
      throw new ChannelError(
        'rejected',
        'The body of the request needs {{to}} and {{text}}.',
      )
    const filled = fillBody(body, { to: '1', from: '1', text: '"', id: '1' })
    if (filled.contentType === 'application/json' && !isJson(filled.body))
      throw new ChannelError(
        'rejected',
        'The body of the request is no JSON: write placeholders in quotation marks, as in "to": "{{to}}".',
      )
    const url = String(configuration.sendUrl)
    if (!URL.canParse(url))
      throw new ChannelError(
        'rejected',
        'The "Address that sends an SMS" is not complete: https:// and a host begin it.',
      )
    const { host } = new URL(url)
    return {
      name: [toNumber(configuration.sender), `(${host})`].filter(Boolean).join(' '),
    }
  },

  async receive(context, request) {
    return { arrivals: readRequest(context, request) }
  },

  async *send(context, message) {
    const { userPhone: to = '', activePhone: from = '' } = message.conversation.tags
    const parts = await toSmsParts(message)
    for (const [i, { text = '' }] of parts.entries()) {
      if (i < message.sentParts) continue
      const id = await post(context, { to, from, text, id: `${message.id}-${i}` })
      yield { tags: id ? { id } : {} }
    }
  },

  toConversation: async ({ configuration }, address) => ({
    channel: 'channel',
    tags: { userPhone: address.trim(), activePhone: String(configuration.sender ?? '') },
  }),

  actions: {
    async startConversation(context, { conversation }) {
      const { userPhone = '', activePhone } = conversation as Record<
        string,
        string | undefined
      >
      const tags = {
        userPhone: userPhone.trim(),
        activePhone: activePhone?.trim() || String(context.configuration.sender ?? ''),
      }
      if (tags.userPhone === '' || tags.activePhone === '')
        throw new ChannelError(
          'rejected',
          'Give `userPhone`, and `activePhone` or a sender in the configuration.',
        )
      const by = ['userPhone', 'activePhone']
      const conversationId = await context.host.openConversation({
        channel: 'channel',
        tags,
        by,
      })
      return { conversationId }
    },
  },
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the id that the gateway gave the SMS; an empty text if the configuration names no field. */
async function post(context: Context, values: Record<string, string>): Promise<string> {
  const { sendUrl, body, authorizationHeader, authorizationSecret, sentIdField } =
    context.configuration
  const filled = fillBody(String(body ?? usualBody), values)
  const response = await context.request(String(sendUrl), {
    method: 'POST',
    headers: {
      'content-type': filled.contentType,
      accept: 'application/json',
      ...(authorizationSecret !== undefined && {
        [String(authorizationHeader ?? 'authorization').toLowerCase()]:
          String(authorizationSecret),
      }),
    },
    body: filled.body,
    maxBytes: 2 ** 20,
  })
  if (response.status < 200 || response.status > 299) throw toError(response)
  if (!sentIdField) return ''
  const id = readField(toJson(response), String(sentIdField))
  if (id === '')
    throw new ChannelError(
      'rejected',
      `The gateway answered without the id in "${sentIdField}"${quote(response)}`,
    )
  return id
}

function quote({ body }: ProviderResponse): string {
  const said = new TextDecoder().decode(body.subarray(0, 500)).trim()
  return said ? `, and said: ${said}` : ''
}

function toError(response: ProviderResponse): ChannelError {
  const { status, headers } = response
  const answer = `The gateway answered ${status}${quote(response)}`
  if (status === 429)
    return new ChannelError('limited', answer, readRetryAfter(headers) ?? 2_000)
  if (status >= 500 || status === 408) return new ChannelError('unavailable', answer)
  if (status === 401 || status === 403)
    return new ChannelError(
      'credentials',
      `${answer}. Check the credentials and their header: the gateway's documentation says what it expects.`,
    )
  return new ChannelError('rejected', answer)
}
