// Traces, as models read them.
import type { AnswerTrace } from '@botstead/contract'
import { preview, type TurnTrace, traceText } from '@botstead/flows/seeing'

const maxTrace = 15_000
const maxText = 4_000
const maxItems = 20

const short = (text: string) =>
  text.length > maxText ? `${text.slice(0, maxText).toWellFormed()}…` : text

/** The messages, the steps and the failures of a turn. */
export function toAnswer({
  event,
  messages,
  turn,
  failedAttempts,
  logs,
  actions,
}: AnswerTrace) {
  return {
    status: event.status,
    ...(event.failureReason !== null && { failure: event.failureReason }),
    answers: messages
      .filter(({ direction }) => direction === 'outgoing')
      .slice(0, maxItems)
      .map(({ type, payload }) => ({ type, text: short(preview(type, payload)) })),
    ...(turn && {
      trace: traceText(turn as unknown as TurnTrace)
        .slice(0, maxTrace)
        .toWellFormed(),
    }),
    ...(failedAttempts.length > 0 && {
      failedAttempts: failedAttempts
        .slice(-3)
        .map((attempt) => short(JSON.stringify(attempt))),
    }),
    ...(logs.length > 0 && {
      logs: logs
        .slice(-maxItems)
        .map(({ level, message }) => `${level}: ${short(message)}`),
    }),
    ...(actions.length > 0 && {
      actions: actions.slice(0, maxItems).map((run) => short(JSON.stringify(run))),
    }),
  }
}
