// Signals that the streams of the Chat API have beside those of the external contract. Clients that
// do not know them ignore them.
import { type Static, Type as T } from 'typebox'
import { MessageCreated } from '../chat/signals.ts'
import { closed, Timestamp } from '../fields.ts'

const typing = { conversationId: T.String(), userId: T.String(), isBot: T.Boolean() }

/** The person who answers. */
export const Assignee = closed({ name: T.Optional(T.String()) })

/** A participant or the bot writes. Not stored. Ends after `timeout` milliseconds. */
export const TypingStarted = closed({
  type: T.Literal('typing_started'),
  data: closed({ ...typing, timeout: T.Integer() }),
})

export const TypingStopped = closed({
  type: T.Literal('typing_stopped'),
  data: closed(typing),
})

/** The payload of a message was changed. Not stored: listings have the new payload. */
export const MessageUpdated = closed({
  type: T.Literal('message_updated'),
  data: MessageCreated.properties.data,
})

/** A person who answers has read the messages up to this time. Not stored: `getReceipts` has it. */
export const MessagesRead = closed({
  type: T.Literal('messages_read'),
  data: closed({ conversationId: T.String(), readUntil: Timestamp }),
})

/** A person answers from now on, or should. Not stored: `getReceipts` says whether it is so. */
export const HandoffOpened = closed({
  type: T.Literal('handoff_opened'),
  data: closed({ conversationId: T.String(), openedAt: Timestamp }),
})

/**
 * A member has taken over the conversation; without `assignee`, the member has left it. The name is
 * absent if the account has none. Not stored: `getReceipts` has it.
 */
export const HandoffAssigned = closed({
  type: T.Literal('handoff_assigned'),
  data: closed({ conversationId: T.String(), assignee: T.Optional(Assignee) }),
})

/** People have returned the conversation to the bot. Not stored: `getReceipts` has the times. */
export const HandoffClosed = closed({
  type: T.Literal('handoff_closed'),
  data: closed({ conversationId: T.String(), closedAt: Timestamp }),
})

export const LiveSignal = T.Union([
  TypingStarted,
  TypingStopped,
  MessageUpdated,
  MessagesRead,
  HandoffOpened,
  HandoffAssigned,
  HandoffClosed,
])
export type LiveSignal = Static<typeof LiveSignal>

const types = new Set<string>(
  LiveSignal.anyOf.map(({ properties }) => properties.type.const),
)
export const isLiveSignalType = (type: string) => types.has(type)
