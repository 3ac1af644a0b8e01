import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'

/** A conversation in the chat API, without its owner. @component */
export const ChatConversation = closed({
  id: T.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type ChatConversation = Static<typeof ChatConversation>
