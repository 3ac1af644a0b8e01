// The engine's HTTP client for the server. Retries calls without an answer; calls that must not run
// twice carry an idempotency key. Tests replace it.
import http from 'node:http'
import https from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'

export type Json = Record<string, unknown>

export interface PlatformCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  /** Idempotency key; the same when the event is handled again. */
  key?: string | undefined
  /** Id of the event that the bot handles. */
  cause?: string | undefined
  /** Maximum duration in ms, without retries after it. By default 120 s, with retries. */
  timeoutMs?: number
  /** Maximum number of attempts; 5 by default. */
  attempts?: number
}

/**
 * Returns the server's answer. Throws Refused for a final error, Unreachable if all attempts fail.
 */
export type Platform = (call: PlatformCall) => Promise<Json>

export class PlatformRejection extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly type: string
  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

/** Thrown when the server must deliver the event again later. */
export class PlatformUnreachable extends Error {
  override readonly name = 'Unreachable'
}

interface Access {
  url: string
  token: string
  botId: string
}

/** The engine's trace shows its calls, so the server does not record them. */
export const ownTrace = { 'x-botstead-own-trace': '1' }

const usualAttempts = 5
const defaultTimeoutMs = 120_000

class TimedOut extends Error {}

export function openPlatform({ url, token, botId }: Access): Platform {
  const client = url.startsWith('https:') ? https : http
  const agent = new client.Agent({ keepAlive: true })
  const standing = {
    authorization: `Bearer ${token}`,
    'x-bot-id': botId,
    'content-type': 'application/json',
    ...ownTrace,
  }

  const once = (call: PlatformCall) =>
    send(client, { url, headers: standing, agent }, call)

  return async (call) => {
    const { attempts = usualAttempts } = call
    let trouble = ''
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const answer = await once(call).catch((error: Error) => error)
      if (!(answer instanceof Error) && answer.status < 300) return answer.body
      if (answer instanceof TimedOut && call.timeoutMs !== undefined)
        throw new PlatformRejection(504, 'OperationTimeout', answer.message)
      if (!(answer instanceof Error) && !isPassing(answer))
        throw new PlatformRejection(
          answer.status,
          String(answer.body.type ?? ''),
          String(answer.body.message ?? answer.status),
        )
      trouble =
        answer instanceof Error
          ? answer.message
          : `${answer.status} ${answer.body.message ?? ''}`
      if (attempt < attempts)
        await pause(
          answer instanceof Error
            ? 100 * 2 ** attempt
            : (answer.retryAfterMs ?? 200 * 2 ** attempt),
        )
    }
    throw new PlatformUnreachable(`${call.method} ${call.path}: ${trouble}`)
  }
}

interface Connection {
  url: string
  headers: Record<string, string>
  agent: http.Agent
}

/** One attempt. Rejects without an answer. */
const send = (
  client: typeof http | typeof https,
  { url, headers: standing, agent }: Connection,
  { method, path, body, key, cause, timeoutMs = defaultTimeoutMs }: PlatformCall,
) =>
  new Promise<Answer>((resolve, reject) => {
    const headers = {
      ...standing,
      ...(key && { 'idempotency-key': key }),
      ...(cause && { 'x-botstead-cause': cause }),
    }
    const options = { method, headers, agent, timeout: timeoutMs }
    const request = client.request(url + path, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve(toAnswer(response, Buffer.concat(chunks).toString())),
      )
      response.on('error', reject)
    })
    request.on('timeout', () =>
      request.destroy(new TimedOut(`the server did not answer within ${timeoutMs} ms`)),
    )
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })

interface Answer {
  status: number
  body: Json
  retryAfterMs: number | null
}

function toAnswer(
  { statusCode = 0, headers }: http.IncomingMessage,
  text: string,
): Answer {
  const seconds = Number(headers['retry-after'])
  return {
    status: statusCode,
    body: parse(text),
    retryAfterMs: seconds > 0 ? Math.min(seconds, 10) * 1000 : null,
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return { message: text.slice(0, 200) }
  }
}

/**
 * Returns whether a retry may succeed. ResourceLockedConflict: a parallel call with the same key is
 * running. The server has already retried a call whose provider failed.
 */
const isPassing = ({ status, body }: Answer) =>
  (status >= 500 || status === 429 || body.type === 'ResourceLockedConflict') &&
  (body.metadata as Json | undefined)?.subtype !== 'UPSTREAM_PROVIDER_FAILED'
