import { type Static, Type as T } from 'typebox'
import { closed, Json, Timestamp } from '../../fields.ts'
import { ChatPayload } from './chat-payload.ts'

/** A message in the chat API. The server returns the sender's `metadata` unchanged. */
export const chatMessage = {
  id: T.String(),
  createdAt: Timestamp,
  payload: ChatPayload,
  userId: T.String(),
  conversationId: T.String(),
  metadata: T.Optional(Json),
}
/** @component */
export const ChatMessage = closed(chatMessage)
export type ChatMessage = Static<typeof ChatMessage>
