import { type Static, Type as T } from 'typebox'
import { closed, id, Timestamp } from '../../fields.ts'

const count = T.Integer({ minimum: 0 })

/** Counts stop at these numbers. */
export const overviewLimits = { openIssues: 1_000, messagesToday: 10_000 } as const

/**
 * A bot with its state. `failing`: the deployed code does not load, or the oldest delivery has been
 * pending for five minutes. `degraded`: there are dead letters, or an open issue of the last day.
 * @component
 */
export const BotOverview = closed({
  id: id('bot'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  name: T.String(),
  dev: T.Boolean(),
  blocked: T.Boolean(),
  deployedAt: T.Optional(Timestamp),
  /** The bot runs at a URL: it needs no code here. */
  atUrl: T.Boolean(),
  health: T.Enum(['ok', 'degraded', 'failing']),
  /** The error when the server loaded the deployed code. */
  loadError: T.Optional(T.String()),
  /** The open issue that was seen last. */
  lastFailure: T.Optional(
    closed({ issueId: id('iss'), message: T.String(), at: Timestamp }),
  ),
  pendingDeliveries: count,
  /** Age of the oldest pending delivery in seconds. */
  oldestPendingSeconds: T.Optional(T.Number({ minimum: 0 })),
  deadLetters: count,
  openIssues: count,
  /** Messages since midnight, UTC. */
  messagesToday: count,
})
export type BotOverview = Static<typeof BotOverview>
