// Owns the tables plugin and plugin_code: versions of plugins, which bots are compiled with. See
// dependencies.ts for the packages that a plugin depends on, installed-plugins.ts for plugins in
// bots.
import {
  ApiError,
  type NewPlugin,
  type PluginChange,
  type PluginDependencies,
} from '@botstead/contract'
import { toTextInSlices } from '@botstead/lib'
import { sql } from 'kysely'
import { botCode } from '../../bots/index.ts'
import { schemas } from '../../compute/index.ts'
import type { Limits } from '../../config/index.ts'
import type { Db } from '../../db/index.ts'
import { findImplementing } from '../integrations/implementations.ts'
import type { InterfaceDefinition } from '../interfaces/definition.ts'
import { checkNames, rejectBreaking } from '../packages/definitions.ts'
import { findPackages, type Package } from '../packages/heads.ts'
import {
  changePackage,
  deletePackage,
  lockPackage,
  noPackage,
  publishPackage,
} from '../packages/publishing.ts'
import { olderVisibility, reachable, type Scope } from '../packages/versions.ts'
import { isPluginInstalled } from './bot-plugins.ts'
import {
  emptyPlugin,
  mergePlugin,
  type PluginDefinition,
  pluginParts,
  pluginSchemas,
  rejectLargePlugin,
} from './definition.ts'
import { changeDependencies, findDependencies } from './dependencies.ts'
import { dereference, type FindEntity } from './dereference.ts'
import { implementedEntities, interfaceEntities } from './entities.ts'

export type Plugin = Package<PluginDefinition>
type Platform = 'node' | 'browser'

/** Requires a transaction. Returns the id. */
export async function createPlugin(
  db: Db,
  limits: Limits,
  workspaceId: string,
  input: NewPlugin,
): Promise<string> {
  const definition = mergePlugin(emptyPlugin, input)
  check(limits, definition)
  const id = await publishPackage(db, limits, 'plugin', workspaceId, {
    ...input,
    visibility: input.visibility ?? olderVisibility('private', input.public),
    definition,
  })
  await changeDependencies(db, { id, workspaceId }, input.dependencies ?? {})
  await checkSchemas(db, { id, workspaceId }, definition)
  await keepCode(db, id, input.code)
  return id
}

/**
 * Requires a transaction. Throws ResourceNotFound. Bots keep the plugin's previous contributions
 * until their next deployment, since the plugin is compiled into them.
 */
export async function updatePlugin(
  db: Db,
  limits: Limits,
  workspaceId: string,
  id: string,
  change: PluginChange,
): Promise<void> {
  const now = await lockPackage<PluginDefinition>(db, 'plugin', workspaceId, id)
  const definition = mergePlugin(now.definition, change)
  check(limits, definition)
  rejectBreaking(now.visibility, pluginParts(now.definition), pluginParts(definition))
  const next = {
    ...change,
    visibility: change.visibility ?? olderVisibility(now.visibility, change.public),
    definition,
  }
  await changePackage(db, 'plugin', now, next, (db) =>
    isPluginInstalled(db, id, workspaceId),
  )
  await changeDependencies(db, { id, workspaceId }, change.dependencies ?? {})
  await checkSchemas(db, { id, workspaceId }, definition)
  await keepCode(db, id, change.code ?? {})
}

/** Requires a transaction. Throws ResourceNotFound, ReferenceConstraint. */
export const deletePlugin = (db: Db, workspaceId: string, id: string) =>
  deletePackage(db, 'plugin', workspaceId, id, (db) => isPluginInstalled(db, id))

/** Throws ResourceNotFound. */
export async function findPluginCode(
  db: Db,
  scope: Scope,
  id: string,
  platform: Platform,
): Promise<string> {
  const code = await botCode.read(
    db,
    sql`select code from plugin p join plugin_code on plugin_id = p.id
      where p.id = ${id} and ${reachable(scope)} and platform = ${platform}`,
  )
  if (!code) throw noPackage('plugin', id)
  return toTextInSlices(code)
}

/** Lists the versions with these names that the workspace may install, its own first. */
export async function findInstallablePlugins(
  db: Db,
  workspaceId: string,
  names: string[],
): Promise<{ id: string; name: string; version: string }[]> {
  const { rows } = await sql<{ id: string; name: string; version: string }>`
    select p.id, p.name, p.version from plugin p where p.name = any(${names})
      and (${reachable({ workspaceId })} or ${reachable('hub')})
    order by ${reachable({ workspaceId })} desc, p.id`.execute(db)
  return rows
}

/**
 * Returns the definition with the entities of these integrations, keyed by the plugin's interface
 * names. Throws ReferenceNotFound.
 */
export async function dereferencePlugin(
  db: Db,
  scope: Scope,
  { id, definition }: Plugin,
  interfaces: Record<string, string>,
): Promise<PluginDefinition> {
  const dependencies = (await findDependencies(db, [id])).get(id)!
  const known = await findImplementing(db, scope, Object.values(interfaces))
  const missing = Object.values(interfaces).find(
    (integrationId) => !known.has(integrationId),
  )
  if (missing !== undefined)
    throw new ApiError('ReferenceNotFound', `Integration "${missing}" was not found`)
  const named = new Map(
    Object.entries(interfaces).map(([alias, integrationId]) => [
      alias,
      known.get(integrationId)!,
    ]),
  )
  return dereference(
    definition,
    implementedEntities(
      dependencies,
      named,
      await findInterfaceEntities(db, dependencies),
    ),
  )
}

/** Finds the interfaces' own entities. */
async function findInterfaceEntities(
  db: Db,
  dependencies: PluginDependencies,
): Promise<FindEntity> {
  const ids = Object.values(dependencies.interfaces).map(({ id }) => id)
  const found = ids.length
    ? await findPackages<InterfaceDefinition>(db, 'interface', sql`p.id = any(${ids})`)
    : []
  return interfaceEntities(
    dependencies,
    new Map(found.map(({ id, definition }) => [id, definition])),
  )
}

function check(limits: Limits, definition: PluginDefinition) {
  rejectLargePlugin(limits, definition)
  checkNames(pluginParts(definition))
}

/**
 * Throws ReferenceNotFound for a reference to an entity that the plugin's interfaces lack,
 * InvalidJsonSchema.
 */
async function checkSchemas(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string },
  definition: PluginDefinition,
) {
  const dependencies = (await findDependencies(db, [id])).get(id)!
  await schemas.rejectInvalid(
    workspaceId,
    pluginSchemas(dereference(definition, await findInterfaceEntities(db, dependencies))),
  )
}

async function keepCode(db: Db, id: string, code: Partial<Record<Platform, string>>) {
  const rows = (['node', 'browser'] as const).flatMap((platform) =>
    code[platform] === undefined
      ? []
      : [{ plugin_id: id, platform, code: code[platform] }],
  )
  if (!rows.length) return
  await db
    .insertInto('plugin_code')
    .values(rows)
    .onConflict((on) =>
      on
        .columns(['plugin_id', 'platform'])
        .doUpdateSet({ code: (is) => is.ref('excluded.code') }),
    )
    .execute()
}
