// How integrations implement interfaces: the mapping from an interface's names to the integration's
// own.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { findInterfaceVersions } from '../interfaces/interfaces.ts'
import { reachable, type Scope } from '../packages/versions.ts'
import type { IntegrationDefinition } from './definition.ts'

interface Implementing {
  id: string
  name: string
  definition: IntegrationDefinition
}

type Statements = IntegrationDefinition['interfaces']

/**
 * Adds names and versions of the interfaces. Throws ReferenceNotFound for an interface not visible
 * to the workspace.
 */
export async function nameInterfaces(
  db: Db,
  workspaceId: string,
  statements: Statements,
): Promise<Statements> {
  const ids = Object.values(statements).map(({ id }) => id)
  const known = await lockInterfaces(db, workspaceId, ids)
  return Object.fromEntries(
    Object.entries(statements).map(([key, statement]) => [
      key,
      { ...statement, ...known.get(statement.id) },
    ]),
  )
}

/**
 * Locks the interfaces until the end of the transaction. Throws ReferenceNotFound for an interface
 * that is not visible to the workspace.
 */
export async function lockInterfaces(db: Db, workspaceId: string, ids: string[]) {
  const known = ids.length
    ? await findInterfaceVersions(db, workspaceId, ids)
    : new Map<string, { name: string; version: string }>()
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined)
    throw new ApiError('ReferenceNotFound', `Interface "${missing}" was not found`)
  return known
}

/** Returns the visible integrations: those that are not private, and the workspace's own. */
export async function findImplementing(
  db: Db,
  scope: Scope,
  ids: string[],
): Promise<Map<string, Implementing>> {
  const { rows } = await sql<Implementing>`
    select p.id, p.name, p.definition from integration p where p.id = any(${ids})
      and (p.workspace_id is null or ${reachable('hub')} or ${reachable(scope)})`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Lists the integrations installed in a bot, except those that are being removed. */
export async function listImplementing(
  db: Db,
  botId: string,
): Promise<(Implementing & { alias: string })[]> {
  const { rows } = await sql<Implementing & { alias: string }>`
    select t.alias, g.id, g.name, g.definition from installation t
      join integration g on g.id = t.integration_id where t.bot_id = ${botId} and not t.leaves
        order by t.alias`.execute(db)
  return rows
}

/** Returns the aliases of the bot's enabled integrations that implement an interface. */
export async function listImplementingByName(
  db: Db,
  botId: string,
  interfaceName: string,
): Promise<string[]> {
  const { rows } = await sql<{ alias: string }>`
    select t.alias from installation t join integration g on g.id = t.integration_id
      where t.bot_id = ${botId} and t.enabled and not t.leaves
        and g.interface_names @> array[${interfaceName}]
      order by t.alias`.execute(db)
  return rows.map(({ alias }) => alias)
}

/**
 * Returns whether an integration implements the interface; `but` excludes those of one workspace.
 */
export async function isImplemented(
  db: Db,
  interfaceId: string,
  but: string | null,
): Promise<boolean> {
  const { rows } =
    await sql`select from integration where interface_ids @> array[${interfaceId}]
      and workspace_id is distinct from ${but} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Returns the integration's name for an action of an interface. `under` is the key of the interface
 * in the integration; without it, all interfaces are searched. Returns null when the name is
 * missing or ambiguous.
 */
export async function findActionName(
  db: Db,
  botId: string,
  alias: string,
  action: string,
  under: string | undefined,
): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select distinct implemented.value #>> array['actions', ${action}, 'name'] as name
    from installation t join integration g on g.id = t.integration_id
      cross join lateral jsonb_each(coalesce(g.definition -> 'interfaces', '{}')) implemented
    where t.bot_id = ${botId} and t.alias = ${alias}
      and ${under === undefined ? sql`true` : sql`implemented.key = ${under}`}
      and implemented.value #>> array['actions', ${action}, 'name'] is not null`.execute(
    db,
  )
  return rows.length === 1 ? rows[0]!.name : null
}
