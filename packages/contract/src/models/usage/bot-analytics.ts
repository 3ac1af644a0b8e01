import { type Static, Type as T } from 'typebox'
import { closed, dictionary, Timestamp } from '../../fields.ts'

const statistics = { mean: T.Number(), sd: T.Number(), min: T.Number(), max: T.Number() }

/**
 * Analytics of a bot for one UTC day. New users were created on that day; returning users are older
 * and sent a message. Both leave out members who answer in the inbox, and users with the tag
 * `emulator`, which the dashboard creates to try the bot. A session is a series of one user's
 * messages without a pause of 30 minutes. It counts for the day on which it begins.
 * @component
 */
export const AnalyticsRecord = closed({
  startDateTimeUtc: Timestamp,
  /** The start of the next day. */
  endDateTimeUtc: Timestamp,
  returningUsers: T.Integer(),
  newUsers: T.Integer(),
  sessions: T.Integer(),
  /** Messages of users and of the bot. */
  messages: T.Integer(),
  userMessages: T.Integer(),
  botMessages: T.Integer(),
  events: T.Integer(),
  /**
   * Events of the day that failed, and messages and changes that became dead letters on it, without
   * those that were redelivered since.
   */
  failures: T.Integer(),
  eventTypes: dictionary(T.Number()),
  /** Counters of trackAnalytics. */
  customEvents: dictionary(T.Number()),
  /**
   * Calls of the action `generateContent`. Latency in milliseconds and cost in US dollars, as
   * reported.
   */
  llm: closed({
    calls: T.Integer(),
    errors: T.Integer(),
    inputTokens: T.Integer(),
    outputTokens: T.Integer(),
    latency: closed(statistics),
    tokensPerSecond: closed(statistics),
    cost: closed({ sum: T.Number(), ...statistics }),
  }),
})
export type AnalyticsRecord = Static<typeof AnalyticsRecord>
