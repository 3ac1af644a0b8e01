import { type Static, Type as T } from 'typebox'
import { closed, Json, Timestamp } from '../../fields.ts'
import { WebchatPayload } from './webchat-payload.ts'

/** The rating of a message by a user. */
export const webchatFeedback = {
  value: T.Enum(['positive', 'negative']),
  comment: T.Optional(T.String({ maxLength: 2000 })),
}

/** A message in the Webchat API. The official webchat can show every payload. @component */
export const WebchatMessage = closed({
  id: T.String(),
  createdAt: Timestamp,
  payload: WebchatPayload,
  userId: T.String(),
  conversationId: T.String(),
  metadata: T.Optional(Json),
  /** The message that this one replies to. */
  replyTo: T.Optional(T.String()),
  /** The user who selected this message. */
  selectedBy: T.Optional(T.String()),
  feedback: T.Optional(closed(webchatFeedback)),
})
export type WebchatMessage = Static<typeof WebchatMessage>
