// Calls code that lives at a URL: a bot under development, on its own server, or serverless. The connections are those of outgoing.ts.
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { errors } from 'undici'
import type { HandlerRequest, HandlerResponse } from '../sandbox/sandbox.ts'
import { InvocationFailed } from './invocation.ts'
import type { Outgoing } from './outgoing.ts'
import type { Pieces } from './pieces.ts'

export interface HttpTarget {
  /** Called as it stands, path and query included. */
  url: string
  /** The workspace that set the URL; null for the server itself. */
  workspaceId: string | null
  /** With any, each request carries x-bp-signature. While one takes over from another there are several, and whoever verifies may know any one of them. */
  signingSecrets?: string[]
}

/** An answer as bytes, not as text. */
export interface AnswerBytes {
  most: number
  /** Whether there is room for so many more. */
  take: (bytes: number) => boolean
}

export interface HttpTargets {
  /** POSTs and gives the answer as it came, redirections included, whatever its status. Throws InvocationFailed where there is none. */
  invoke(
    target: HttpTarget,
    request: HandlerRequest,
    options: { timeoutMs: number; bytes?: AnswerBytes | undefined },
  ): Promise<HandlerResponse>
}

export interface HttpTargetOptions {
  /** Of an answer's body: 1,048,576. */
  responseBytes?: number
}

export function createHttpTargets(
  outgoing: Outgoing,
  { responseBytes = 1_048_576 }: HttpTargetOptions = {},
): HttpTargets {
  return {
    async invoke(target, request, { timeoutMs, bytes }) {
      const send = await outgoing.for(target.workspaceId)
      // This deadline covers the whole exchange.
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const content = request.pieces ?? request.body ?? ''
        const headers = { ...request.headers, ...signature(target, content) }
        const body = typeof content === 'string' ? content : Readable.from(content)
        const answer = await send(target.url, { method: 'POST', headers, body, signal })
        const chunks = await readBody(answer.body, bytes ?? { most: responseBytes, take: () => true })
        const read = bytes ? { body: '', bytes: chunks } : { body: Buffer.concat(chunks).toString('utf8') }
        return { status: answer.statusCode, headers: plainHeaders(answer.headers), ...read }
      } catch (error) {
        throw failure(error, signal, timeoutMs)
      }
    },
  }
}

/** `t=<seconds>,v1=<hex>`, with a `v1` for each secret: HMAC-SHA256, with the secret, of the seconds, a full stop, and the body byte for byte. */
export function sign(secrets: string[], body: string | Pieces, seconds: number): string {
  const hmacs = secrets.map((secret) => createHmac('sha256', secret).update(`${seconds}.`))
  for (const piece of typeof body === 'string' ? [body] : body) for (const hmac of hmacs) hmac.update(piece)
  return [`t=${seconds}`, ...hmacs.map((hmac) => `v1=${hmac.digest('hex')}`)].join(',')
}

function signature({ signingSecrets = [] }: HttpTarget, body: string | Pieces): Record<string, string> {
  return signingSecrets.length > 0
    ? { 'x-bp-signature': sign(signingSecrets, body, Math.floor(Date.now() / 1000)) }
    : {}
}

async function readBody(stream: AsyncIterable<Buffer>, { most, take }: AnswerBytes): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > most) throw new InvocationFailed('too-large', `The answer has more than ${most} bytes`)
    if (!take(chunk.length))
      throw new InvocationFailed('unreachable', 'There is no room for the answer at the moment')
    chunks.push(chunk)
  }
  return chunks
}

/** A header that came several times is joined with commas, as HTTP allows. */
function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  )
}

function failure(error: unknown, signal: AbortSignal, timeoutMs: number): InvocationFailed {
  if (error instanceof InvocationFailed) return error
  if (signal.aborted) return new InvocationFailed('timeout', `No answer within ${timeoutMs} ms`)
  if (error instanceof errors.ConnectTimeoutError)
    return new InvocationFailed('unreachable', 'No connection within 10 s')
  const { code, message } = error as Error & { code?: string }
  return new InvocationFailed('unreachable', message || code || String(error))
}
