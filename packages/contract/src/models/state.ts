import { type Static, Type as T } from 'typebox'
import { closed, id, Json, Timestamp } from '../fields.ts'

/** Of what something is remembered. */
export const StateType = T.Enum(['conversation', 'user', 'bot', 'integration', 'workflow'])
export type StateType = Static<typeof StateType>

/** What a bot or an integration remembers under a name, of a conversation, a user, a workflow or itself. */
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
  /** In milliseconds from the last use; absent for a state that lasts. Clients newer than 1.82 read these two. */
  expiry: T.Optional(T.Number()),
  expiresAt: T.Optional(Timestamp),
})
export type State = Static<typeof State>
