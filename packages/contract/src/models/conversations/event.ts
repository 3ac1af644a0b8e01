import { type Static, Type as T } from 'typebox'
import { closed, id, Json, nullable, Timestamp } from '../../fields.ts'

export const EventStatus = T.Enum([
  'pending',
  'processed',
  'ignored',
  'failed',
  'scheduled',
  'canceled',
])

/** An event that the server delivers to the bot. `status` is the state of its delivery. @component */
export const Event = closed({
  id: id('evt'),
  createdAt: Timestamp,
  type: T.String({ maxLength: 200 }),
  payload: Json,
  conversationId: T.Optional(id('conv')),
  userId: T.Optional(id('user')),
  messageId: T.Optional(id('msg')),
  workflowId: T.Optional(id('wrkflow')),
  status: EventStatus,
  failureReason: nullable(T.String({ maxLength: 2000 })),
})
export type Event = Static<typeof Event>
