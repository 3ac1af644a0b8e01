import { type Static, Type as T } from 'typebox'
import { Count, closed, id, Timestamp } from '../../fields.ts'
import { DeliveryKind } from './dead-letter.ts'

/**
 * An event that the bot rejected or failed to handle, or a message or message change that the
 * integration of its conversation did not send.
 * @component
 */
export const Failure = closed({
  /** Of the event; of the delivery for messages and changes. */
  id: T.String({ maxLength: 36, examples: ['evt_01KAJ0ZP5S8V3N7Q4XW2R9TDHM'] }),
  kind: DeliveryKind,
  /** Whether the server delivers it again by itself. Otherwise it waits for a redelivery. */
  isRetried: T.Boolean(),
  /** Of one that is retried; an estimate. */
  nextAttemptAt: T.Optional(Timestamp),
  /** Type of the event or message. */
  type: T.Optional(T.String()),
  conversationId: T.Optional(id('conv')),
  eventId: T.Optional(id('evt')),
  messageId: T.Optional(id('msg')),
  /** The dead letter, which has the attempts and the payload. Rejected events have none. */
  deadLetterId: T.Optional(id('dlv')),
  attempts: Count,
  /** Error of the last attempt. */
  reason: T.String(),
  createdAt: Timestamp,
  /** Time of the last attempt. */
  failedAt: Timestamp,
})
export type Failure = Static<typeof Failure>
