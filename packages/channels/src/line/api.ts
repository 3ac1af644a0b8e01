// Calls of LINE's Messaging API (https://developers.line.biz/en/reference/messaging-api/).
import { setTimeout as pause } from 'node:timers/promises'
import { ChannelError, type Context, type ProviderResponse } from '../channel.ts'
import { readRetryAfter, toJson } from '../provider-calls.ts'

interface Call {
  method?: string
  body?: unknown
  headers?: Record<string, string>
  timeoutMs?: number
}

const toHeaders = ({ configuration }: Context) => ({
  authorization: `Bearer ${String(configuration.channelAccessToken).trim()}`,
})

const toUrl = ({ configuration }: Context, standard: string, path: string) =>
  `${String(configuration.apiUrl ?? standard).replace(/\/+$/, '')}${path}`

/** Returns the JSON object that the API answers. */
export async function call(
  context: Context,
  path: string,
  { method, body, headers, timeoutMs }: Call = {},
): Promise<Record<string, unknown>> {
  const hasBody = body !== undefined
  const response = await context.request(toUrl(context, 'https://api.line.me', path), {
    method: method ?? (hasBody ? 'POST' : 'GET'),
    headers: {
      ...toHeaders(context),
      ...(hasBody && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(hasBody && { body: JSON.stringify(body) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  // Accepted before, by an attempt with a lost answer: the request has the same retry key.
  if (response.status < 300 || response.status === 409) return toJson(response)
  throw toError(response)
}

interface LineError {
  message?: string
  details?: { message?: string; property?: string }[]
}

function toError(response: ProviderResponse): ChannelError {
  const { message = '', details = [] } = toJson(response) as LineError
  const words = [
    message,
    ...details.map((one) => `${one.property}: ${one.message}`),
  ].join('; ')
  const said = `LINE: ${words.slice(0, 500) || response.status}`
  const { status } = response
  if (status === 401)
    return new ChannelError(
      'credentials',
      'LINE does not accept the channel access token: issue one in the LINE Developers Console, ' +
        'Messaging API, and ' +
        `copy all of it. (${said})`,
    )
  if (status === 429 && /monthly limit/i.test(message))
    return new ChannelError(
      'rejected',
      'The LINE account has sent all messages of its plan for this month: choose a larger plan in ' +
        'the LINE Official ' +
        `Account Manager. (${said})`,
    )
  if (status === 429)
    return new ChannelError('limited', said, readRetryAfter(response.headers) ?? 2_000)
  if (status >= 500) return new ChannelError('unavailable', said)
  return new ChannelError('rejected', explain(said))
}

const explanations: [RegExp, string][] = [
  [
    /webhook|endpoint/i,
    'LINE calls only public addresses with HTTPS and a valid certificate: set the public address ' +
      'of this server.',
  ],
  [
    /failed to send messages/i,
    'The person has blocked the account, or has never added it as a friend.',
  ],
  [
    /property, 'to'|user.*not.*found/i,
    'LINE does not know this person or group at this account.',
  ],
]

function explain(said: string): string {
  const found = explanations.find(([pattern]) => pattern.test(said))
  return found ? `${found[1]} (${said})` : said
}

const maxContentBytes = 200 * 2 ** 20
const triesMs = [0, 1_000, 3_000]

/**
 * Downloads a file of a person, which LINE may still prepare. Null if it does not give it: unless asked to,
 * LINE does not repeat a notification, so the rest of it must not fail.
 */
export async function download(context: Context, messageId: string) {
  const path = `/v2/bot/message/${encodeURIComponent(messageId)}/content`
  for (const waitMs of triesMs) {
    await pause(waitMs)
    const response = await context
      .request(toUrl(context, 'https://api-data.line.me', path), {
        headers: toHeaders(context),
        timeoutMs: 60_000,
        maxBytes: maxContentBytes,
      })
      .catch(() => null)
    if (response?.status === 200)
      return {
        content: response.body,
        contentType: response.headers['content-type'] ?? null,
      }
    if (response && response.status !== 202 && response.status < 500) return null
  }
  return null
}
