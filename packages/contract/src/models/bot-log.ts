import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../fields.ts'

/** A line that a bot wrote, or that its owner has to know, and what it was about when it was written. */
export const BotLog = closed({
  timestamp: Timestamp,
  level: T.String(),
  message: T.String(),
  workflowId: T.Optional(T.String()),
  userId: T.Optional(T.String()),
  conversationId: T.Optional(T.String()),
})
export type BotLog = Static<typeof BotLog>
