import { type Static, Type as T } from 'typebox'
import { closed, Tags, Timestamp } from '../../fields.ts'
import { Message } from './message.ts'

const text = T.Optional(T.String())
const at = T.Optional(Timestamp)

export const newHandoff = {
  /** Why the bot cannot answer. */
  reason: T.Optional(T.String({ maxLength: 500 })),
  /** What the person should know. */
  summary: T.Optional(T.String({ maxLength: 10_000 })),
}

const text2000 = T.String({ minLength: 1, maxLength: 2000 })
const time = (pattern: string) => T.String({ pattern })
const days = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

/**
 * Rules by which the server hands over: keywords, failed answers, or without both the times outside
 * the opening hours.
 * @component
 */
export const HandoffRules = closed({
  /** Words or phrases in a message of a user. Case and accents do not matter. */
  keywords: T.Optional(
    T.Array(T.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 }),
  ),
  /** Failed answers in a row: errors, answers with `metadata.unanswered`, and bad ratings. */
  afterFailures: T.Optional(T.Integer({ minimum: 1, maximum: 20 })),
  /** Of handoffs whose request does not say it. */
  botReceives: T.Optional(T.Enum(['nothing', 'everything'])),
  /** Sent to the user when a rule hands over. */
  message: T.Optional(text2000),
  /** Always open, if absent. */
  hours: T.Optional(
    closed({
      /** IANA time zone. */
      timezone: T.String({ minLength: 1, maxLength: 100 }),
      open: T.Array(
        closed({
          days: T.Array(T.Enum(days), { minItems: 1, maxItems: 7 }),
          from: time('^([01][0-9]|2[0-3]):[0-5][0-9]$'),
          /** After `from`; `24:00` is the end of the day. */
          to: time('^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$'),
        }),
        { maxItems: 50 },
      ),
      /** Sent at other times, in place of the other message. */
      message: text2000,
      /** Whether a rule hands over at other times, too. Required without another rule. */
      handsOver: T.Boolean(),
    }),
  ),
})
export type HandoffRules = Static<typeof HandoffRules>

/** Number of handoffs that reached this point, and seconds until then. */
const Durations = closed({
  count: T.Integer(),
  medianSeconds: T.Optional(T.Number()),
  p95Seconds: T.Optional(T.Number()),
})

/** @component */
export const HandoffTimes = closed({
  requested: T.Integer(),
  /** From the request to the first answer of a person. */
  firstAnswer: Durations,
  /** From the request until it is closed as solved. */
  solution: Durations,
  /** From the request until the bot has the conversation again. */
  return: Durations,
})
export type HandoffTimes = Static<typeof HandoffTimes>

/**
 * A person answers a conversation in place of the bot. A conversation has at most one that is not
 * closed.
 * @component
 */
export const Handoff = closed({
  id: T.String(),
  conversationId: T.String(),
  state: T.Enum(['waiting', 'assigned', 'closed']),
  ...newHandoff,
  /** With `nothing`, messages and events are not delivered to the bot until the handoff is closed. */
  botReceives: T.Enum(['nothing', 'everything']),
  /** `request` of the bot or a person, `rule` of the bot, or a session of the plugin `hitl`. */
  source: T.Enum(['request', 'rule', 'hitl']),
  /** An account; absent for a request of the bot. */
  requestedBy: text,
  /** The account that answers. */
  assignedTo: text,
  requestedAt: Timestamp,
  assignedAt: at,
  /** The first answer of a person. */
  answeredAt: at,
  closedAt: at,
  /** `returned`: the bot continues. `solved`: there is nothing left to do. */
  outcome: T.Optional(T.Enum(['returned', 'solved'])),
  tags: Tags,
})
export type Handoff = Static<typeof Handoff>

/** `user` is the first participant, except for the bot and members of the workspace. @component */
export const HandoffDetails = closed({
  ...Handoff.properties,
  user: T.Optional(
    closed({
      id: T.String(),
      name: text,
      pictureUrl: text,
      /** Id that the chat client chose. */
      fid: text,
      /** The user's client has the messages up to this time. */
      deliveredUntil: at,
      /** They were visible to the user. */
      readUntil: at,
    }),
  ),
  lastMessage: T.Optional(Message),
  /** The last message of the user among the last hundred. */
  lastUserMessage: T.Optional(Message),
})
export type HandoffDetails = Static<typeof HandoffDetails>
