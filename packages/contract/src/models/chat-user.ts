import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../fields.ts'

/** A user as chat clients see them: under the id they chose, where they chose one. A participant looks the same. */
export const ChatUser = closed({
  id: T.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  name: T.Optional(T.String()),
  pictureUrl: T.Optional(T.String()),
  profile: T.Optional(T.String()),
})
export type ChatUser = Static<typeof ChatUser>

/** What users say about themselves. What is left out stays as it was; bots are promised these limits. */
export const chatProfile = {
  name: T.Optional(T.String({ maxLength: 200 })),
  pictureUrl: T.Optional(T.String({ maxLength: 40_000 })),
  profile: T.Optional(T.String({ maxLength: 1000 })),
}
