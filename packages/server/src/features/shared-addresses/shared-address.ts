// The webhook address that all bots of an integration share: the versions that serve it, and the
// bot of an identifier.
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import type { IntegrationName } from './sandbox-conversations.ts'

export interface SharedVersion {
  id: string
  /** Line with the secrets of the version. */
  lineId: string | null
  identifier: { extractScript?: string; fallbackHandlerScript?: string }
  sandbox: { identifierExtractScript?: string; messageExtractScript?: string }
}
export interface SharedAddress extends IntegrationName {
  /** Newest first: versions that are enabled in bots, and the newest of all. */
  versions: SharedVersion[]
}

const maxVersions = 10

/**
 * Finds the integration with the longest of these names. A name belongs to one workspace: the
 * server's own first, then the one with the name in the hub, then the first to use it. Integrations
 * of other workspaces with the name never receive these requests. Returns null without a version
 * that has a script.
 */
export async function findSharedAddress(
  db: Db,
  names: string[],
): Promise<SharedAddress | null> {
  const { rows } = await sql<SharedVersion & IntegrationName>`
    with family as (
      select name, workspace_id as owner from integration where name = any(${names})
      order by length(name) desc, workspace_id is null desc, visibility <> 'private' desc,
        created_at, id limit 1
    ), version as (
      select id, line_id as "lineId", owner, coalesce(definition -> 'identifier', '{}') as identifier,
        coalesce(definition -> 'sandbox', '{}') as sandbox,
        row_number() over (order by dev, rank desc, created_at desc) as nth
      from integration join family using (name)
      where workspace_id is not distinct from owner and coalesce(definition -> 'identifier', '{}')
        || coalesce(definition -> 'sandbox', '{}') <> '{}'
    )
    select id, "lineId", identifier, sandbox, family.name, family.owner from version, family
    where nth = 1 or exists (select from installation where integration_id = version.id and enabled)
    order by nth limit ${maxVersions}
  `.execute(db)
  const [first] = rows
  return first ? { name: first.name, owner: first.owner, versions: rows } : null
}

/**
 * Returns the webhook id of the installation with an identifier; the first match in the order of
 * versions.
 */
export async function findByIdentifiers(
  db: Db,
  named: { versionId: string; identifier: string }[],
): Promise<string | null> {
  if (!named.length) return null
  const { rows } = await sql<{ webhookId: string }>`
    select webhook_id as "webhookId"
    from jsonb_array_elements(${JSON.stringify(named)}::jsonb) with ordinality as named (one, nth)
      join installation on integration_id = one ->> 'versionId' and identifier = one ->> 'identifier'
        and enabled
    order by nth limit 1
  `.execute(db)
  return rows[0]?.webhookId ?? null
}
