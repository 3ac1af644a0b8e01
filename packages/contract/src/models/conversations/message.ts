import { type Static, Type as T } from 'typebox'
import { closed, id, Json, Tags, Timestamp } from '../../fields.ts'

/** Set on imported messages, which the server stores but does not deliver. */
export const MessageOrigin = T.Enum(['synthetic'])

/**
 * Messages created by integrations are incoming, by bots outgoing, regardless of the author
 * (`userId`).
 * @component
 */
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
