// A client of an OpenAI-compatible endpoint. The operator configures it, so it may also be in a
// private network.

import { withoutKeys } from '@botstead/lib'
import { Agent } from 'undici'
import type { ModelSettings } from '../../../core/config/index.ts'

export interface Endpoint {
  /**
   * Returns the JSON body of a 200 response. Throws EndpointError for any other status, and network
   * errors.
   */
  request(body: object, signal: AbortSignal): Promise<unknown>
  /** Also aborts pending requests. */
  close(): Promise<void>
}

/** The endpoint responded with an error status. */
export class EndpointError extends Error {
  readonly status: number
  /** From the Retry-After header; null without one. */
  readonly retryAfterMs: number | null
  constructor(status: number, message: string, retryAfterMs: number | null) {
    super(message)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

interface EndpointOptions extends Pick<ModelSettings, 'url' | 'key'> {
  /** With a leading slash. */
  path: string
  /** The endpoint's name in error messages. */
  name: string
  maxAnswerBytes: number
}

export function openEndpoint({
  url,
  key,
  path,
  name,
  maxAnswerBytes,
}: EndpointOptions): Endpoint {
  const agent = new Agent({
    connect: { timeout: 5_000 },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxAnswerBytes,
  })
  const target = new URL(`${url}${path}`)
  const headers = {
    'content-type': 'application/json',
    ...(key !== null && { authorization: `Bearer ${key}` }),
  }
  const request = {
    origin: target.origin,
    path: target.pathname + target.search,
    method: 'POST' as const,
    headers,
  }
  return {
    async request(body, signal) {
      const answer = await agent.request({
        ...request,
        body: JSON.stringify(body),
        signal,
      })
      const text = await answer.body.text()
      if (answer.statusCode === 200) return JSON.parse(text)
      throw new EndpointError(
        answer.statusCode,
        `${name} answered ${answer.statusCode}: ${withoutKeys(text, key).slice(0, 300)}`,
        parsePauseMs(answer.headers['retry-after']),
      )
    },
    close: () => agent.destroy(),
  }
}

/** Parses seconds, which all these endpoints send; dates are not supported. */
function parsePauseMs(header: string | string[] | undefined): number | null {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : null
}
