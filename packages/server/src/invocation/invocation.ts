// The ways in which calling a bot or an integration ends without an answer of its own.

export type FailureReason =
  | 'no-code'
  | 'blocked'
  | 'timeout'
  | 'crash'
  | 'unreachable'
  | 'not-allowed'
  | 'too-large'
  | 'request-too-large'

export class InvocationFailed extends Error {
  readonly reason: FailureReason
  /** When it is no use to try earlier: the code crashed lately and starts again after this pause. */
  readonly retryAfterMs: number | null
  /** For the owner of the code or the URL only; others get `message`. */
  readonly detail: string
  constructor(
    reason: FailureReason,
    message: string,
    retryAfterMs: number | null = null,
    detail: string = message,
  ) {
    super(message)
    this.name = 'InvocationFailed'
    this.reason = reason
    this.retryAfterMs = retryAfterMs
    this.detail = detail
  }
}
