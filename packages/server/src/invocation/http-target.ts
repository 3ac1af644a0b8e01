// Calls code that lives at a URL: a bot under development, on its own server, or serverless. Owns the connections to those places.
import { createHmac } from 'node:crypto'
import { Agent, errors } from 'undici'
import type { HandlerRequest, HandlerResponse } from '../sandbox/sandbox.ts'
import { InvocationFailed } from './invocation.ts'

export interface HttpTarget {
  /** Called as it stands, path and query included. */
  url: string
  /** With any, each request carries x-bp-signature. While one takes over from another there are several, and whoever verifies may know any one of them. */
  signingSecrets?: string[]
}

export interface HttpTargets {
  /** POSTs and gives the answer as it came, redirections included, whatever its status. Throws InvocationFailed where there is none. */
  invoke(target: HttpTarget, request: HandlerRequest, options: { timeoutMs: number }): Promise<HandlerResponse>
  close(): Promise<void>
}

export interface HttpTargetOptions {
  /** Of an answer's body: 1,048,576. */
  responseBytes?: number
}

export function createHttpTargets({ responseBytes = 1_048_576 }: HttpTargetOptions = {}): HttpTargets {
  // Our own deadline covers the whole exchange. As many connections as there are calls: a slow answer must not hold up others.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 10_000 } })
  return {
    async invoke(target, request, { timeoutMs }) {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const { origin, pathname, search } = new URL(target.url)
        const headers = { ...request.headers, ...signature(target, request.body ?? '') }
        const answer = await agent.request({ origin, path: pathname + search, method: 'POST', headers, body: request.body ?? '', signal })
        return { status: answer.statusCode, headers: plainHeaders(answer.headers), body: await readBody(answer.body, responseBytes) }
      } catch (error) {
        throw failure(error, signal, timeoutMs)
      }
    },
    close: () => agent.destroy(),
  }
}

/** `t=<seconds>,v1=<hex>`, with a `v1` for each secret: HMAC-SHA256, with the secret, of the seconds, a full stop, and the body byte for byte. */
export function sign(secrets: string[], body: string, seconds: number): string {
  const signatures = secrets.map((secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`)
  return [`t=${seconds}`, ...signatures].join(',')
}

function signature({ signingSecrets = [] }: HttpTarget, body: string): Record<string, string> {
  return signingSecrets.length > 0 ? { 'x-bp-signature': sign(signingSecrets, body, Math.floor(Date.now() / 1000)) } : {}
}

async function readBody(stream: AsyncIterable<Buffer>, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > mostBytes) throw new InvocationFailed('too-large', `The answer has more than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A header that came several times is joined with commas, as HTTP allows. */
function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(', ')]])))
}

function failure(error: unknown, signal: AbortSignal, timeoutMs: number): InvocationFailed {
  if (error instanceof InvocationFailed) return error
  if (signal.aborted) return new InvocationFailed('timeout', `No answer within ${timeoutMs} ms`)
  if (error instanceof errors.ConnectTimeoutError) return new InvocationFailed('unreachable', 'No connection within 10 s')
  const { code, message } = error as Error & { code?: string }
  return new InvocationFailed('unreachable', message || code || String(error))
}
