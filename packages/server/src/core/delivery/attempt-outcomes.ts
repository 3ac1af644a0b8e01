// Converts the reply of a delivery's target, or its failure, to the outcome of the attempt.

import { type FailureReason, InvocationFailed } from '@botstead/sandbox'
import type { IssueCode } from '../bots/index.ts'
import type { DeliveryOutcome, Enqueued } from '../queue/index.ts'
import type { Reply } from './calls/invoker.ts'
import { endingIssues } from './ending-issues.ts'

/**
 * Maximum number of times that a delivery is postponed because of 429. A bot that continues to
 * flood the API then loses attempts, and its lane proceeds.
 */
const maxLimitedPostponements = 5
const maxLimitedPauseMs = 60_000

/**
 * Postpones a failed attempt in which a call-back got 429. It does not count and is repeated when
 * that call may pass.
 */
export function postponeIfLimited(
  delivery: Enqueued,
  outcome: DeliveryOutcome,
  msUntilFree: number,
): DeliveryOutcome {
  const { limited = 0 } = delivery
  if (outcome.result !== 'retry' && outcome.result !== 'failed') return outcome
  if (limited >= maxLimitedPostponements) return outcome
  delivery.limited = limited + 1
  return {
    result: 'postponed',
    reason: `A call to the API was rate limited (429): ${outcome.reason}`,
    pauseMs: Math.min(msUntilFree, maxLimitedPauseMs),
  }
}

/**
 * 2xx: done. 4xx: the target rejected the delivery, so it is not retried. All others may be
 * temporary: retried.
 */
export function toOutcome(reply: Reply): DeliveryOutcome {
  if (reply.status >= 200 && reply.status < 300) return { result: 'done' }
  const { reason, stack, isOfFlow } = errorIn(reply)
  if (reply.status >= 400 && reply.status < 500)
    return { result: 'failed', reason, issue: isOfFlow ? 'code_failed' : 'event_refused' }
  return {
    result: 'retry',
    reason,
    issue: 'event_failed',
    ...(stack !== null && { stack }),
  }
}

/** An SDK sends `message`. For hosted code that throws, the server sends `error` with the stack. */
function errorIn({ status, body }: Reply) {
  const { message, error, stack, issue } = parsed(body)
  const text = [message, error].find((one) => typeof one === 'string')
  return {
    reason:
      (text as string | undefined) ??
      `Answered ${status}${body ? `: ${body.slice(0, 500)}` : ''}`,
    stack: typeof stack === 'string' ? stack : null,
    /** The flow engine says that the author's code failed. */
    isOfFlow: issue === ('code_failed' satisfies IssueCode),
  }
}

/** A body that is not JSON does not come from an SDK; the reason then quotes it. */
function parsed(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body) ?? {}
  } catch {
    return {}
  }
}

export function toFailure(error: unknown): DeliveryOutcome {
  if (!(error instanceof InvocationFailed)) throw error
  // Code that loads without a handler has an ending: it fails like code that throws.
  if ((error.reason === 'no-code' && error.ending === null) || error.reason === 'blocked')
    return { result: 'ignored', reason: error.message }
  // No code was called, because a process that crashed earlier has not restarted yet; or a third party
  // was not, because it admits no more. That must not use up the attempts of this event.
  if (error.retryAfterMs !== null)
    return {
      result: 'postponed',
      reason: error.message,
      pauseMs: Math.min(
        error.retryAfterMs,
        error.reason === 'limited' ? maxLimitMs : maxPostponementMs,
      ),
    }
  // The invocation has already noted an issue, with details that the caller may not see.
  if (error.reason === 'not-allowed') return { result: 'retry', reason: error.message }
  const { reason, ending, message } = error
  const ended = ending === null || ending === 'ended' ? null : endingIssues[ending]
  return {
    result: 'retry',
    reason: message,
    issue: ended ?? issues[reason] ?? 'event_failed',
  }
}

const issues: Partial<Record<FailureReason, IssueCode>> = {
  timeout: 'time_exceeded',
  'too-large': 'answer_too_large',
  unreachable: 'bot_unreachable',
}

/** Providers of messengers name their own pause. */
const maxLimitMs = 600_000
/** Limited, because newly deployed code starts at once. */
const maxPostponementMs = 5_000
