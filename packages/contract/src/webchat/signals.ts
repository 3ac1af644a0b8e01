// The signals in the streams of the Webchat API, one JSON object per frame.
import { type Static, Type as T } from 'typebox'
import {
  EventCreated,
  MessageDeleted,
  MessageStreamAbort,
  MessageStreamDelta,
} from '../chat/signals.ts'
import { closed, Json } from '../fields.ts'
import { ChatConversation } from '../models/chat/chat-conversation.ts'
import { WebchatMessage } from '../models/chat/webchat-message.ts'
import { WebchatUser } from '../models/chat/webchat-user.ts'

/** The first frame of `initialize`. Messages are the newest ones, newest first. */
export const InitialSignal = closed({
  type: T.Literal('init'),
  data: closed({
    conversation: ChatConversation,
    messages: T.Array(WebchatMessage),
    participants: T.Array(WebchatUser),
    user: closed({ ...WebchatUser.properties, userKey: T.String() }),
  }),
})
export type InitialSignal = Static<typeof InitialSignal>

const signal = <const Name extends string, S extends Parameters<typeof closed>[0]>(
  type: Name,
  data: S,
) => closed({ type: T.Literal(type), data: closed(data) })

export const WebchatSignal = T.Union([
  closed({ type: T.Literal('message_created'), data: WebchatMessage }),
  closed({ type: T.Literal('message_updated'), data: WebchatMessage }),
  // Precedes the `message_created` of the user's own message.
  signal('message_status_changed', {
    message: WebchatMessage,
    newStatus: T.Literal('processing'),
  }),
  signal('participant_added', { conversationId: T.String(), participant: WebchatUser }),
  signal('participant_removed', {
    conversationId: T.String(),
    participantId: T.String(),
  }),
  signal('typing_started', { timeout: T.Optional(T.Number()) }),
  signal('typing_stopped', {}),
  signal('webchat_visibility', { visibility: T.Enum(['show', 'hide', 'toggle']) }),
  signal('webchat_config', { config: Json }),
  signal('custom', { event: Json }),
  // Only with `live`. The event shows that an answer was stopped.
  MessageStreamDelta,
  MessageStreamAbort,
  EventCreated,
  MessageDeleted,
])
export type WebchatSignal = Static<typeof WebchatSignal>
