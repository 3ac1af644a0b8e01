import { type Static, Type as T } from 'typebox'
import { Count, closed, id, Timestamp } from '../fields.ts'

export const DeliveryKind = T.Enum(['event', 'message', 'change'])

/**
 * A delivery that was given up after its last attempt: of an event to the bot, or of a message, or a change in one, to the integration of its conversation.
 * It stays until it is redelivered or discarded.
 */
export const DeadLetter = closed({
  id: id('dlv'),
  kind: DeliveryKind,
  /** Of the event, or of the message. */
  type: T.Optional(T.String()),
  conversationId: T.Optional(id('conv')),
  eventId: T.Optional(id('evt')),
  messageId: T.Optional(id('msg')),
  /** So far, redeliveries included. */
  attempts: Count,
  /** Of the last attempt. */
  reason: T.String(),
  createdAt: Timestamp,
  /** When it was given up. */
  diedAt: Timestamp,
})
export type DeadLetter = Static<typeof DeadLetter>

/** One call that did not go well. `stack` is where, when the bot said so. */
export const DeliveryAttempt = closed({
  number: T.Integer({ minimum: 1 }),
  startedAt: Timestamp,
  ms: Count,
  error: T.String(),
  stack: T.Optional(T.String()),
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>
