import { type Static, Type as T } from 'typebox'
import { closed, Timestamp } from '../../fields.ts'

/** A sign-in of a person with a browser. @component */
export const Session = closed({
  id: T.String(),
  method: T.Enum(['link', 'password', 'openId', 'invitation']),
  /** The header `user-agent` of the last request. */
  browser: T.String(),
  /** The address of the last request. */
  address: T.String(),
  createdAt: Timestamp,
  /** Precise to a minute. */
  lastUsedAt: Timestamp,
  /** Each request moves it, up to the maximum age of a session. */
  expiresAt: Timestamp,
  isCurrent: T.Boolean(),
})
export type Session = Static<typeof Session>
