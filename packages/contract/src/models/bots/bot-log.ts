import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'

/**
 * A log line from a bot's code, or from the server for the bot's owner, with the ids of its
 * context.
 * @component
 */
export const BotLog = closed({
  timestamp: Timestamp,
  level: T.String(),
  message: T.String(),
  workflowId: T.Optional(T.String()),
  userId: T.Optional(T.String()),
  conversationId: T.Optional(T.String()),
})
export type BotLog = Static<typeof BotLog>

/** A log line as the Platform API shows it. @component */
export const LogLine = closed({
  id: T.String(),
  ...BotLog.properties,
  eventId: T.Optional(T.String()),
})
export type LogLine = Static<typeof LogLine>
