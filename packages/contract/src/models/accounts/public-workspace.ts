import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'

/** The public profile of a workspace. @component */
export const PublicWorkspace = closed({
  id: T.String(),
  name: T.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  about: T.Optional(T.String()),
  profilePicture: T.Optional(T.String()),
  contactEmail: T.Optional(T.String()),
  website: T.Optional(T.String()),
  socialAccounts: T.Optional(T.Array(T.String())),
  handle: T.Optional(T.String()),
})
export type PublicWorkspace = Static<typeof PublicWorkspace>
