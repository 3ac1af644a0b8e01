// The data needed to call an integration in a bot.

import type { Db } from '../../db/index.ts'
import type { Secrets } from '../../sealing/index.ts'
import { openConfiguration } from '../installations/configurations.ts'
import type { Equipment } from '../installations/installation-plan.ts'
import { findEquipped, processVersion } from './hosted-code.ts'
import { findSigningSecrets } from './integration-secrets.ts'

export interface IntegrationTarget {
  integrationId: string
  alias: string
  webhookId: string
  /** Workspace of the bot. */
  workspaceId: string
  /** Workspace that owns the code; null for the server's own code. */
  authorId: string | null
  url: string | null
  /** Version of the code and the secrets hosted here; null if there is none. */
  version: string | null
  /** Secrets for signing calls to a URL. */
  signingSecrets: string[]
  /** Infinity when the version sets no limit. */
  timeoutMs: number
  enabled: boolean
  disabledChannels: string[]
  configurationType: string | null
  configuration: Record<string, unknown>
}

/**
 * Returns null if the integration is not installed. `former` selects the version and configuration
 * before an upgrade.
 */
export async function findIntegrationTarget(
  db: Db,
  secrets: Secrets,
  { botId, alias, former }: { botId: string; alias: string; former?: Equipment },
): Promise<IntegrationTarget | null> {
  const row = await findEquipped(db, botId, alias, former?.integrationId)
  return (
    row && {
      integrationId: row.integration_id,
      alias: row.alias,
      webhookId: row.webhook_id,
      workspaceId: row.workspace_id,
      authorId: row.author_id,
      url: row.url,
      version: processVersion(row),
      signingSecrets: row.url
        ? await findSigningSecrets(db, secrets, row.integration_id)
        : [],
      timeoutMs:
        row.max_execution_seconds === null
          ? Number.POSITIVE_INFINITY
          : row.max_execution_seconds * 1_000,
      enabled: row.enabled,
      disabledChannels: row.disabled_channels,
      configurationType: former ? former.configurationType : row.configuration_type,
      configuration: former
        ? former.configuration
        : await openConfiguration(secrets, row),
    }
  )
}
