// Calls of the Bot Framework's connector, by which Teams takes messages.
import { ChannelError, type Context, type ProviderResponse } from '../channel.ts'
import { readRetryAfter, toJson } from '../provider-calls.ts'
import { AccessTokens } from '../tokens/access-tokens.ts'
import { explain, explainLogin } from './errors.ts'

export const readSetting = (
  { configuration }: Pick<Context, 'configuration'>,
  name: string,
) => String(configuration[name] ?? '').trim()

export const isMultiTenant = (context: Pick<Context, 'configuration'>) =>
  readSetting(context, 'botType') === 'Multi Tenant'

const tokens = new AccessTokens()

function toLogin(context: Pick<Context, 'configuration'>) {
  const baseUrl = readSetting(context, 'loginUrl') || 'https://login.microsoftonline.com'
  const own = isMultiTenant(context) ? '' : readSetting(context, 'tenantId')
  const tenant = encodeURIComponent(own || 'botframework.com')
  return {
    url: `${baseUrl.replace(/\/+$/, '')}/${tenant}/oauth2/v2.0/token`,
    form: {
      grant_type: 'client_credentials',
      client_id: readSetting(context, 'appId'),
      client_secret: readSetting(context, 'appPassword'),
      scope: readSetting(context, 'scope') || 'https://api.botframework.com/.default',
    },
  }
}

/** Throws ChannelError ("credentials") if Microsoft does not accept the settings. */
export function getToken(
  context: Pick<Context, 'configuration' | 'request'>,
): Promise<string> {
  const { url, form } = toLogin(context)
  return tokens.get([url, form], async () => {
    const response = await context.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
    const { access_token, expires_in, error_description } = toJson(response)
    if (response.status === 200 && typeof access_token === 'string')
      return { token: access_token, expiresInSeconds: Number(expires_in) || 0 }
    throw toLoginError(response, String(error_description ?? ''))
  })
}

function toLoginError({ status, headers }: ProviderResponse, said: string): ChannelError {
  if (status === 429)
    return new ChannelError(
      'limited',
      'Microsoft: too many calls',
      readRetryAfter(headers),
    )
  if (status >= 500)
    return new ChannelError(
      'unavailable',
      `The login of Microsoft failed with status ${status}`,
    )
  return new ChannelError('credentials', explainLogin(said || `status ${status}`))
}

interface Place {
  serviceUrl: string
}

/** Calls a path below the service, and returns the JSON object of the answer. */
export async function call(
  context: Context,
  { serviceUrl }: Place,
  path: string,
  { body, timeoutMs }: { body?: unknown; timeoutMs?: number } = {},
): Promise<Record<string, unknown>> {
  const response = await context.request(`${serviceUrl.replace(/\/+$/, '')}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${await getToken(context)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  if (response.status < 300) return toJson(response)
  if (response.status === 401) {
    const { url, form } = toLogin(context)
    tokens.invalidate([url, form])
  }
  throw toError(response)
}

function toError(response: ProviderResponse): ChannelError {
  const { status, headers } = response
  const { error, message } = toJson(response) as {
    error?: { code?: string; message?: string }
    message?: string
  }
  const words = [error?.code, error?.message ?? message].filter(Boolean).join(': ')
  const said = words.slice(0, 500) || `status ${status}`
  if (status === 429)
    return new ChannelError('limited', `Teams: ${said}`, readRetryAfter(headers) ?? 2_000)
  if (status >= 500 || status === 412)
    return new ChannelError('unavailable', `Teams: ${said}`, readRetryAfter(headers))
  return new ChannelError(
    status === 401 ? 'credentials' : 'rejected',
    explain(status, said),
  )
}

export const toActivitiesPath = (conversationId: string) =>
  `/v3/conversations/${encodeURIComponent(conversationId)}/activities`
