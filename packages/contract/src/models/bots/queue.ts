import { type Static, Type as T } from 'typebox'
import { closed, nullable, Timestamp } from '../../fields.ts'
import { DeliveryKind } from './dead-letter.ts'

const count = T.Integer({ minimum: 0 })
const link = T.Optional(T.String())

/** `inProgress`: conversations whose deliveries a server works through now. */
export const QueueDepth = closed({
  pending: count,
  conversations: count,
  inProgress: count,
  oldestSeconds: T.Number({ minimum: 0 }),
  deadLetters: count,
})
export type QueueDepth = Static<typeof QueueDepth>

/** `conversation`: the id of the conversation, workflow or event with which it is in order. @component */
export const PendingDelivery = closed({
  id: T.String(),
  kind: DeliveryKind,
  conversation: T.String(),
  eventId: link,
  messageId: link,
  createdAt: Timestamp,
  attempts: count,
  /** After these it becomes a dead letter. */
  maxAttempts: count,
  /** Absent before the first failure. */
  nextAttemptAt: T.Optional(Timestamp),
  lastError: link,
})
export type PendingDelivery = Static<typeof PendingDelivery>

export const ScheduledItem = closed({
  id: T.String(),
  kind: T.Enum(['event', 'message']),
  type: T.String(),
  dueAt: Timestamp,
  createdAt: Timestamp,
  conversationId: link,
})
export type ScheduledItem = Static<typeof ScheduledItem>

/** `nextRunAt` is null for a blocked bot, or an expression without another time. */
export const UpcomingTick = closed({
  name: T.String(),
  type: T.String(),
  cron: T.String(),
  nextRunAt: nullable(Timestamp),
  failedAttempts: count,
  lastFailureReason: link,
})
export type UpcomingTick = Static<typeof UpcomingTick>
