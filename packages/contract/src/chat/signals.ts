// The signals in the stream of a conversation, one JSON object per frame. Ids are those of the chat
// API.
import { type Static, Type as T } from 'typebox'
import { closed, Json, nullable, Timestamp } from '../fields.ts'
import { ChatMessage, chatMessage } from '../models/chat/chat-message.ts'

/** A new message. The sender receives the signal as well. */
export const MessageCreated = closed({
  type: T.Literal('message_created'),
  data: closed({ ...chatMessage, isBot: T.Boolean() }),
})

export const MessageDeleted = closed({
  type: T.Literal('message_deleted'),
  data: closed({ id: T.String(), conversationId: T.String(), userId: T.String() }),
})

/** A part of a message that the bot is streaming. Not stored: only current listeners receive it. */
export const MessageStreamDelta = closed({
  type: T.Literal('message_stream_delta'),
  data: closed({
    streamId: T.String(),
    conversationId: T.String(),
    userId: T.String(),
    createdAt: Timestamp,
    clientMessageId: T.Optional(T.String()),
    sequence: T.Number(),
    delta: T.String(),
  }),
})

/** The end of a streamed message, with the complete message. Its message_created follows. */
export const MessageStreamComplete = closed({
  type: T.Literal('message_stream_complete'),
  data: closed({ streamId: T.String(), message: ChatMessage }),
})

export const MessageStreamAbort = closed({
  type: T.Literal('message_stream_abort'),
  data: closed({ streamId: T.String(), conversationId: T.String() }),
})

/**
 * A custom event from a user or the bot. An event from the bot is not stored, so its id is null.
 */
export const EventCreated = closed({
  type: T.Literal('event_created'),
  data: closed({
    id: nullable(T.String()),
    createdAt: Timestamp,
    payload: Json,
    conversationId: T.String(),
    userId: T.String(),
    isBot: T.Boolean(),
  }),
})

const participation = closed({ conversationId: T.String(), participantId: T.String() })
export const ParticipantAdded = closed({
  type: T.Literal('participant_added'),
  data: participation,
})
export const ParticipantRemoved = closed({
  type: T.Literal('participant_removed'),
  data: participation,
})

export const Signal = T.Union([
  MessageCreated,
  MessageStreamDelta,
  MessageStreamComplete,
  MessageStreamAbort,
  EventCreated,
  ParticipantAdded,
  ParticipantRemoved,
  MessageDeleted,
])
export type Signal = Static<typeof Signal>

const types = new Set<string>(Signal.anyOf.map(({ properties }) => properties.type.const))
/** Whether the Chat API has this type of signal; some are for webchats only. */
export const isSignalType = (type: string) => types.has(type)
