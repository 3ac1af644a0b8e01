import { type Static, Type as T } from 'typebox'
import { closed, Json, Timestamp } from '../../fields.ts'

const link = T.Optional(T.String())

/**
 * An observation that bot or integration code recorded. The code chooses `id`, which is not unique.
 * @component
 */
export const Observation = closed({
  createdAt: Timestamp,
  name: T.String(),
  data: Json,
  /** Alias of the integration; absent for an observation of the bot. */
  integration: link,

  id: link,
  messageId: link,
  eventId: link,
  conversationId: link,
  userId: link,
  errorId: link,
  traceId: link,
})
export type Observation = Static<typeof Observation>

/** A counter for the hour that begins at `hour`. @component */
export const AnalyticsCount = closed({
  name: T.String(),
  hour: Timestamp,
  count: T.Integer(),
})
export type AnalyticsCount = Static<typeof AnalyticsCount>
