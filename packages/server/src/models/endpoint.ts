// An endpoint that speaks like OpenAI's. The operator names it, and so it may be anywhere: in the network inside as well.
import { Agent } from 'undici'

export interface ModelSettings {
  /** To which the path of what is asked for is added. */
  url: string
  key: string | null
  model: string
}

export interface Endpoint {
  /** What it answers with 200. Throws EndpointRefused for any other answer, and whatever keeps it from one. */
  ask(body: object, signal: AbortSignal): Promise<unknown>
  /** Ends what is asked for, too. */
  close(): Promise<void>
}

/** It answered, but not with what it was asked for. */
export class EndpointRefused extends Error {
  readonly status: number
  /** As its header says; null where it does not. */
  readonly retryAfterMs: number | null
  constructor(status: number, message: string, retryAfterMs: number | null) {
    super(message)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

interface Place extends Pick<ModelSettings, 'url' | 'key'> {
  /** With a slash before it. */
  path: string
  /** How it is called in errors. */
  name: string
  mostAnswerBytes: number
}

export function openEndpoint({ url, key, path, name, mostAnswerBytes }: Place): Endpoint {
  const agent = new Agent({
    connect: { timeout: 5_000 },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: mostAnswerBytes,
  })
  const place = new URL(`${url}${path}`)
  const headers = {
    'content-type': 'application/json',
    ...(key !== null && { authorization: `Bearer ${key}` }),
  }
  const request = {
    origin: place.origin,
    path: place.pathname + place.search,
    method: 'POST' as const,
    headers,
  }
  return {
    async ask(body, signal) {
      const answer = await agent.request({ ...request, body: JSON.stringify(body), signal })
      const text = await answer.body.text()
      if (answer.statusCode === 200) return JSON.parse(text)
      throw new EndpointRefused(
        answer.statusCode,
        `${name} answered ${answer.statusCode}: ${text.slice(0, 300)}`,
        pauseOf(answer.headers['retry-after']),
      )
    },
    close: () => agent.destroy(),
  }
}

/** In seconds, as all of these endpoints say it; a date they do not send. */
function pauseOf(header: string | string[] | undefined): number | null {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : null
}
