// Requests to websites, through the policy for outgoing requests (core/outgoing): it
// checks the address of each connection. Invariant: a response is bounded in time, size, unpacked
// size and redirects, and each redirect is checked like the first URL.
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { parseTargetUrl, UrlRejected } from '@botstead/lib'
import { InvocationFailed } from '@botstead/sandbox'
import type { Outgoing } from '../../../core/outgoing/index.ts'
import { userAgent } from './robots.ts'

export type Send = Awaited<ReturnType<Outgoing['for']>>

/** The website cannot be read; the message is for the owner of the source. */
export class WebFailed extends Error {}

export interface WebRequest {
  url: URL
  maxBytes: number
  /** Keeps the beginning of a larger response instead of throwing. */
  cuts?: boolean
  headers?: Record<string, string>
  /** Ends the request early, for example when the server stops. */
  signal: AbortSignal
  /** Throws for a URL that must not be requested. */
  check?: (url: URL) => Promise<void>
}

export interface WebResponse {
  status: number
  /** After redirects. */
  url: URL
  headers: Record<string, string>
  /** Empty unless the status is 200. */
  body: Buffer
}

const maxRedirects = 5
const redirects = [301, 302, 303, 307, 308]

export async function request(
  send: Send,
  { timeoutMs = 30_000, ...options }: WebRequest & { timeoutMs?: number },
): Promise<WebResponse> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await follow(send, {
      ...options,
      signal: AbortSignal.any([options.signal, timeout]),
    })
  } catch (error) {
    if (options.signal.aborted || error instanceof WebFailed) throw error
    if (timeout.aborted)
      throw new WebFailed(
        `The website did not respond within ${timeoutMs / 1000} seconds`,
      )
    throw explained(error, options.url)
  }
}

async function follow(send: Send, request: WebRequest): Promise<WebResponse> {
  let { url } = request
  for (let hops = 0; ; hops += 1) {
    await request.check?.(url)
    const response = await requestOnce(send, { ...request, url })
    const { location } = response.headers
    if (!redirects.includes(response.status) || location === undefined) return response
    if (hops === maxRedirects) throw new WebFailed(`More than ${maxRedirects} redirects`)
    url = redirectTarget(location, url)
  }
}

function redirectTarget(location: string, from: URL): URL {
  try {
    const url = parseTargetUrl(
      URL.canParse(location, from.href) ? new URL(location, from).href : '',
    )
    url.hash = ''
    return url
  } catch (error) {
    if (!(error instanceof UrlRejected)) throw error
    throw new WebFailed(
      `A redirect leads to "${location.slice(0, 200)}", which ${error.message}`,
    )
  }
}

async function requestOnce(send: Send, request: WebRequest): Promise<WebResponse> {
  const { url, maxBytes, cuts = false, headers, signal } = request
  const response = await send(url.href, {
    method: 'GET',
    headers: { 'user-agent': userAgent, 'accept-encoding': 'gzip', ...headers },
    signal,
  })
  // Destroying an unread body reports an error without a listener.
  response.body.on('error', () => {})
  const texts = toTexts(response.headers)
  const limit = { maxBytes, cuts }
  try {
    const isRead = response.statusCode === 200
    const packed = isRead ? await readAll(response.body, limit) : Buffer.alloc(0)
    const body = await unpacked(packed, texts['content-encoding'], limit)
    return { status: response.statusCode, url, headers: texts, body }
  } finally {
    response.body.destroy()
  }
}

/**
 * Names of headers come from the website, so the object has no prototype. Of repeated headers, the first
 * counts; rules for robots add up, each in a line.
 */
function toTexts(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> {
  const texts: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(headers))
    if (name === 'x-robots-tag') texts[name] = [value].flat().join('\n')
    else if (value !== undefined) texts[name] = Array.isArray(value) ? value[0]! : value
  return texts
}

interface Limit {
  maxBytes: number
  cuts: boolean
}

async function readAll(
  body: AsyncIterable<Buffer>,
  { maxBytes, cuts }: Limit,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size <= maxBytes) continue
    if (!cuts) throw tooLarge(maxBytes)
    break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

const tooLarge = (maxBytes: number) =>
  new WebFailed(`The content is larger than ${maxBytes / 1_000_000} MB`)

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

async function unpacked(body: Buffer, encoding = '', limit: Limit): Promise<Buffer> {
  const name = encoding.trim().toLowerCase()
  if (body.length === 0 || name === '' || name === 'identity') return body
  if (!Object.hasOwn(decoders, name))
    throw new WebFailed(`The content encoding "${name.slice(0, 50)}" is not supported`)
  return unpack(body, limit.maxBytes, decoders[name as keyof typeof decoders])
}

/** Throws WebFailed for damaged content, and for more than `maxBytes` of it. */
export async function unpack(
  body: Buffer,
  maxBytes: number,
  decode: (typeof decoders)['gzip'] = decoders.gzip,
): Promise<Buffer> {
  try {
    return await decode(body, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(maxBytes)
    throw new WebFailed('The compressed content is damaged')
  }
}

function explained(error: unknown, { host }: URL): WebFailed {
  if (error instanceof InvocationFailed) return new WebFailed(error.detail)
  const { code, message } = error as { code?: string; message?: string }
  const reason = code ?? message ?? 'unknown error'
  return new WebFailed(
    `The server cannot reach "${host}": ${String(reason).slice(0, 200)}`,
  )
}
