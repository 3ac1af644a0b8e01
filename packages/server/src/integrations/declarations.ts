// What the integrations installed in a bot declare, read piece by piece.
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

export interface Declaration {
  alias: string
  name: string
  enabled: boolean
  /** Comes with the server: its code is ours. */
  builtIn: boolean
  disabledChannels: string[]
  /** The part of the definition that was asked for; null where nothing is declared. */
  declared: unknown
}

/** Of the integration installed under this alias or, failing that, of one with this name. Null when there is none. */
export async function findDeclaration(
  db: Db,
  botId: string,
  aliasOrName: string,
  path: string[],
): Promise<Declaration | null> {
  const { rows } = await sql<Declaration>`
    select t.alias, g.name, t.enabled, g.workspace_id is null as "builtIn", t.disabled_channels as "disabledChannels", g.definition #> ${path}::text[] as declared
    from installation t join integration g on g.id = t.integration_id
    where t.bot_id = ${botId} and (t.alias = ${aliasOrName} or g.name = ${aliasOrName})
    order by t.alias = ${aliasOrName} desc, t.enabled desc, t.created_at, t.alias limit 1`.execute(db)
  return rows[0] ?? null
}

/** Which aliases a caller means who names an integration by alias or by name. The alias of one that is gone still has its conversations. */
export async function findAliases(db: Db, botId: string, aliasOrName: string): Promise<string[]> {
  const { rows } = await sql<{ alias: string }>`
    select t.alias from installation t join integration g on g.id = t.integration_id where t.bot_id = ${botId} and g.name = ${aliasOrName}`.execute(
    db,
  )
  return [aliasOrName, ...rows.map(({ alias }) => alias)]
}
