// The event object of the author's code and `{{ }}`. Bots depend on its shape, so fields are never
// removed. It is built from DeliveredEvent, the event as the server delivers it.
import { preview } from './preview.ts'

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
  /** Absent before the first node of the turn. */
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
  /** Text of a text message, plain text of any other message, type of any other event. */
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

/** Further data of an event. */
export interface EventSurroundings {
  botId: string
  state: EventState
  /** Alias of the integration; by default taken from the event. */
  integration?: string | undefined
  tags?: EventTags | undefined
  trigger?: EventTrigger | undefined
  kb?: EventKnowledge | undefined
}

type Shown = {
  id?: string
  type?: string
  payload?: Record<string, unknown>
  tags?: Record<string, string>
  integration?: string
}

/** Builds the event object of a delivered event. */
export function incomingEvent(
  delivered: DeliveredEvent,
  { botId, state, integration, tags, trigger, kb }: EventSurroundings,
): BotEvent {
  const { message, user, conversation } = (
    delivered.type === 'message_created' ? delivered.payload : {}
  ) as Record<'message' | 'user' | 'conversation', Shown | undefined>
  const type = message?.type ?? delivered.type
  const payload = message ? (message.payload ?? {}) : delivered.payload
  return {
    botId,
    id: delivered.id,
    direction: 'incoming',
    type,
    payload,
    state,
    createdOn: new Date(delivered.createdAt),
    preview: message ? preview(type, payload) : type,
    ...present({
      conversationId: delivered.conversationId,
      integration: integration ?? conversation?.integration ?? aliasOf(delivered.type),
      kb,
      messageId: delivered.messageId ?? message?.id,
      trigger,
      userId: delivered.userId,
      tags: tagsOf({
        conversation: conversation?.tags,
        message: message?.tags,
        user: user?.tags,
        ...present(tags ?? {}),
      }),
    }),
  }
}

/**
 * Builds the event object of a message to be sent. It has no `messageId`, since the message does
 * not exist yet.
 */
export function outgoingEvent(
  incoming: BotEvent,
  message: {
    id: string
    type: string
    payload: Record<string, unknown>
    at: Date
    tags?: Record<string, string>
  },
): OutgoingEvent {
  const { botId, state, conversationId, integration, userId, tags, trigger, kb } = incoming
  return {
    botId,
    id: message.id,
    direction: 'outgoing',
    type: message.type,
    payload: message.payload,
    state,
    incomingEventId: incoming.id,
    createdOn: message.at,
    preview: preview(message.type, message.payload),
    ...present({ conversationId, integration, userId, trigger, kb }),
    ...present({
      tags: tagsOf({ conversation: tags?.conversation, user: tags?.user, message: message.tags }),
    }),
  }
}

/** Events of integrations are named `alias:event`. */
const aliasOf = (type: string) =>
  type.includes(':') ? type.slice(0, type.indexOf(':')) : undefined

function tagsOf(
  tags: { [Kind in keyof EventTags]: EventTags[Kind] | undefined },
): EventTags | undefined {
  const given = present(tags)
  return Object.keys(given).length ? given : undefined
}

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Removes undefined fields, so that an author can test `'kb' in event`. */
function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<Fields>
}
