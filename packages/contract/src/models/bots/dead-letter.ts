import { type Static, Type as T } from 'typebox'
import { Count, closed, id, Timestamp } from '../../fields.ts'

export const DeliveryKind = T.Enum(['event', 'message', 'change'])

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
