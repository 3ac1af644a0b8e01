import { type Static, Type as T } from 'typebox'
import { closed, nullable, Timestamp } from '../../fields.ts'

/**
 * Owns bots and integrations, and has members. Clients require the fields about plans and spending.
 * @component
 */
export const Workspace = closed({
  id: T.String(),
  name: T.String(),
  ownerId: T.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  botCount: T.Integer(),
  billingVersion: T.Enum(['v1', 'v2', 'v3', 'v4']),
  plan: T.Enum(['community', 'team', 'enterprise', 'plus']),
  blocked: T.Boolean(),
  spendingLimit: T.Number(),
  about: T.Optional(T.String()),
  profilePicture: T.Optional(T.String()),
  contactEmail: T.Optional(T.String()),
  website: T.Optional(T.String()),
  socialAccounts: T.Optional(T.Array(T.String())),
  isPublic: T.Optional(T.Boolean()),
  handle: T.Optional(T.String()),
  activeTrialId: nullable(T.String()),
})
export type Workspace = Static<typeof Workspace>
