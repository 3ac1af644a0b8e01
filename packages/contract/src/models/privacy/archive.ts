import { type Static, Type as T } from 'typebox'
import { closed, nullable, Timestamp } from '../../fields.ts'

/** A backup of the installation, an archive of a workspace, or an import of one. @component */
export const Archive = closed({
  id: T.String(),
  fileName: T.String(),
  state: T.Enum(['running', 'done', 'failed']),
  /** Between 0 and 1. */
  progress: T.Number({ minimum: 0, maximum: 1 }),
  /** Size of the file; so far, while it is written. */
  bytes: T.Integer({ minimum: 0 }),
  /** Why it failed. */
  failure: T.Optional(T.String()),
  /** Whether it contains secrets, which are encrypted. */
  hasSecrets: T.Boolean(),
  /** E-mail address of the account; null if it was deleted. */
  createdBy: nullable(T.String()),
  createdAt: Timestamp,
  endedAt: T.Optional(Timestamp),
})
export type Archive = Static<typeof Archive>

/** A URL that downloads the file without other credentials. */
export const ArchiveLink = closed({ url: T.String(), expiresAt: Timestamp })
