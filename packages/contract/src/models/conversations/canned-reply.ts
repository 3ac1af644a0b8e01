import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'

export const newCannedReply = {
  /** Unique within the bot. */
  name: T.String({ minLength: 1, maxLength: 100 }),
  /** Clients replace `{{user.name}}` and `{{agent.name}}` when they insert it. */
  text: T.String({ minLength: 1, maxLength: 5_000 }),
}

/** A text that members insert into their answers. @component */
export const CannedReply = closed({
  id: T.String(),
  ...newCannedReply,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type CannedReply = Static<typeof CannedReply>
