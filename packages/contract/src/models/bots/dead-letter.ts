import { type Static, Type as T } from 'typebox'
import { Count, closed, id, Moment, Timestamp } from '../../fields.ts'

export const DeliveryKind = T.Enum(['event', 'message', 'change'])

/**
 * Filters; without any, all match. The dates are an inclusive range of the last attempt (`failedAt`) or the
 * time of death (`diedAt`). `reason` is a case-insensitive substring.
 */
export const deliveryFilter = {
  kind: T.Optional(DeliveryKind),
  type: T.Optional(T.String({ maxLength: 200 })),
  conversationId: T.Optional(id('conv')),
  reason: T.Optional(T.String({ minLength: 1, maxLength: 500 })),
  afterDate: T.Optional(Moment),
  beforeDate: T.Optional(Moment),
}

/**
 * A delivery that failed in its last attempt: of an event to the bot, or of a message or message
 * change to the integration of its conversation, also one that the integration rejected. It is
 * stored until it is redelivered or discarded.
 * @component
 */
export const DeadLetter = closed({
  id: id('dlv'),
  kind: DeliveryKind,
  /** Type of the event or message. */
  type: T.Optional(T.String()),
  conversationId: T.Optional(id('conv')),
  eventId: T.Optional(id('evt')),
  messageId: T.Optional(id('msg')),
  /** Includes the attempts of redeliveries. */
  attempts: Count,
  /** Error of the last attempt. */
  reason: T.String(),
  createdAt: Timestamp,
  /** Time at which the delivery became a dead letter. */
  diedAt: Timestamp,
})
export type DeadLetter = Static<typeof DeadLetter>

/** A failed attempt. `stack` is the stack trace, if the bot sent one. @component */
export const DeliveryAttempt = closed({
  number: T.Integer({ minimum: 1 }),
  startedAt: Timestamp,
  ms: Count,
  error: T.String(),
  stack: T.Optional(T.String()),
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>
