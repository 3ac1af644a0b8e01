import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'

/** Thumbs, or one to five stars. */
export const Rating = T.Union([
  T.Enum(['positive', 'negative']),
  T.Integer({ minimum: 1, maximum: 5 }),
])
export type Rating = Static<typeof Rating>

export const newFeedback = {
  rating: Rating,
  comment: T.Optional(T.String({ maxLength: 2_000 })),
}

/** The opinion of a user on a message. @component */
export const Feedback = closed({
  id: T.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  conversationId: T.String(),
  messageId: T.String(),
  userId: T.String(),
  ...newFeedback,
})
export type Feedback = Static<typeof Feedback>
