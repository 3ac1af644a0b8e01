import { type Static, Type as T } from 'typebox'
import { closed, id, Json, Timestamp } from '../../fields.ts'

/** The kind of object to which a state belongs. */
export const StateType = T.Enum([
  'conversation',
  'user',
  'bot',
  'integration',
  'workflow',
])
export type StateType = Static<typeof StateType>

/**
 * A named value that a bot or integration stores for a conversation, user or workflow, or for
 * itself.
 * @component
 */
export const State = closed({
  id: id('state'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  botId: id('bot'),
  conversationId: T.Optional(id('conv')),
  userId: T.Optional(id('user')),
  name: T.String({ maxLength: 200 }),
  type: StateType,
  payload: Json,
  /**
   * Milliseconds after the last use; absent if the state does not expire. For clients newer than
   * 1.82.
   */
  expiry: T.Optional(T.Number()),
  expiresAt: T.Optional(Timestamp),
})
export type State = Static<typeof State>
