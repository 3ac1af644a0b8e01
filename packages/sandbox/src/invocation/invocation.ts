// Why a call to a bot or an integration failed without a response from its code.

import type { RunnerEnd } from '../sandbox.ts'

export type FailureReason =
  | 'no-code'
  | 'blocked'
  | 'timeout'
  | 'stopped'
  | 'crash'
  | 'unreachable'
  | 'not-allowed'
  | 'too-large'
  | 'request-too-large'
  /** The third party admits no more calls now. */
  | 'limited'

export class InvocationFailed extends Error {
  readonly reason: FailureReason
  /** Retrying earlier is useless: crashed code starts again, or a third party admits calls again, then. */
  readonly retryAfterMs: number | null
  /** Shown only to the owner of the code or the URL; other callers get `message`. */
  readonly detail: string
  /** Set if the code's process ended. An issue of the bot has noted the end already. */
  ending: RunnerEnd | null = null
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

  static ofEnding(
    ending: RunnerEnd,
    reason: FailureReason,
    message: string,
  ): InvocationFailed {
    return Object.assign(new InvocationFailed(reason, message), { ending })
  }
}
