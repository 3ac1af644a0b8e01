// The two ways in which a call fails.
import type { ErrorReply, ErrorType } from '@botstead/contract'

/** The server rejected the request. `id` also appears in the server's log. */
export class RequestError extends Error {
  override name = 'RequestError'
  readonly status: number
  /** Undefined if something before the server answered, such as a proxy. */
  readonly type: ErrorType | undefined
  readonly id: string | undefined
  readonly metadata: unknown
  /** In seconds, from `retry-after`. */
  readonly retryAfter: number | undefined

  constructor(response: Response, reply: Partial<ErrorReply> | null) {
    super(reply?.message ?? `The server responded with status ${response.status}`)
    this.status = response.status
    this.type = reply?.type
    this.id = reply?.id
    this.metadata = reply?.metadata
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(seconds) ? seconds : undefined
  }
}

/** No response arrived; the server may have processed the request. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}
