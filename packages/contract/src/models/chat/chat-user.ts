import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'

/** A user or participant in the chat API. The id is the one that the user chose, if any. @component */
export const ChatUser = closed({
  id: T.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  name: T.Optional(T.String()),
  pictureUrl: T.Optional(T.String()),
  profile: T.Optional(T.String()),
})
export type ChatUser = Static<typeof ChatUser>

/** The profile of a user. Absent properties stay unchanged. Bots rely on these limits. */
export const chatProfile = {
  name: T.Optional(T.String({ maxLength: 200 })),
  pictureUrl: T.Optional(T.String({ maxLength: 40_000 })),
  profile: T.Optional(T.String({ maxLength: 1000 })),
}
