import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../fields.ts'
import { roles } from '../permissions.ts'

export const MemberRole = T.Enum([...roles])

/** An account in a workspace. `id` is the account's; `userId` says the same where it is a UUID, as those of newer accounts are. */
export const WorkspaceMember = closed({
  id: T.String(),
  userId: T.Optional(T.String({ format: 'uuid' })),
  email: T.String(),
  createdAt: Timestamp,
  role: MemberRole,
  profilePicture: T.Optional(T.String()),
  displayName: T.Optional(T.String({ maxLength: 100 })),
})
export type WorkspaceMember = Static<typeof WorkspaceMember>
