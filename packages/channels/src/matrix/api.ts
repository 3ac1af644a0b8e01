// Calls of the client-server API of Matrix (https://spec.matrix.org/latest/client-server-api/).
import { ChannelError, type Context, type ProviderResponse } from '../channel.ts'
import { readRetryAfter, toJson, type Upload } from '../provider-calls.ts'

type CallContext = Pick<Context, 'configuration' | 'request'>

const getHomeserver = ({ configuration }: Pick<Context, 'configuration'>) => {
  const address = String(configuration.homeserver).trim().replace(/\/+$/, '')
  return /^https?:\/\//i.test(address) ? address : `https://${address}`
}

const toHeaders = ({ configuration }: Pick<Context, 'configuration'>) => ({
  authorization: `Bearer ${String(configuration.accessToken).trim()}`,
})

interface Options {
  method?: string
  query?: Record<string, string>
  body?: unknown
  timeoutMs?: number
  maxBytes?: number
}

/** Joins parts of a path; ids of rooms and people have characters that need escapes. */
export const toPath = (...parts: string[]) =>
  `/_matrix/client/v3/${parts.map(encodeURIComponent).join('/')}`

/** Returns the JSON object that the homeserver answers. */
export async function call<Result = Record<string, unknown>>(
  context: CallContext,
  path: string,
  { method, query, body, timeoutMs, maxBytes }: Options = {},
): Promise<Result> {
  const search = query ? `?${new URLSearchParams(query)}` : ''
  const hasBody = body !== undefined
  const response = await context.request(`${getHomeserver(context)}${path}${search}`, {
    method: method ?? (hasBody ? 'POST' : 'GET'),
    headers: {
      ...toHeaders(context),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(body) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxBytes !== undefined && { maxBytes }),
  })
  if (response.status >= 300) throw toError(response)
  return toJson(response) as Result
}

const explanations: Record<string, string | undefined> = {
  M_FORBIDDEN:
    'The bot may not do this in the room: invite it again, or give it the right to write.',
  M_TOO_LARGE: 'The homeserver takes no messages or files of this size.',
  M_NOT_FOUND: 'The homeserver does not know the room or message.',
  M_USER_DEACTIVATED: 'The account of the bot is deactivated: use another one.',
  M_CONSENT_NOT_GIVEN: 'Sign in as the bot once, and accept the terms of the homeserver.',
}

function toError(response: ProviderResponse): ChannelError {
  const { status, headers } = response
  const { errcode, error, retry_after_ms: waitMs } = toJson(response)
  const said = `Matrix: ${String(error ?? `status ${status}`).slice(0, 500)}`
  if (status === 429 || errcode === 'M_LIMIT_EXCEEDED') {
    const retryMs = typeof waitMs === 'number' ? waitMs : readRetryAfter(headers)
    return new ChannelError('limited', said, retryMs ?? 2_000)
  }
  if (status >= 500) return new ChannelError('unavailable', said)
  if (status === 401)
    return new ChannelError(
      'credentials',
      'The homeserver does not accept the access token. Copy it again, from a session that stays ' +
        'signed in, and ' +
        `compare the homeserver with that of the account. (${said})`,
    )
  const plain = typeof errcode === 'string' && Object.hasOwn(explanations, errcode)
  return new ChannelError('rejected', plain ? `${explanations[errcode]} (${said})` : said)
}

/** Returns the id of the bot's account. */
export const findOwnId = async (context: CallContext): Promise<string> =>
  String((await call(context, toPath('account', 'whoami'))).user_id ?? '')

/** Throws ChannelError if the address is not that of a homeserver. */
export async function checkHomeserver(context: CallContext): Promise<void> {
  const home = getHomeserver(context)
  const { status, body } = await context.request(`${home}/_matrix/client/versions`)
  if (Array.isArray(toJson({ body }).versions)) return
  if (status >= 500)
    throw new ChannelError('unavailable', `The homeserver answered ${status}`)
  const found = await context
    .request(`${home}/.well-known/matrix/client`)
    .catch(() => null)
  const base =
    found &&
    (toJson(found)['m.homeserver'] as { base_url?: string } | undefined)?.base_url
  throw new ChannelError(
    'rejected',
    `"${home}" is not the address of a homeserver. ${
      base
        ? `Its homeserver is "${base}": use that.`
        : 'In Element: All settings, Help & About.'
    }`,
  )
}

const maxFileBytes = 50 * 2 ** 20

/** Downloads a file by its address ("mxc://server/id"). Null if the homeserver does not give it. */
export async function download(
  context: CallContext,
  url: string,
): Promise<Uint8Array | null> {
  const [, server, id] = /^mxc:\/\/([\w.:[\]-]+)\/([\w-]+)$/.exec(url) ?? []
  if (!server || !id) return null
  const file = `download/${encodeURIComponent(server)}/${encodeURIComponent(id)}`
  // Homeservers before 1.11 have the second path only.
  for (const path of ['client/v1/media', 'media/v3']) {
    const response = await context
      .request(`${getHomeserver(context)}/_matrix/${path}/${file}`, {
        headers: toHeaders(context),
        timeoutMs: 60_000,
        maxBytes: maxFileBytes,
      })
      .catch((error) => {
        if (error instanceof ChannelError) return null
        throw error
      })
    if (response?.status === 200) return response.body
  }
  return null
}

/** Returns the address of the stored file. Throws ChannelError. */
export async function upload(context: CallContext, file: Upload): Promise<string> {
  const query = new URLSearchParams({ filename: file.name })
  const response = await context.request(
    `${getHomeserver(context)}/_matrix/media/v3/upload?${query}`,
    {
      method: 'POST',
      headers: { ...toHeaders(context), 'content-type': file.contentType },
      body: file.content,
      timeoutMs: 120_000,
    },
  )
  if (response.status >= 300) throw toError(response)
  return String(toJson(response).content_uri ?? '')
}
