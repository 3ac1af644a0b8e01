import { type Static, Type as T } from 'typebox'
import { closed, id, nullable, Timestamp } from '../fields.ts'
import { Attributes } from './bot-definition.ts'
import { LifecycleStatus, VerificationStatus, Visibility } from './installation.ts'
import { integrationDefinition } from './integration-definition.ts'

/** Which version of an integration, and how it presents itself. */
const presented = {
  id: id('intver'),
  name: T.String({ maxLength: 200 }),
  version: T.String({ maxLength: 200 }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  title: T.String({ minLength: 1, maxLength: 64 }),
  description: T.String({ maxLength: 256 }),
  iconUrl: T.String(),
  public: T.Boolean(),
  visibility: Visibility,
  verificationStatus: VerificationStatus,
  lifecycleStatus: LifecycleStatus,
}

const integration = {
  ...presented,
  ...integrationDefinition,
  readmeUrl: T.String(),
  url: T.String({ maxLength: 2000 }),
  /** Shown when it is made; empty ever after. */
  signingSecret: T.String({ maxLength: 2000 }),
  maxExecutionTime: T.Optional(T.Number()),
  dev: T.Boolean(),
  /** Their names. */
  secrets: T.Array(T.String()),
}

/** Whose a package is. */
export const OwnerWorkspace = closed({ id: T.String(), handle: nullable(T.String()), name: T.String() })
export type OwnerWorkspace = Static<typeof OwnerWorkspace>

/** What the hub knows of a package besides. */
const inHub = { ownerWorkspace: OwnerWorkspace, meta: closed({ installs: T.Number(), views: T.Number() }) }

/** A version of an integration, whole. Every map is there even when empty, since clients read them unguarded. */
export const Integration = closed(integration)
export type Integration = Static<typeof Integration>

/** The same as the hub shows it. */
export const PublicIntegration = closed({ ...integration, ...inHub })
export type PublicIntegration = Static<typeof PublicIntegration>

/** Where a search found what it looked for. */
const MatchedOn = closed({
  name: T.Optional(T.Boolean()),
  title: T.Optional(T.Boolean()),
  description: T.Optional(T.Boolean()),
  actions: T.Optional(T.Array(T.String())),
  interfaces: T.Optional(T.Array(T.String())),
})
const summary = { ...presented, matchedOn: T.Optional(MatchedOn), attributes: T.Optional(Attributes) }

/** A version as a list shows it. */
export const IntegrationSummary = closed({ ...summary, ownerWorkspace: T.Optional(OwnerWorkspace) })
export type IntegrationSummary = Static<typeof IntegrationSummary>

export const PublicIntegrationSummary = closed({ ...summary, ...inHub })
export type PublicIntegrationSummary = Static<typeof PublicIntegrationSummary>
