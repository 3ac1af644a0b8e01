// The request of a third party, as integrations are given it: all of it that matters to them inside the JSON body of our own call.
import { isUtf8 } from 'node:buffer'
import { between, jsonPieces, type Pieces } from '../../invocation/pieces.ts'

export interface Received {
  method: string
  /** As it stands in the address, from the slash after the webhook's id. */
  path: string
  /** The same, without the question mark. */
  query: string
  headers: Record<string, string>
  body: Buffer
}

/** Only we say this one, to integrations that share one number between many bots. */
export const sandboxHeader = 'x-bp-sandbox-operation'

/** Names in lower case; what came several times is joined, as HTTP allows. */
export function headersOf(rawHeaders: string[]): Record<string, string> {
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
  return Object.fromEntries(headers)
}

/** What follows the prefix, and the query, byte for byte: routers decode the one, merge slashes, and forget the rest of a query with two question marks. */
export function addressIn(url: string, segments: number): { path: string; query: string } {
  const mark = url.indexOf('?')
  const whole = mark < 0 ? url : url.slice(0, mark)
  const path = whole.replace(new RegExp(`^(/+[^/]+){${segments}}`), '')
  return { path: path || '/', query: mark < 0 ? '' : url.slice(mark + 1) }
}

/** Larger than this it is never one string: V8's have half a gigabyte at most, and JSON makes six characters of some bytes. */
const longestString = 1_048_576

/** `body` is text, as the SDK has it. Of bytes that are no text it is an approximation, and `bodyBase64` has them as they came. */
export function wrapped({ body, ...request }: Received): { req: object } | Pieces {
  if (body.length === 0) return { req: request }
  const isText = isUtf8(body)
  if (body.length > longestString)
    return between(
      '{"req":',
      jsonPieces(request, { text: { body }, base64: isText ? {} : { bodyBase64: body } }),
      '}',
    )
  return {
    req: { ...request, body: body.toString('utf8'), ...(!isText && { bodyBase64: body.toString('base64') }) },
  }
}
