import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../fields.ts'
import { roles } from '../permissions.ts'

export const MemberRole = T.Enum([...roles])

/**
 * An account in a workspace, by account id. `userId` repeats the id if it is a UUID (newer
 * accounts).
 */
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
