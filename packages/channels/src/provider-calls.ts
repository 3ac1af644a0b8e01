// Calls of a provider's HTTP API: JSON and multipart bodies.
import { ChannelError, type Context, type ProviderResponse } from './channel.ts'

export interface Upload {
  name: string
  contentType: string
  content: Uint8Array
}

const decoder = new TextDecoder()

const toText = ({ body }: Pick<ProviderResponse, 'body'>): string => decoder.decode(body)

/** Returns the JSON object of a response; an empty one if it is something else. */
export function toJson(
  response: Pick<ProviderResponse, 'body'>,
): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(toText(response))
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}

/** Reads a request of a provider. Throws ChannelError ("rejected") for anything but a JSON object. */
export function readJson(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null)
      return value as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw new ChannelError('rejected', 'The body is not a JSON object')
}

export const postJson = (
  { request }: Pick<Context, 'request'>,
  url: string,
  value: unknown,
  options: { headers?: Record<string, string>; timeoutMs?: number; method?: string } = {},
): Promise<ProviderResponse> =>
  request(url, {
    method: 'POST',
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
    body: JSON.stringify(value),
  })

/** Posts fields and files as multipart/form-data. */
export function postMultipart(
  { request }: Pick<Context, 'request'>,
  url: string,
  fields: Record<string, string | Upload>,
  {
    headers = {},
    method = 'POST',
  }: { headers?: Record<string, string>; method?: string } = {},
): Promise<ProviderResponse> {
  const boundary = `botstead-${crypto.randomUUID()}`
  const parts = Object.entries(fields).flatMap(([name, value]) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${quote(name)}"`,
    ...(typeof value === 'string'
      ? [`\r\n\r\n${value}`]
      : [
          `; filename="${quote(value.name)}"\r\ncontent-type: ${value.contentType}\r\n\r\n`,
          value.content,
        ]),
    '\r\n',
  ])
  const body = Buffer.concat(
    [...parts, `--${boundary}--\r\n`].map((part) => Buffer.from(part)),
  )
  return request(url, {
    method,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
    body,
    timeoutMs: 120_000,
  })
}

/** As browsers quote names of files. */
const quote = (name: string) =>
  name.replace(/["\r\n]/g, (character) => encodeURIComponent(character))

/** Returns the milliseconds of a `Retry-After` header, in seconds or as a date; null without one. */
export function readRetryAfter(headers: Record<string, string>): number | null {
  const value = headers['retry-after']
  if (value === undefined) return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now())
}
