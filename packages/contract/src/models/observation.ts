import { type Static, Type as T } from 'typebox'
import { closed, Json, Timestamp } from '../fields.ts'

const link = T.Optional(T.String())

/** What the code of a bot, or of one of its integrations, noted about its own work. `id` is its own word for it, not a key. */
export const Observation = closed({
  createdAt: Timestamp,
  name: T.String(),
  data: Json,
  /** Alias of the integration that noted it; absent when the bot did. */
  integration: link,
  ...{
    id: link,
    messageId: link,
    eventId: link,
    conversationId: link,
    userId: link,
    errorId: link,
    traceId: link,
  },
})
export type Observation = Static<typeof Observation>

/** How often something was counted within an hour, which begins at `hour`. */
export const AnalyticsCount = closed({ name: T.String(), hour: Timestamp, count: T.Integer() })
export type AnalyticsCount = Static<typeof AnalyticsCount>
