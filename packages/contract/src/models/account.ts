import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../fields.ts'

/** A person who builds or runs bots. */
export const Account = closed({
  id: T.String(),
  email: T.String(),
  displayName: T.Optional(T.String({ maxLength: 100 })),
  emailVerified: T.Boolean(),
  profilePicture: T.Optional(T.String()),
  createdAt: Timestamp,
})
export type Account = Static<typeof Account>
