import { type Static, Type as T } from 'typebox'
import { closed, Json, Timestamp } from '../../fields.ts'

const types = T.Enum(['custom', 'conversation_started'])

/** An event that a page or the webchat itself sends to the bot. @component */
export const WebchatEvent = closed({
  id: T.String(),
  createdAt: Timestamp,
  payload: closed({ type: types, data: Json }),
  conversationId: T.String(),
  userId: T.String(),
})
export type WebchatEvent = Static<typeof WebchatEvent>

/** @component */
export const NewWebchatEvent = T.Object({
  conversationId: T.String(),
  payload: T.Object({ type: types, data: Json }),
  bindConversation: T.Optional(T.Boolean()),
  bindUser: T.Optional(T.Boolean()),
})
