import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'

/** A note of a member about a conversation. Its users do not see it. @component */
export const ConversationNote = closed({
  id: T.String(),
  conversationId: T.String(),
  /** The author; absent for the bot, and after the account was deleted. */
  accountId: T.Optional(T.String()),
  text: T.String(),
  createdAt: Timestamp,
})
export type ConversationNote = Static<typeof ConversationNote>
