// Twilio signs the address that it calls, and the fields of the form
// (https://www.twilio.com/docs/usage/security#validating-requests).
import { createHmac, timingSafeEqual } from 'node:crypto'
import { ChannelError, type Context, type ProviderRequest } from '../channel.ts'
import { getAuthToken } from './api.ts'

/** Twilio's own have a few thousand. */
const maxLength = 100_000

/** Returns the fields of a request. Throws ChannelError ("forged"). */
export function readSigned(context: Context, request: ProviderRequest): URLSearchParams {
  const { method, headers, body, query } = request
  const isSmall = body.length + query.length <= maxLength
  const fields = new URLSearchParams(isSmall && method === 'POST' ? body : '')
  const given = Buffer.from(headers['x-twilio-signature'] ?? '')
  const isSigned = listUrls(toCalledUrl(context, request)).some((url) =>
    isEqual(given, sign(getAuthToken(context), url, fields)),
  )
  if (isSmall && isSigned) return method === 'POST' ? fields : new URLSearchParams(query)
  throw new ChannelError(
    'forged',
    'A message was not taken, because its signature is wrong. If it came from Twilio, the auth ' +
      'token in the settings is wrong, or Twilio has another address than the public one of this ' +
      'server. Otherwise, a stranger sent it.',
  )
}

function toCalledUrl({ webhookUrl }: Context, { path, query }: ProviderRequest): string {
  const url = path === '/' ? webhookUrl : `${webhookUrl}${path}`
  return query ? `${url}?${query}` : url
}

/** Twilio signs some addresses with the standard port, and others without it. */
function listUrls(url: string): string[] {
  const [, scheme, host, port, rest] =
    /^(https?):\/\/([^/?:]+)(?::(\d+))?(.*)$/.exec(url) ?? []
  if (!scheme) return [url]
  const standard = scheme === 'https' ? '443' : '80'
  return [url, `${scheme}://${host}${port ? '' : `:${standard}`}${rest}`]
}

function sign(authToken: string, url: string, fields: URLSearchParams): Buffer {
  const names = [...new Set(fields.keys())].sort()
  const hmac = createHmac('sha1', authToken).update(url)
  for (const name of names)
    for (const value of [...new Set(fields.getAll(name))].sort())
      hmac.update(name + value)
  return Buffer.from(hmac.digest('base64'))
}

const isEqual = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)
