// Builds the event object (event-types.ts) from DeliveredEvent, the event as the server delivers it.

import { preview } from '../tracing/preview.ts'
import type {
  BotEvent,
  DeliveredEvent,
  EventKnowledge,
  EventState,
  EventTags,
  EventTrigger,
  OutgoingEvent,
} from './event-types.ts'

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
      integration: integration ?? conversation?.integration ?? toAlias(delivered.type),
      kb,
      messageId: delivered.messageId ?? message?.id,
      trigger,
      userId: delivered.userId,
      tags: toTags({
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
  const { botId, state, conversationId, integration, userId, tags, trigger, kb } =
    incoming
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
      tags: toTags({
        conversation: tags?.conversation,
        user: tags?.user,
        message: message.tags,
      }),
    }),
  }
}

/** Events of integrations are named `alias:event`. */
const toAlias = (type: string) =>
  type.includes(':') ? type.slice(0, type.indexOf(':')) : undefined

function toTags(
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
