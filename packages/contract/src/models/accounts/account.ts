import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'

/** The account of a person who builds or operates bots. @component */
export const Account = closed({
  id: T.String(),
  email: T.String(),
  displayName: T.Optional(T.String({ maxLength: 100 })),
  emailVerified: T.Boolean(),
  profilePicture: T.Optional(T.String()),
  createdAt: Timestamp,
})
export type Account = Static<typeof Account>
