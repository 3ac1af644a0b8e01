// Reads parts of the definitions of a bot's installed integrations.
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'

export interface Declaration {
  alias: string
  name: string
  enabled: boolean
  /** The server implements this integration itself. */
  builtIn: boolean
  disabledChannels: string[]
  /** The requested part of the definition; null if it is not declared. */
  declared: unknown
}

/**
 * Finds the integration with this alias, otherwise one with this name. Returns null when there is
 * none.
 */
export async function findDeclaration(
  db: Db,
  botId: string,
  aliasOrName: string,
  path: string[],
): Promise<Declaration | null> {
  const { rows } = await sql<Declaration>`
    select t.alias, g.name, t.enabled, g.workspace_id is null and g.url is null as "builtIn",
      t.disabled_channels as "disabledChannels", g.definition #> ${path}::text[] as declared
    from installation t join integration g on g.id = t.integration_id
    where t.bot_id = ${botId} and (t.alias = ${aliasOrName} or g.name = ${aliasOrName})
    order by t.alias = ${aliasOrName} desc, t.enabled desc, t.created_at, t.alias limit 1`.execute(
    db,
  )
  return rows[0] ?? null
}

/**
 * Returns the aliases that an alias or name of an integration refers to. Includes the given text
 * itself, since conversations outlive a removed installation.
 */
export async function findAliases(
  db: Db,
  botId: string,
  aliasOrName: string,
): Promise<string[]> {
  const { rows } = await sql<{ alias: string }>`
    select t.alias from installation t join integration g on g.id = t.integration_id
      where t.bot_id = ${botId} and g.name = ${aliasOrName}`.execute(db)
  return [aliasOrName, ...rows.map(({ alias }) => alias)]
}
