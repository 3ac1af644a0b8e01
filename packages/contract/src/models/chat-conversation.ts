import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../fields.ts'

/** A conversation as chat clients see it. Whose it is stays on the server. */
export const ChatConversation = closed({ id: T.String(), createdAt: Timestamp, updatedAt: Timestamp })
export type ChatConversation = Static<typeof ChatConversation>
