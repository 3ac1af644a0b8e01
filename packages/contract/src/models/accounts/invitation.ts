import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'
import { roles } from '../../permissions.ts'

/** A link by which the holder of an e-mail address becomes a member. @component */
export const Invitation = closed({
  id: T.String(),
  email: T.String(),
  role: T.Enum([...roles]),
  /** The account id of the member who created it. */
  invitedBy: T.String(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type Invitation = Static<typeof Invitation>
