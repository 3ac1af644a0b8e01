import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'
import { User } from './user.ts'

/**
 * A user with its activity. `integration` is the alias of the integration that created the
 * user. Counts end at 1,000.
 * @component
 */
export const FoundUser = closed({
  user: User,
  /** Id that the chat client chose. */
  fid: T.Optional(T.String()),
  integration: T.Optional(T.String()),
  /** Set for a member of the workspace who answers people in place of the bot. */
  isMember: T.Optional(T.Boolean()),
  /** Set for one of several users that are the same person. */
  isMerged: T.Optional(T.Boolean()),
  /** Names of the states that the bot keeps of the user; not in lists. */
  states: T.Optional(T.Array(T.String())),
  conversationCount: T.Integer(),
  /** The last message in the conversations of the user. */
  lastActiveAt: T.Optional(Timestamp),
})
export type FoundUser = Static<typeof FoundUser>
