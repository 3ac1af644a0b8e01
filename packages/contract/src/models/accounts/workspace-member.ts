import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'
import { roles } from '../../permissions.ts'

export const MemberRole = T.Enum([...roles])

/**
 * An account in a workspace, by account id. `userId` repeats the id if it is a UUID (newer
 * accounts).
 * @component
 */
export const WorkspaceMember = closed({
  id: T.String(),
  userId: T.Optional(T.String({ format: 'uuid' })),
  email: T.String(),
  createdAt: Timestamp,
  role: MemberRole,
  profilePicture: T.Optional(T.String()),
  displayName: T.Optional(T.String({ maxLength: 100 })),
  /** Whether the identity provider or the operator proved the address. */
  emailVerified: T.Boolean(),
  /**
   * True if another workspace made the account and its address is not proved: the role counts after
   * the proof, or after the holder accepts an invitation link of this workspace.
   */
  isPending: T.Optional(T.Boolean()),
})
export type WorkspaceMember = Static<typeof WorkspaceMember>
