import { type Static, Type as T } from 'typebox'
import { closed, id, nullable, Timestamp } from '../../fields.ts'
import { Attributes } from '../bots/bot-definition.ts'
import { LifecycleStatus, VerificationStatus, Visibility } from '../bots/installation.ts'
import { integrationDefinition } from './integration-definition.ts'

/** Identity and presentation of a version of an integration. */
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
  /** Present only in the response that creates the secret, otherwise empty. */
  signingSecret: T.String({ maxLength: 2000 }),
  maxExecutionTime: T.Optional(T.Number()),
  dev: T.Boolean(),
  /** Names of the secrets. */
  secrets: T.Array(T.String()),
}

/** The workspace that owns a package. */
export const OwnerWorkspace = closed({
  id: T.String(),
  handle: nullable(T.String()),
  name: T.String(),
})
export type OwnerWorkspace = Static<typeof OwnerWorkspace>

/** Further properties of a package in the hub. */
const inHub = {
  ownerWorkspace: OwnerWorkspace,
  meta: closed({ installs: T.Number(), views: T.Number() }),
}

/** A complete version of an integration. Clients expect every map, so empty ones are present. @component */
export const Integration = closed(integration)
export type Integration = Static<typeof Integration>

/** A version of an integration in the hub. @component */
export const PublicIntegration = closed({ ...integration, ...inHub })
export type PublicIntegration = Static<typeof PublicIntegration>

/** The properties that match the search. */
const MatchedOn = closed({
  name: T.Optional(T.Boolean()),
  title: T.Optional(T.Boolean()),
  description: T.Optional(T.Boolean()),
  actions: T.Optional(T.Array(T.String())),
  interfaces: T.Optional(T.Array(T.String())),
})
const summary = {
  ...presented,
  matchedOn: T.Optional(MatchedOn),
  attributes: T.Optional(Attributes),
}

/** A version of an integration in a list. @component */
export const IntegrationSummary = closed({
  ...summary,
  ownerWorkspace: T.Optional(OwnerWorkspace),
})
export type IntegrationSummary = Static<typeof IntegrationSummary>

/** @component */
export const PublicIntegrationSummary = closed({ ...summary, ...inHub })
export type PublicIntegrationSummary = Static<typeof PublicIntegrationSummary>
