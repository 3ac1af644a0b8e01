// A `fetch` for long migrations: limits the rate, retries temporary failures, and bounds responses.
// The other server is not trusted: no redirects, which could lead into this network.
import { setTimeout as pause } from 'node:timers/promises'
import { toPrintable } from '../terminal/printable.ts'

interface Pacing {
  /** Requests per second; infinite for none. */
  rate: number
  /** Called before each pause longer than a second. */
  onPause: (text: string) => void
}

const maxAttempts = 10
const maxPauseMs = 30_000
const maxRetryAfterMs = 600_000
const timeoutMs = 60_000
const maxBytes = 64 * 1_048_576

/** Reads each response completely, because the connection may also break within it. */
export function openPacedFetch({ rate, onPause }: Pacing): typeof fetch {
  const turn = openTurns(rate)
  return async (input, init) => {
    for (let attempt = 1; ; attempt++) {
      await turn.next()
      const outcome = await send(input, init)
      const waitMs = toPause(outcome, attempt)
      if (waitMs === null) {
        if (outcome instanceof Error) throw outcome
        return outcome
      }
      if (outcome instanceof Response && outcome.status === 429) turn.hold(waitMs)
      if (waitMs > 1_000)
        onPause(`${toReason(outcome)}: next attempt in ${Math.ceil(waitMs / 1_000)} s`)
      await pause(waitMs)
    }
  }
}

class TooLarge extends Error {}

async function send(
  ...[input, init]: Parameters<typeof fetch>
): Promise<Response | Error> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(input, { ...init, redirect: 'manual', signal })
    const { status, headers } = response
    if (status >= 300 && status < 400)
      return new TooLarge(
        `${new URL(String(input)).origin} redirects, which is not followed`,
      )
    const body = await readBounded(response, maxBytes)
    return new Response(status === 204 ? null : body, {
      status,
      headers: keptHeaders(headers),
    })
  } catch (error) {
    return error as Error
  }
}

/** The body is decoded, so `content-encoding` and `content-length` no longer apply. */
const keptHeaders = (headers: Headers) =>
  Object.fromEntries(
    ['retry-after', 'content-type'].flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )

async function readBounded(
  { body }: Response,
  limit: number,
): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > limit) throw new TooLarge(`a response exceeds ${limit} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Jitter: several requests that failed together do not return together. */
export const backoffMs = (attempt: number) =>
  Math.min(maxPauseMs, 250 * 2 ** attempt) * (0.5 + Math.random() / 2)

/** Returns the pause before the next attempt in ms, or null if the outcome is final. */
function toPause(outcome: Response | Error, attempt: number): number | null {
  if (outcome instanceof TooLarge || attempt >= maxAttempts) return null
  const isTransient =
    outcome instanceof Error ||
    outcome.status === 429 ||
    outcome.status === 408 ||
    // The request with this Idempotency-Key still runs.
    (outcome.status === 409 && outcome.headers.has('retry-after')) ||
    (outcome.status >= 500 && outcome.status !== 501)
  if (!isTransient) return null
  const backoff = backoffMs(attempt)
  const seconds = outcome instanceof Error ? null : outcome.headers.get('retry-after')
  return seconds === null ? backoff : Math.max(backoff / 4, retryAfterMs(seconds))
}

/** The header has seconds or a date. */
function retryAfterMs(value: string): number {
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxRetryAfterMs) : 0
}

const toReason = (outcome: Response | Error) =>
  outcome instanceof Response
    ? `status ${outcome.status}`
    : toPrintable(String((outcome.cause as Error | undefined) ?? outcome.message), 'line')

/** Spaces requests evenly. `hold` delays all of them after a 429. */
function openTurns(rate: number) {
  let free = 0
  return {
    hold(ms: number) {
      free = Math.max(free, Date.now() + ms)
    },
    async next() {
      const at = Math.max(free, Date.now())
      free = at + 1_000 / rate
      if (at > Date.now()) await pause(at - Date.now())
    },
  }
}
