// Owns the event object: what an author's code and `{{ }}` see of what happened. Its shape is part of what bots are written against: nothing is taken away.
// How it looks on the wire to any bot, from which it is made, is TellableEvent.
import { preview } from './preview.ts'

/** `incoming`: what reached the bot, from a user or an integration. `outgoing`: what the bot says. */
export type EventDirection = 'incoming' | 'outgoing'

/** Where the bot stands, and what it remembers of this session. */
export interface EventState {
  /** Free for the author's use; the same object as the global `session`. It is kept until the conversation ends. */
  session: Record<string, unknown>
  /** The position, by the names that flows, nodes and cards have in bot.json. */
  context: EventContext
}

export interface EventContext {
  /** Absent before the first node of the turn. */
  currentFlow?: string
  currentNode?: string
  currentCard?: string
}

/** Tags as the bot sees them: those of an integration begin with its name and a colon. */
export interface EventTags {
  conversation?: Record<string, string>
  message?: Record<string, string>
  user?: Record<string, string>
}

/** One passage that a knowledge base was found to have. */
export interface KnowledgeResult {
  content: string
  /** Between 0 and 1; more is better. */
  score: number
  /** Of the file it stands in, when that has one. */
  title?: string
  fileId: string
  fileKey: string
  /** The knowledge base, when it is known. */
  knowledgeBase?: string
}

/** The knowledge bases that were asked in this turn, and what they had. */
export interface EventKnowledge {
  /** Names of the knowledge bases that were asked. */
  included: string[]
  /** The best first. Absent when nothing was asked yet. */
  results?: KnowledgeResult[]
}

/** The trigger that began what is going on. */
export interface EventTrigger {
  flowId: string
  nodeId: string
  conversationId?: string
  /** The event that the trigger waits for. */
  eventName?: string
  /** Alias of the integration whose event it was. */
  integration?: string
  userId?: string
}

/** The last event of the conversation: in hooks, actions, code cards, and in `{{ }}`. */
export interface BotEvent {
  /** Id of the bot that the event reached. */
  botId: string
  /** The conversation in which it took place; absent for events of the bot as a whole, like a schedule. */
  conversationId?: string
  /** When it was created. As JSON: ISO 8601. */
  createdOn: Date
  direction: EventDirection
  /** Of this event alone; the same when an event is told again. */
  id: string
  /** Alias of the integration on which it occurred. */
  integration?: string
  kb?: EventKnowledge
  /** The message that the event is about. */
  messageId?: string
  /** Of a message, what was said: `{text}` for a text. Of any other event, what it carries. */
  // biome-ignore lint/suspicious/noExplicitAny: authors read what they know to be there
  payload: Record<string, any>
  /** In plain text: of a text message the text itself, of any other message what a terminal would show, of another event its type. */
  preview: string
  state: EventState
  tags?: EventTags
  trigger?: EventTrigger
  /** Of a message its type (`text`, `image` …), otherwise the name of the event. */
  type: string
  /** Who said it, or whom it is about. */
  userId?: string
}

/** What the bot is about to say. */
export interface OutgoingEvent extends BotEvent {
  /** The event that it answers. */
  incomingEventId?: string
}

/** An event as bots are told it. */
export interface TellableEvent {
  id: string
  createdAt: string
  type: string
  payload: Record<string, unknown>
  conversationId?: string | undefined
  userId?: string | undefined
  messageId?: string | undefined
}

/** What the engine knows beside the event itself. */
export interface EventSurroundings {
  botId: string
  state: EventState
  /** Alias; where the event does not say it. */
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

export function incomingEvent(
  told: TellableEvent,
  { botId, state, integration, tags, trigger, kb }: EventSurroundings,
): BotEvent {
  const { message, user, conversation } = (told.type === 'message_created' ? told.payload : {}) as Record<
    'message' | 'user' | 'conversation',
    Shown | undefined
  >
  const type = message?.type ?? told.type
  const payload = message ? (message.payload ?? {}) : told.payload
  return {
    ...{ botId, id: told.id, direction: 'incoming', type, payload, state },
    createdOn: new Date(told.createdAt),
    preview: message ? preview(type, payload) : type,
    ...present({
      conversationId: told.conversationId,
      integration: integration ?? conversation?.integration ?? aliasOf(told.type),
      ...{ kb, messageId: told.messageId ?? message?.id, trigger, userId: told.userId },
      tags: tagsOf({
        conversation: conversation?.tags,
        message: message?.tags,
        user: user?.tags,
        ...present(tags ?? {}),
      }),
    }),
  }
}

/** What the bot is about to say, in answer to `incoming`. It has no message yet, so it has no `messageId`. */
export function outgoingEvent(
  incoming: BotEvent,
  said: {
    id: string
    type: string
    payload: Record<string, unknown>
    at: Date
    tags?: Record<string, string>
  },
): OutgoingEvent {
  const { botId, state, conversationId, integration, userId, tags, trigger, kb } = incoming
  return {
    ...{
      botId,
      id: said.id,
      direction: 'outgoing',
      type: said.type,
      payload: said.payload,
      state,
      incomingEventId: incoming.id,
    },
    createdOn: said.at,
    preview: preview(said.type, said.payload),
    ...present({ conversationId, integration, userId, trigger, kb }),
    ...present({ tags: tagsOf({ conversation: tags?.conversation, user: tags?.user, message: said.tags }) }),
  }
}

/** Events of integrations are named `alias:event`. */
const aliasOf = (type: string) => (type.includes(':') ? type.slice(0, type.indexOf(':')) : undefined)

function tagsOf(tags: { [Kind in keyof EventTags]: EventTags[Kind] | undefined }): EventTags | undefined {
  const given = present(tags)
  return Object.keys(given).length ? given : undefined
}

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Absent, not undefined: an author's `'kb' in event` tells the truth. */
function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<Fields>
}
