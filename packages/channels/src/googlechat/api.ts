// Calls of the Chat API (https://developers.google.com/workspace/chat/api/reference/rest).
import { ChannelError, type Context, type ProviderResponse } from '../channel.ts'
import { readRetryAfter, toJson } from '../provider-calls.ts'
import { getToken, invalidateToken } from './service-account.ts'

const getApiUrl = ({ configuration }: Pick<Context, 'configuration'>) =>
  String(configuration.apiUrl ?? 'https://chat.googleapis.com').replace(/\/+$/, '')

/** Returns the JSON object of the answer to a GET, or to a POST if there is a body. */
export async function call(
  context: Context,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const hasBody = body !== undefined
  const response = await context.request(`${getApiUrl(context)}${path}`, {
    method: hasBody ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${await getToken(context)}`,
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(body) }),
  })
  if (response.status < 300) return toJson(response)
  if (response.status === 401) invalidateToken(context)
  throw toError(response)
}

const explanations: [RegExp, 'credentials' | 'rejected', string][] = [
  [
    /SERVICE_DISABLED|has not been used in project|API.*disabled/i,
    'credentials',
    'The Google Chat API is off: switch it on at console.cloud.google.com: APIs & Services, ' +
      'Library, Google Chat API, Enable; and wait some minutes.',
  ],
  [
    /Chat app not found|configure the app/i,
    'credentials',
    'The Chat app is not configured: fill in console.cloud.google.com: Google Chat API, ' +
      'Configuration, in the project of the service account.',
  ],
  [
    /PERMISSION_DENIED|NOT_FOUND/,
    'rejected',
    'The app is not, or no longer, in this space, or the person has blocked it: add it there.',
  ],
]

function toError(response: ProviderResponse): ChannelError {
  const { status, headers } = response
  const { error } = toJson(response) as {
    error?: { status?: string; message?: string; details?: { reason?: string }[] }
  }
  const reasons = Array.isArray(error?.details)
    ? error.details.map((one) => one?.reason)
    : []
  const words = [error?.status, ...reasons, error?.message].filter(Boolean).join(': ')
  const said = `Google Chat: ${words.slice(0, 500) || `status ${status}`}`
  if (status === 429)
    return new ChannelError('limited', said, readRetryAfter(headers) ?? 1_000)
  if (status >= 500) return new ChannelError('unavailable', said, readRetryAfter(headers))
  const found = explanations.find(([pattern]) => pattern.test(words))
  if (found) return new ChannelError(found[1], `${found[2]} (${said})`)
  return new ChannelError(status === 401 ? 'credentials' : 'rejected', said)
}

const maxFileBytes = 200 * 2 ** 20

/** Null if Google does not give it. */
export async function download(
  context: Context,
  resourceName: string,
): Promise<ProviderResponse | null> {
  const path = resourceName.split('/').map(encodeURIComponent).join('/')
  const load = async () =>
    context.request(`${getApiUrl(context)}/v1/media/${path}?alt=media`, {
      headers: { authorization: `Bearer ${await getToken(context)}` },
      timeoutMs: 60_000,
      maxBytes: maxFileBytes,
    })
  const response = await load().catch(() => null)
  return response?.status === 200 ? response : null
}
