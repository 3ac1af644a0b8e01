// Converts installed integrations and plugins to responses.
import type { Installation, PluginInstallation } from '@botstead/contract'
import type { ShownInstallation } from '../../installations/installations.ts'
import type { InstalledPlugin } from '../../plugins/installed-plugins.ts'
import { assetUrl } from '../package-assets.ts'
import { toPluginHead } from './packages.ts'

interface Presented {
  name: string
  title: string | null
  description: string
  visibility: 'private' | 'unlisted' | 'public'
  iconId: string | null
}

/** Returns the presentation of an integration. Every registered integration is approved. */
export const toPresentation = (row: Presented, origin: string) => ({
  title: row.title ?? row.name.slice(0, 64),
  description: row.description,
  iconUrl: assetUrl(origin, row.iconId),
  public: row.visibility === 'public',
  visibility: row.visibility,
  verificationStatus: 'approved' as const,
  lifecycleStatus: 'published' as const,
})

/**
 * `origin` is the URL at which clients reach this server. The built-in integrations have their
 * own addresses.
 */
export const toInstallation = (row: ShownInstallation, origin: string): Installation => ({
  id: row.integration_id,
  name: row.name,
  version: row.version,
  enabled: row.enabled,
  configuration: row.configuration,
  configurationType: row.configuration_type,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  ...toPresentation(row, origin),
  webhookUrl: `${origin}/${row.builtIn ? row.name : 'webhooks'}/${row.webhook_id}`,
  webhookId: row.webhook_id,
  ...(row.identifier !== null && { identifier: row.identifier }),
  status: row.status,
  statusReason: row.status_reason,
  disabledChannels: row.disabled_channels,
})

export const toPluginInstallation = (
  row: InstalledPlugin,
  origin: string,
): PluginInstallation => {
  const {
    createdAt: _made,
    updatedAt: _changed,
    ...head
  } = toPluginHead(row.head, origin)
  return {
    ...head,
    enabled: row.enabled,
    configuration: row.configuration,
    interfaces: row.interfaces,
    integrations: row.integrations,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
