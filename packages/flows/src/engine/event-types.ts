// The event object of the author's code and `{{ }}`. Bots depend on its shape, so fields are never
// removed. Only types: this text is part of the declarations that editors of code files read.

/** `incoming`: from a user or an integration. `outgoing`: a message of the bot. */
export type EventDirection = 'incoming' | 'outgoing'

/** Position and session values of the conversation. */
export interface EventState {
  /** Undeclared values, kept until the conversation ends. Same object as the global `session`. */
  session: Record<string, unknown>
  /** Names of the current flow, node and card in bot.json. */
  context: EventContext
}

export interface EventContext {
  /** In conditions of triggers, where the conversation waits. Absent before the first node of the turn. */
  currentFlow?: string
  currentNode?: string
  currentCard?: string
}

/** Tags as the bot sees them. Tags of an integration begin with its name and a colon. */
export interface EventTags {
  conversation?: Record<string, string>
  message?: Record<string, string>
  user?: Record<string, string>
}

/** A passage that a knowledge search found. */
export interface KnowledgeResult {
  content: string
  /** Relevance between 0 and 1; higher is better. */
  score: number
  /** Title of the passage's file, if it has one. */
  title?: string
  /** Address of the web page that the file contains. */
  url?: string
  /** Page of the passage, in files with pages. */
  page?: number
  fileId: string
  fileKey: string
  /** Name of the knowledge base, if known. */
  knowledgeBase?: string
}

/** The knowledge search of this turn. */
export interface EventKnowledge {
  /** Names of the searched knowledge bases. */
  included: string[]
  /** Passages, best first. Absent before the first search. */
  results?: KnowledgeResult[]
}

/** The trigger that started the current flow. */
export interface EventTrigger {
  flowId: string
  nodeId: string
  conversationId?: string
  /** Name of the event that fired the trigger. */
  eventName?: string
  /** Alias of the integration that sent the event. */
  integration?: string
  userId?: string
}

/** The last event that reached the bot, in hooks, actions, code cards and `{{ }}`. */
export interface BotEvent {
  /** Id of the bot. */
  botId: string
  /** Conversation of the event; absent for events of the bot itself, such as schedules. */
  conversationId?: string
  /** Creation time; ISO 8601 in JSON. */
  createdOn: Date
  direction: EventDirection
  /** Id of the event; the same when the server delivers it again. */
  id: string
  /** Alias of the event's integration. */
  integration?: string
  kb?: EventKnowledge
  /** Id of the event's message. */
  messageId?: string
  /** Payload of the message (`{ text }` for a text), or of the event. */
  // biome-ignore lint/suspicious/noExplicitAny: authors know the fields of their events
  payload: Record<string, any>
  /** Text of a text message or voice note, plain text of any other message, type of any other event. */
  preview: string
  state: EventState
  tags?: EventTags
  trigger?: EventTrigger
  /** Type of the message (`text`, `image` …), or name of the event. */
  type: string
  /** Id of the event's user. */
  userId?: string
}

/** A message that the bot is about to send. */
export interface OutgoingEvent extends BotEvent {
  /** Id of the event that the message answers. */
  incomingEventId?: string
}

/** An event as the server delivers it. */
export interface DeliveredEvent {
  id: string
  createdAt: string
  type: string
  payload: Record<string, unknown>
  conversationId?: string | undefined
  userId?: string | undefined
  messageId?: string | undefined
}
