import { type Static, Type as T } from 'typebox'
import { closed, id, Json, Tags, Timestamp } from '../fields.ts'

/** Set on what was said elsewhere before: it is kept for the record and handed to nobody. */
export const MessageOrigin = T.Enum(['synthetic'])

/** Incoming is what an integration brings to the bot, outgoing what the bot says; the author does not decide it. */
export const Message = closed({
  id: id('msg'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  type: T.String({ maxLength: 200 }),
  payload: Json,
  direction: T.Enum(['incoming', 'outgoing']),
  userId: id('user'),
  conversationId: id('conv'),
  tags: Tags,
  origin: T.Optional(MessageOrigin),
})
export type Message = Static<typeof Message>
