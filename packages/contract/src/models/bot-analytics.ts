import { type Static, Type as T } from 'typebox'
import { closed, mapOf, Timestamp } from '../fields.ts'

const spread = { mean: T.Number(), sd: T.Number(), min: T.Number(), max: T.Number() }

/**
 * What happened in a bot in a day, by UTC. New users came into being that day, returning ones are older and wrote something. A session is what one
 * user writes without half an hour of silence, and counts for the day in which it begins.
 */
export const AnalyticsRecord = closed({
  startDateTimeUtc: Timestamp,
  /** The moment in which the next day begins. */
  endDateTimeUtc: Timestamp,
  returningUsers: T.Integer(),
  newUsers: T.Integer(),
  sessions: T.Integer(),
  /** Of users and of the bot. */
  messages: T.Integer(),
  userMessages: T.Integer(),
  botMessages: T.Integer(),
  events: T.Integer(),
  eventTypes: mapOf(T.Number()),
  /** What trackAnalytics counted. */
  customEvents: mapOf(T.Number()),
  /** Calls of the action `generateContent`. Latency in milliseconds, cost in dollars, as the integrations say. */
  llm: closed({
    calls: T.Integer(),
    errors: T.Integer(),
    inputTokens: T.Integer(),
    outputTokens: T.Integer(),
    latency: closed(spread),
    tokensPerSecond: closed(spread),
    cost: closed({ sum: T.Number(), ...spread }),
  }),
})
export type AnalyticsRecord = Static<typeof AnalyticsRecord>
