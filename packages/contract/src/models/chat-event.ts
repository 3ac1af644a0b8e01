import { type Static, Type as T } from 'typebox'
import { closed, Json, Timestamp } from '../fields.ts'

/** Something that a chat client tells the bot, or the bot the client, without saying it in the conversation. */
export const ChatEvent = closed({
  id: T.String(),
  createdAt: Timestamp,
  payload: Json,
  conversationId: T.String(),
  userId: T.String(),
})
export type ChatEvent = Static<typeof ChatEvent>
