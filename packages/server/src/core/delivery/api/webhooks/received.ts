// Wraps a third party's request into the JSON body of the call to an integration.
import { isUtf8 } from 'node:buffer'
import { between, jsonPieces, type Pieces } from '@botstead/sandbox'
import { foreignCookies } from './foreign-headers.ts'

export interface ReceivedRequest {
  method: string
  /** The raw path after the webhook's id, with its leading slash. */
  path: string
  /** The raw query, without the question mark. */
  query: string
  headers: Record<string, string>
  body: Buffer
}

/** Set only by the server, for integrations that share one number between many bots. */
export const sandboxHeader = 'x-bp-sandbox-operation'

/** Returns headers with names in lower case; repeated ones are joined, as HTTP allows. */
export function parseRawHeaders(rawHeaders: string[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase()
    const before = headers.get(name)
    headers.set(
      name,
      before === undefined
        ? rawHeaders[i + 1]!
        : before + (name === 'cookie' ? '; ' : ', ') + rawHeaders[i + 1]!,
    )
  }
  headers.delete(sandboxHeader)
  const cookie = foreignCookies(headers.get('cookie') ?? '')
  if (cookie) headers.set('cookie', cookie)
  else headers.delete('cookie')
  return Object.fromEntries(headers)
}

/**
 * Returns the path after the prefix, and the query, unchanged. Fastify's router decodes the path,
 * merges slashes, and truncates a query with two question marks.
 */
export function addressIn(
  url: string,
  segments: number,
): { path: string; query: string } {
  const mark = url.indexOf('?')
  const whole = mark < 0 ? url : url.slice(0, mark)
  const path = whole.replace(new RegExp(`^(/+[^/]+){${segments}}`), '')
  return { path: path || '/', query: mark < 0 ? '' : url.slice(mark + 1) }
}

/**
 * Larger bodies are never one string: V8 limits strings to half a gigabyte, and JSON escapes some
 * bytes with six characters.
 */
const maxStringBytes = 1_048_576

/**
 * `body` is text, as in the SDK. For binary bodies it is an approximation, and `bodyBase64` has the
 * exact bytes.
 */
export function wrapped({ body, ...request }: ReceivedRequest): { req: object } | Pieces {
  if (body.length === 0) return { req: request }
  const isText = isUtf8(body)
  if (body.length > maxStringBytes)
    return between(
      '{"req":',
      jsonPieces(request, { text: { body }, base64: isText ? {} : { bodyBase64: body } }),
      '}',
    )
  return {
    req: {
      ...request,
      body: body.toString('utf8'),
      ...(!isText && { bodyBase64: body.toString('base64') }),
    },
  }
}
