import { type Static, Type as T } from 'typebox'
import { closed, dictionary, id, Json, nullable, Timestamp } from '../../fields.ts'

export const Visibility = T.Enum(['public', 'private', 'unlisted'])
export const VerificationStatus = T.Enum([
  'unapproved',
  'pending',
  'approved',
  'rejected',
])
export const LifecycleStatus = T.Enum(['published', 'deprecated'])

/** Properties that installed integrations and plugins share. */
const installed = {
  name: T.String({ maxLength: 200 }),
  version: T.String({ maxLength: 200 }),
  enabled: T.Boolean(),
  configuration: Json,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  title: T.String({ minLength: 1, maxLength: 64 }),
  description: T.String({ maxLength: 256 }),
  iconUrl: T.String(),
  public: T.Boolean(),
  visibility: Visibility,
  lifecycleStatus: LifecycleStatus,
}

export const InstallationStatus = T.Enum([
  'registration_pending',
  'registered',
  'registration_failed',
  'unregistration_pending',
  'unregistered',
  'unregistration_failed',
])

/**
 * An installed integration. The webhook id belongs to the alias and survives a change of version.
 * @component
 */
export const Installation = closed({
  id: id('intver'),
  ...installed,
  webhookUrl: T.String({ maxLength: 2000 }),
  webhookId: T.String({ maxLength: 200 }),
  identifier: T.Optional(T.String({ maxLength: 2000 })),
  configurationType: nullable(T.String({ maxLength: 200 })),
  status: InstallationStatus,
  statusReason: nullable(T.String({ maxLength: 2000 })),
  disabledChannels: T.Array(T.String()),
  verificationStatus: VerificationStatus,
})
export type Installation = Static<typeof Installation>

const integrationRef = {
  integrationId: id('intver'),
  integrationAlias: T.String({ maxLength: 200 }),
}

/** An installed plugin and the installed integrations that it uses. @component */
export const PluginInstallation = closed({
  id: id('plugver'),
  ...installed,
  readmeUrl: T.String(),
  interfaces: T.Optional(
    dictionary(
      closed({
        ...integrationRef,
        integrationInterfaceAlias: T.Optional(T.String({ maxLength: 200 })),
        interfaceId: id('ifver'),
      }),
    ),
  ),
  integrations: T.Optional(dictionary(closed(integrationRef))),
})
export type PluginInstallation = Static<typeof PluginInstallation>

/**
 * An installation in updateBot. Its key is the alias if `integrationId` is present, otherwise the
 * integration's id. Null removes the installation.
 * @component
 */
export const InstallationChange = T.Object({
  enabled: T.Optional(T.Boolean()),
  integrationId: T.Optional(T.String()),
  configurationType: T.Optional(nullable(T.String())),
  configuration: T.Optional(Json),
  disabledChannels: T.Optional(T.Array(T.String())),
})
export type InstallationChange = Static<typeof InstallationChange>

/**
 * A plugin in updateBot; null removes it. Deployments send more properties than these, which are
 * ignored.
 * @component
 */
export const PluginInstallationChange = T.Object({
  id: T.String(),
  enabled: T.Optional(T.Boolean()),
  configuration: T.Optional(Json),
  interfaces: T.Optional(
    dictionary(
      T.Object({
        integrationId: T.String(),
        integrationAlias: T.Optional(T.String()),
        integrationInterfaceAlias: T.Optional(T.String()),
      }),
    ),
  ),
  integrations: T.Optional(
    dictionary(T.Object({ integrationId: T.String(), integrationAlias: T.String() })),
  ),
  /** The author's definition: the only source of a plugin's recurring events. */
  definition: T.Optional(Json),
})
export type PluginInstallationChange = Static<typeof PluginInstallationChange>
