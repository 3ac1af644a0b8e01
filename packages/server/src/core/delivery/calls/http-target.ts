// Calls code at a URL: a bot under development, on its owner's server, or serverless.
// core/outgoing makes the connections.
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Stoppable } from '@botstead/lib'
import type { HandlerRequest, HandlerResponse, Pieces } from '@botstead/sandbox'
import { InvocationFailed } from '@botstead/sandbox'
import { type Outgoing, toUnreachable } from '../../outgoing/index.ts'

interface HttpTarget {
  /** Called unchanged, including path and query. */
  url: string
  /** The workspace that set the URL; null for the server itself. */
  workspaceId: string | null
  /**
   * Signs each request with x-bp-signature. During a rotation there are several secrets; a verifier
   * needs to know only one of them.
   */
  signingSecrets?: string[]
}

/** Requests the response as bytes instead of text. */
export interface ResponseBytes {
  max: number
  /** Reserves room for this many more bytes; returns false when there is none. */
  take: (bytes: number) => boolean
}

export interface HttpTargets {
  /**
   * POSTs the request and returns the response unchanged, including redirects and any status.
   * Throws InvocationFailed when there is no response.
   */
  invoke(
    target: HttpTarget,
    request: HandlerRequest,
    options: {
      timeoutMs: number
      bytes?: ResponseBytes | undefined
      /** Closes the connection when it is stopped. */
      stop?: Stoppable | undefined
    },
  ): Promise<HandlerResponse>
}

interface HttpTargetOptions {
  /** Maximum size of a response body. Default: 1,048,576. */
  responseBytes?: number
}

export function createHttpTargets(
  outgoing: Outgoing,
  { responseBytes = 1_048_576 }: HttpTargetOptions = {},
): HttpTargets {
  return {
    async invoke(target, request, { timeoutMs, bytes, stop }) {
      const send = await outgoing.for(target.workspaceId)
      // The deadline covers the whole exchange.
      const signal = createSignal(timeoutMs, stop)
      try {
        const content = request.pieces ?? request.body ?? ''
        const headers = { ...request.headers, ...signature(target, content) }
        const body = typeof content === 'string' ? content : Readable.from(content)
        const answer = await send(target.url, { method: 'POST', headers, body, signal })
        const chunks = await readBody(
          answer.body,
          bytes ?? { max: responseBytes, take: () => true },
        )
        const read = bytes
          ? { body: '', bytes: chunks }
          : { body: toText(answer.statusCode, chunks, headers) }
        return {
          status: answer.statusCode,
          headers: plainHeaders(answer.headers),
          ...read,
        }
      } catch (error) {
        throw failure(error, signal, target.url, timeoutMs)
      }
    },
  }
}

/** A failed call may quote the headers of the request: without the configuration, which has secrets. */
function toText(
  status: number,
  chunks: Buffer[],
  headers: Record<string, string>,
): string {
  const text = Buffer.concat(chunks).toString('utf8')
  const configuration = headers['x-bp-configuration']
  return status >= 400 && configuration ? text.replaceAll(configuration, '…') : text
}

function createSignal(timeoutMs: number, stop: Stoppable | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(timeoutMs)
  if (!stop) return deadline
  const stopping = new AbortController()
  stop.onStop = () =>
    stopping.abort(new InvocationFailed('stopped', 'The answer was stopped'))
  return AbortSignal.any([deadline, stopping.signal])
}

/**
 * Returns `t=<seconds>,v1=<hex>` with one `v1` per secret: the HMAC-SHA256 of the seconds, a full
 * stop, and the body's bytes.
 */
function sign(secrets: string[], body: string | Pieces, seconds: number): string {
  const hmacs = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${seconds}.`),
  )
  for (const piece of typeof body === 'string' ? [body] : body)
    for (const hmac of hmacs) hmac.update(piece)
  return [`t=${seconds}`, ...hmacs.map((hmac) => `v1=${hmac.digest('hex')}`)].join(',')
}

function signature(
  { signingSecrets = [] }: HttpTarget,
  body: string | Pieces,
): Record<string, string> {
  return signingSecrets.length > 0
    ? { 'x-bp-signature': sign(signingSecrets, body, Math.floor(Date.now() / 1000)) }
    : {}
}

async function readBody(
  stream: AsyncIterable<Buffer>,
  { max, take }: ResponseBytes,
): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    // Throwing out of the loop closes the connection.
    if (size > max)
      throw new InvocationFailed('too-large', `The response exceeds ${max} bytes`)
    if (!take(chunk.length))
      throw new InvocationFailed(
        'unreachable',
        'The server has no memory left for the response; try again later',
      )
    chunks.push(chunk)
  }
  return chunks
}

/** Joins repeated headers with commas, as HTTP allows. */
function plainHeaders(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  )
}

function failure(
  error: unknown,
  signal: AbortSignal,
  url: string,
  timeoutMs: number,
): InvocationFailed {
  if (error instanceof InvocationFailed) return error
  if (signal.reason instanceof InvocationFailed) return signal.reason
  if (signal.aborted)
    return new InvocationFailed('timeout', `No answer within ${timeoutMs} ms`)
  return toUnreachable(error, url)
}
