// The server, as far as the engine needs it: the few calls that it makes, over HTTP. A call that got no answer is made again; what it may not do twice has a
// key, under which the server does it once. Tests put something else in its place.
import http from 'node:http'
import https from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'

export type Json = Record<string, unknown>

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  /** Of this intention alone; the same when the event is handled again. */
  key?: string | undefined
  /** The event in whose handling it is made. */
  cause?: string | undefined
}

/** Answers what the server does. Throws Refused for what it refuses, Unreachable when it has no answer. */
export type Platform = (call: Call) => Promise<Json>

export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly type: string
  constructor(status: number, type: string, message: string) {
    super(message)
    this.status = status
    this.type = type
  }
}

/** The event is to be handled again, later. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

interface Access {
  url: string
  token: string
  botId: string
}

const attempts = 5
const timeoutMs = 120_000

export function openPlatform({ url, token, botId }: Access): Platform {
  const client = url.startsWith('https:') ? https : http
  const agent = new client.Agent({ keepAlive: true })
  const standing = { authorization: `Bearer ${token}`, 'x-bot-id': botId, 'content-type': 'application/json' }

  const once = ({ method, path, body, key, cause }: Call) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = {
        ...standing,
        ...(key && { 'idempotency-key': key }),
        ...(cause && { 'x-botstead-cause': cause }),
      }
      const request = client.request(
        url + path,
        { method, headers, agent, timeout: timeoutMs },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => resolve(answerOf(response, Buffer.concat(chunks).toString())))
          response.on('error', reject)
        },
      )
      request.on('timeout', () => request.destroy(new Error('the server took too long')))
      request.on('error', reject)
      request.end(body === undefined ? undefined : JSON.stringify(body))
    })

  return async (call) => {
    let trouble = ''
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const answer = await once(call).catch((error: Error) => error)
      if (!(answer instanceof Error) && answer.status < 300) return answer.body
      if (!(answer instanceof Error) && !isPassing(answer))
        throw new Refused(
          answer.status,
          String(answer.body.type ?? ''),
          String(answer.body.message ?? answer.status),
        )
      trouble = answer instanceof Error ? answer.message : `${answer.status} ${answer.body.message ?? ''}`
      if (attempt < attempts)
        await pause(
          answer instanceof Error ? 100 * 2 ** attempt : (answer.retryAfterMs ?? 200 * 2 ** attempt),
        )
    }
    throw new Unreachable(`${call.method} ${call.path}: ${trouble}`)
  }
}

interface Answer {
  status: number
  body: Json
  retryAfterMs: number | null
}

function answerOf({ statusCode = 0, headers }: http.IncomingMessage, text: string): Answer {
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

/** Another that is just doing the same holds the key. */
const isPassing = ({ status, body }: Answer) =>
  status >= 500 || status === 429 || body.type === 'ResourceLockedConflict'
