import { type Static, Type as T } from 'typebox'
import { Count, closed, nullable, Timestamp } from '../../fields.ts'

/** A call of a tool. `outcome`: a short text, such as the number of problems. */
const CopilotStep = closed({
  at: Timestamp,
  tool: T.String(),
  outcome: T.String(),
  failed: T.Boolean(),
})

/**
 * A request to the copilot. `cost` is in dollars. `answer` is for the person; `failure` the reason
 * of a `failed` run. `passedTests`: tests of the changed document, all of which pass; null without
 * a change.
 * @component
 */
export const CopilotRun = closed({
  number: Count,
  request: T.String(),
  state: T.Enum(['running', 'done', 'stopped', 'failed']),
  createdAt: Timestamp,
  createdBy: nullable(closed({ name: T.String() })),
  endedAt: nullable(Timestamp),
  baseRevision: Count,
  hasChange: T.Boolean(),
  passedTests: nullable(Count),
  answer: nullable(T.String()),
  failure: nullable(T.String()),
  steps: T.Array(CopilotStep),
  rounds: Count,
  tokens: Count,
  cost: T.Number({ minimum: 0 }),
})
export type CopilotRun = Static<typeof CopilotRun>

const used = { tokens: Count, dollars: T.Number({ minimum: 0 }) }

/**
 * What the copilot of a bot may use: for one request, and on this day (UTC).
 * @component
 */
export const CopilotAllowance = closed({
  /** Whether the bot has a language model. */
  hasModel: T.Boolean(),
  perRequest: closed({ rounds: Count, ...used }),
  perDay: closed(used),
  usedToday: closed(used),
})
export type CopilotAllowance = Static<typeof CopilotAllowance>
