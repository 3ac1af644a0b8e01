import { type Static, Type as T } from 'typebox'
import { closed, Json, Timestamp } from '../../fields.ts'

/** A custom event between a chat client and the bot, in either direction. It is not a message. @component */
export const ChatEvent = closed({
  id: T.String(),
  createdAt: Timestamp,
  payload: Json,
  conversationId: T.String(),
  userId: T.String(),
})
export type ChatEvent = Static<typeof ChatEvent>
