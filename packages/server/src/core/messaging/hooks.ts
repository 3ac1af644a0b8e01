// What features do with conversations. A feature adds its functions while the server starts; they are called
// in the order of the lists. An empty list costs a look at its length.

import type { Event } from '@botstead/contract'
import type { Database, Db } from '../db/index.ts'
import type { UserKey } from '../http/index.ts'
import type { Queue } from '../queue/index.ts'
import type { ChangeFeed, Signals, Stops } from '../realtime/index.ts'
import type { NewMessage, WrittenMessage } from './messages/message-types.ts'

/** What changes conversations. Inside of a transaction, its effects on others wait for the commit. */
export interface ConversationDeps {
  database: Database
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  signals: Signals
  stops: Pick<Stops, 'stop'>
  changeFeed: Pick<ChangeFeed, 'publish'>
}

/** A message with a complete answer. */
export interface Answered {
  botId: string
  conversationId: string
  /** The event of the message. */
  cause: string
  /** The delivery of the event has failed, and is not over yet. */
  hasFailed?: boolean
}

/** The delivery of a message to its integration has ended; a provider may report a failure later. */
interface DeliveredMessage {
  botId: string
  messageId: string
  tags: Record<string, string>
  /** Why the integration did not get it; null if it did. */
  reason: string | null
}

export type ChatAction = (
  deps: ConversationDeps,
  caller: { botId: string; cause: string | null },
  input: Record<string, unknown>,
) => Promise<Record<string, unknown>>

/** As in the appearance of a chat. */
export interface ChatGreeting {
  greeting: string
  suggestions: string[]
}

export interface MessagingHooks {
  /**
   * May store a message together with what belongs to it. Returns null for a message that is only
   * stored.
   */
  takeMessage: ((
    message: NewMessage,
  ) => Promise<((deps: ConversationDeps) => Promise<WrittenMessage>) | null> | null)[]
  /** The last attempt to answer a message has ended. */
  messageAnswered: ((deps: ConversationDeps, answered: Answered) => Promise<void>)[]
  /** Before the outcome is recorded: a crash in between repeats it. */
  messageDelivered: ((db: Db, delivered: DeliveredMessage) => Promise<void>)[]
  /** Inside of the transaction in which a user rates a message. */
  messageRated: ((
    deps: ConversationDeps,
    message: { botId: string; conversationId: string; id: string },
  ) => Promise<void>)[]
  /** A user has come to a chat with a key that the operator signed. */
  userSigned: ((
    user: { botId: string; userId: string },
    key: Pick<UserKey, 'claim' | 'signedAddresses'>,
  ) => Promise<void>)[]
  /** Returns whether people hold the conversation. */
  isHandedOver: ((db: Db, botId: string, conversationId: string) => Promise<boolean>)[]
  /** Code has changed tags of a conversation; null removes one. */
  conversationTagged: ((
    deps: ConversationDeps,
    conversation: { botId: string; id: string },
    tags: Record<string, string | null>,
  ) => Promise<void>)[]
  /** Returns what the bot says first by language, or by an empty name if it has one language. */
  findGreetings: ((botId: string) => Promise<Record<string, ChatGreeting>>)[]
  /** Checks what an event that a caller creates refers to in other modules. Throws ReferenceNotFound. */
  checkEvent: ((db: Db, botId: string, event: { workflowId?: string }) => Promise<void>)[]
  /** Adds the current data of other modules to events that a caller reads. */
  completeEvents: ((db: Db, botId: string, events: Event[]) => Promise<Event[]>)[]
  /** Further actions of the built-in chat, by name. */
  chatActions: Map<string, ChatAction>
}
