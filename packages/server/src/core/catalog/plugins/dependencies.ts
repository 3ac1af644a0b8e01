// Owns the table plugin_dependency: the interfaces and integrations that a plugin depends on, under
// its own names.
import {
  ApiError,
  type NewPlugin,
  type PluginChange,
  type PluginDependencies,
} from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { pickVersion } from '../packages/versions.ts'

type DependencyChange = NonNullable<
  PluginChange['dependencies'] | NewPlugin['dependencies']
>
type Kind = 'interface' | 'integration'
type Wanted = { id?: string; name?: string; version?: string }
interface Known {
  id: string
  name: string
  version: string
  own: boolean
}

const maxDependencies = 50

/**
 * Requires the transaction that writes the plugin. Throws ReferenceNotFound for a package that is
 * not visible to the workspace, LimitExceeded.
 */
export async function changeDependencies(
  db: Db,
  plugin: { id: string; workspaceId: string },
  { interfaces = {}, integrations = {} }: DependencyChange,
): Promise<void> {
  await changeKind(db, 'interface', plugin, interfaces)
  await changeKind(db, 'integration', plugin, integrations)
  const { rows } = await sql<{
    count: number
  }>`select count(*)::integer as count from plugin_dependency where plugin_id = ${plugin.id}`.execute(
    db,
  )
  if (rows[0]!.count > maxDependencies)
    throw new ApiError(
      'LimitExceeded',
      `A plugin can depend on at most ${maxDependencies} interfaces and integrations`,
    )
}

async function changeKind(
  db: Db,
  kind: Kind,
  plugin: { id: string; workspaceId: string },
  changes: Record<string, Wanted | null>,
) {
  const names = Object.keys(changes)
  if (!names.length) return
  const wanted = Object.entries(changes).flatMap(([alias, change]) =>
    change ? [{ alias, ...change }] : [],
  )
  const known = await findKnown(db, kind, plugin.workspaceId, wanted)
  const rows = wanted.map(({ alias, ...one }) => ({
    alias,
    id: findWanted(kind, alias, one, known).id,
  }))
  const column = sql.ref(`${kind}_id`)
  await sql`
    with removed as (delete from plugin_dependency where plugin_id = ${plugin.id} and ${column} is not null
      and alias = any(${names}) and alias <> all(${rows.map((row) => row.alias)}))
    insert into plugin_dependency (plugin_id, workspace_id, alias, ${column})
    select ${plugin.id}, ${plugin.workspaceId}, alias, id
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as wanted (alias text, id text)
    on conflict (plugin_id, alias) where ${column} is not null do update
      set ${column} = excluded.${column}`.execute(db)
}

/** Finds packages of the workspace, and those of others that are not private. */
async function findKnown(
  db: Db,
  kind: Kind,
  workspaceId: string,
  wanted: Wanted[],
): Promise<Known[]> {
  const ids = wanted.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const names = wanted.flatMap(({ id, name }) =>
    id !== undefined || name === undefined ? [] : [name],
  )
  const { rows } = await sql<Known>`
    select id, name, version, workspace_id is not distinct from ${workspaceId} as own from ${sql.table(kind)}
    where (id = any(${ids})
      or (name = any(${names}) and ${kind === 'integration' ? sql`not dev` : sql`true`}))
      and (workspace_id is null or workspace_id = ${workspaceId} or visibility <> 'private')
    for key share`.execute(db)
  return rows
}

/** Prefers the workspace's own packages of a name, as the tools do. */
function findWanted(
  kind: Kind,
  alias: string,
  { id, name, version = 'latest' }: Wanted,
  known: Known[],
): Known {
  const found =
    id === undefined
      ? [true, false]
          .map((own) =>
            pickVersion(
              known.filter((one) => one.own === own && one.name === name),
              version,
            ),
          )
          .find((one) => one)
      : known.find((one) => one.id === id)
  if (!found)
    throw new ApiError(
      'ReferenceNotFound',
      `The ${kind} "${id ?? `${name} ${version}`}" of the dependency "${alias}" was not found`,
    )
  return found
}

/** Returns whether a plugin depends on the interface; `but` excludes plugins of one workspace. */
export async function isDependedOn(
  db: Db,
  interfaceId: string,
  but: string | null,
): Promise<boolean> {
  const { rows } =
    await sql`select from plugin_dependency where interface_id = ${interfaceId}
      and workspace_id is distinct from ${but} limit 1`.execute(db)
  return rows.length > 0
}

/** Returns dependencies by plugin id. */
export async function findDependencies(
  db: Db,
  pluginIds: string[],
): Promise<Map<string, PluginDependencies>> {
  const all = new Map(
    pluginIds.map((id) => [
      id,
      { interfaces: {}, integrations: {} } as PluginDependencies,
    ]),
  )
  if (!pluginIds.length) return all
  const { rows } = await sql<{
    plugin: string
    alias: string
    id: string
    name: string
    version: string
    interface: boolean
  }>`
    select d.plugin_id as plugin, d.alias, coalesce(i.id, g.id) as id, coalesce(i.name, g.name) as name,
      coalesce(i.version, g.version) as version,
      d.interface_id is not null as interface
    from plugin_dependency d left join interface i on i.id = d.interface_id
      left join integration g on g.id = d.integration_id
    where d.plugin_id = any(${pluginIds}) order by d.alias`.execute(db)
  for (const { plugin, alias, interface: isInterface, ...named } of rows) {
    const { interfaces, integrations } = all.get(plugin)!
    Object.defineProperty(isInterface ? interfaces : integrations, alias, {
      value: named,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return all
}
