// Reads everything needed to invoke an integration in a bot: version, code or URL, secrets and
// configuration. One query joins the rows of installations.ts and of the registry, once per call
// that is not cached.

import { hmac, sha256 } from '@botstead/lib'
import { sql } from 'kysely'
import { tokenStore } from '../../accounts/index.ts'
import type { Db } from '../../db/index.ts'
import type { Secrets } from '../../sealing/index.ts'

/**
 * Returns the URL or code version, which registrations record to detect that the code has changed.
 */
export const codeMark = ({
  url,
  code_version,
}: {
  url: string | null
  code_version: string | null
}) => url ?? code_version ?? ''

interface EquippedRow {
  bot_id: string
  alias: string
  /** Workspace of the bot; it determines the process. */
  workspace_id: string
  /** Workspace of the code's author; null for built-in integrations. */
  author_id: string | null
  integration_id: string
  webhook_id: string
  enabled: boolean
  disabled_channels: string[]
  configuration_type: string | null
  configuration: Buffer
  url: string | null
  /** Null without code. */
  code_version: string | null
  /** {NAME: sealed value, base64} */
  secrets: Record<string, string>
  max_execution_seconds: number | null
}

/**
 * `integrationId` selects another version than the installed one. Returns null when there is no
 * such row.
 */
export async function findEquipped(
  db: Db,
  botId: string,
  alias: string,
  integrationId: string | null = null,
): Promise<EquippedRow | null> {
  const { rows } = await sql<EquippedRow>`
    select t.bot_id, t.alias, b.workspace_id, g.workspace_id as author_id, g.id as integration_id,
      t.webhook_id, t.enabled, t.disabled_channels, t.configuration_type, t.configuration,
      g.url, c.version as code_version, coalesce(l.secrets, '{}') as secrets, g.max_execution_seconds
    from installation t
    join bot b on b.id = t.bot_id
    join integration g on g.id = coalesce(${integrationId}, t.integration_id)
    left join integration_code c on c.integration_id = g.id
    left join package_line l on l.id = g.line_id
    where t.bot_id = ${botId} and t.alias = ${alias}`.execute(db)
  return rows[0] ?? null
}

/**
 * Lists all versions of a workspace with this name, or with the name of this version: they share
 * secrets.
 */
export async function findVersionsBeside(
  db: Db,
  workspaceId: string,
  of: { name: string } | { id: string },
): Promise<string[]> {
  const name =
    'name' in of
      ? sql`${of.name}`
      : sql`(select name from integration where id = ${of.id} and workspace_id = ${workspaceId})`
  const { rows } = await sql<{
    id: string
  }>`select id from integration where workspace_id = ${workspaceId} and name = ${name}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Identifies the process to run; it changes with the code and with the secrets. */
export const processVersion = ({ code_version, secrets }: EquippedRow): string | null =>
  code_version &&
  `${code_version} ${sha256(JSON.stringify(Object.entries(secrets).sort())).toString('base64url')}`

/**
 * Returns the key that the integration's own process uses for the API, valid in the bots of one
 * workspace.
 */
export const hostedIntegrationKey = (
  db: Db,
  secrets: Secrets,
  integrationId: string,
  workspaceId: string,
) =>
  tokenStore.storeHostedKey(
    db,
    { kind: 'iak', integrationId, workspaceId },
    hmac(secrets.derive('hosted integration keys'), `${integrationId} ${workspaceId}`),
  )
