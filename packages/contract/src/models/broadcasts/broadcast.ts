import { type Static, Type as T } from 'typebox'
import { closed, dictionary, Json, Tags, Timestamp } from '../../fields.ts'

const time = T.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })
const count = T.Integer({ minimum: 0 })

/**
 * The audience of a broadcast: users with a conversation in the channel. Of several conversations, it
 * uses the one with the last message. All filters must hold.
 * @component
 */
export const BroadcastAudience = closed({
  /** Alias of the integration. */
  integration: T.String({ minLength: 1, maxLength: 200 }),
  channel: T.String({ minLength: 1, maxLength: 200 }),
  userTags: T.Optional(Tags),
  conversationTags: T.Optional(Tags),
  /** Only people in rows of a table. */
  table: T.Optional(
    closed({
      /** Name or id. */
      table: T.String({ minLength: 1, maxLength: 100 }),
      /** Column with ids of users or conversations. The others are variables, such as `{{ row.city }}`. */
      column: T.String({ minLength: 1, maxLength: 100 }),
      /** As in `findTableRows`. */
      filter: T.Optional(Json),
    }),
  ),
})
export type BroadcastAudience = Static<typeof BroadcastAudience>

/** No message is sent from `from` to `to`, also across midnight. @component */
export const QuietHours = closed({
  from: time,
  to: time,
  /** IANA time zone. */
  timezone: T.String({ minLength: 1, maxLength: 100 }),
  /** Tag of users with their own time zone. */
  timezoneTag: T.Optional(T.String({ minLength: 1, maxLength: 100 })),
})
export type QuietHours = Static<typeof QuietHours>

/** A message of the bot, with variables such as `{{ user.tags.name ?? "friend" }}`. @component */
export const BroadcastMessage = closed({
  type: T.String({ minLength: 1, maxLength: 100 }),
  payload: Json,
})
export type BroadcastMessage = Static<typeof BroadcastMessage>

export const newBroadcast = {
  audience: BroadcastAudience,
  message: BroadcastMessage,
  quietHours: T.Optional(QuietHours),
}

/** One message to many people. @component */
export const Broadcast = closed({
  id: T.String(),
  name: T.String(),
  ...newBroadcast,
  /** Messages per minute. */
  perMinute: T.Integer(),
  /** `resolving`: the server lists the recipients. */
  state: T.Enum(['scheduled', 'resolving', 'sending', 'stopped', 'done', 'failed']),
  /** Why it failed. */
  reason: T.Optional(T.String()),
  startAt: Timestamp,
  /** The account that created it; absent for the bot. */
  createdBy: T.Optional(T.String()),
  createdAt: Timestamp,
  endedAt: T.Optional(Timestamp),
})
export type Broadcast = Static<typeof Broadcast>

/** Why people are skipped. */
export const skipReasons = [
  'opted_out',
  'no_conversation',
  'missing_variable',
  'too_long',
  'deleted',
  'rejected',
] as const
export type SkipReason = (typeof skipReasons)[number]

/**
 * Recipients by state. `sending`: the channel has not accepted the message yet. `delivered` and `read` are
 * known in some channels only.
 * @component
 */
export const BroadcastReport = closed({
  total: count,
  waiting: count,
  sending: count,
  sent: count,
  delivered: count,
  read: count,
  failed: count,
  skipped: count,
  /** Skipped recipients by reason. */
  skipReasons: dictionary(count),
  /** Rows of the table that name no user and no conversation of the bot. */
  unknownRows: count,
})
export type BroadcastReport = Static<typeof BroadcastReport>

export const recipientStates = [
  'waiting',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
] as const

/** @component */
export const BroadcastRecipient = closed({
  userId: T.String(),
  userName: T.Optional(T.String()),
  conversationId: T.Optional(T.String()),
  messageId: T.Optional(T.String()),
  state: T.Enum([...recipientStates]),
  /** Why it is skipped, or the error of the channel. */
  reason: T.Optional(T.String()),
  /** The expression without a value, or the error. */
  detail: T.Optional(T.String()),
  sentAt: T.Optional(Timestamp),
  /** Waits for the end of quiet hours. */
  dueAt: T.Optional(Timestamp),
})
export type BroadcastRecipient = Static<typeof BroadcastRecipient>

/** The result of a broadcast, if it was sent now. @component */
export const BroadcastPreview = closed({
  total: count,
  /** People who would get the message. */
  recipients: count,
  skipped: count,
  skipReasons: dictionary(count),
  unknownRows: count,
  /** The time was over before all were counted. */
  hasMore: T.Boolean(),
  /** Of the first five recipients. */
  messages: T.Array(
    closed({
      userId: T.String(),
      conversationId: T.String(),
      type: T.String(),
      payload: Json,
    }),
  ),
})
export type BroadcastPreview = Static<typeof BroadcastPreview>

/** A person who wants no broadcasts in a channel. @component */
export const OptOut = closed({
  integration: T.String(),
  channel: T.String(),
  userId: T.String(),
  userName: T.Optional(T.String()),
  /** The message by which the person opted out; absent if a member or the bot noted it. */
  messageId: T.Optional(T.String()),
  /** The account that noted it. */
  notedBy: T.Optional(T.String()),
  createdAt: Timestamp,
})
export type OptOut = Static<typeof OptOut>

const words = T.Array(T.String({ minLength: 1, maxLength: 60 }), { maxItems: 100 })

/**
 * Messages by which people opt out and in again. Case, accents and punctuation do not matter.
 * @component
 */
export const OptOutWords = closed({ stop: words, start: words })
export type OptOutWords = Static<typeof OptOutWords>
