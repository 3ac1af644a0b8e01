// What works for a bot under an alias: which version, its code or URL, its secrets, and how the bot configured it. The rows of installation are those
// of installations.ts, the code's and the secrets' those of the registry; here they are read together, once for each call that is not remembered.
import { sql } from 'kysely'
import { keepHostedKey } from '../accounts/tokens.ts'
import type { Db } from '../db/open.ts'
import { hmac, type Secrets, sha256 } from '../lib/secrets.ts'

/** Of a version, as registrations remember it: what was told to register. */
export const codeMark = ({ url, code_version }: { url: string | null; code_version: string | null }) =>
  url ?? code_version ?? ''

export interface EquippedRow {
  bot_id: string
  alias: string
  /** Of the bot: whose process it is. */
  workspace_id: string
  /** Whose code it is; null: the server's own. */
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

/** `integrationId`: another version than the one that is installed. Null where there is none. */
export async function findEquipped(
  db: Db,
  botId: string,
  alias: string,
  integrationId: string | null = null,
): Promise<EquippedRow | null> {
  const { rows } = await sql<EquippedRow>`
    select t.bot_id, t.alias, b.workspace_id, g.workspace_id as author_id, g.id as integration_id, t.webhook_id, t.enabled, t.disabled_channels, t.configuration_type, t.configuration,
      g.url, c.version as code_version, coalesce(l.secrets, '{}') as secrets, g.max_execution_seconds
    from installation t
    join bot b on b.id = t.bot_id
    join integration g on g.id = coalesce(${integrationId}, t.integration_id)
    left join integration_code c on c.integration_id = g.id
    left join package_line l on l.id = g.line_id
    where t.bot_id = ${botId} and t.alias = ${alias}`.execute(db)
  return rows[0] ?? null
}

/** Of a workspace, all versions with this name or with the name of this version: they share their secrets. */
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
  }>`select id from integration where workspace_id = ${workspaceId} and name = ${name}`.execute(db)
  return rows.map(({ id }) => id)
}

/** What runs changes when either does. */
export const processVersion = ({ code_version, secrets }: EquippedRow): string | null =>
  code_version &&
  `${code_version} ${sha256(JSON.stringify(Object.entries(secrets).sort())).toString('base64url')}`

/** What its own process calls back with: good in the bots of this one workspace. */
export const hostedIntegrationKey = (db: Db, secrets: Secrets, integrationId: string, workspaceId: string) =>
  keepHostedKey(
    db,
    { kind: 'iak', integrationId, workspaceId },
    hmac(secrets.derive('hosted integration keys'), `${integrationId} ${workspaceId}`),
  )
