import { ApiError } from '@botstead/contract'
import type { Db } from '../../db/index.ts'
import { findBacking } from '../plugins/bot-plugins.ts'
import { type Declaration, findDeclaration } from './declarations.ts'
import { findActionName } from './implementations.ts'

/**
 * Finds an action by the integration's own name for it or by the name in an interface that it
 * implements. `plugin#name` refers to the integration that a plugin uses under this name. Returns
 * null without an enabled integration; throws ReferenceNotFound without such an action.
 */
export async function findAction(
  db: Db,
  botId: string,
  aliasOrName: string,
  name: string,
): Promise<(Declaration & { action: string }) | null> {
  const installed = await findDeclaration(db, botId, aliasOrName, ['actions', name])
  const backing = installed ? null : await findPluginBacking(db, botId, aliasOrName)
  if (!(backing ?? installed?.enabled)) return null
  if (installed?.declared) return { ...installed, action: name }
  const alias = backing?.integrationAlias ?? installed!.alias
  const action =
    (await findActionName(db, botId, alias, name, backing?.integrationInterfaceAlias)) ??
    name
  const implementing = await findDeclaration(db, botId, alias, ['actions', action])
  if (!implementing?.enabled || !implementing.declared)
    throw new ApiError(
      'ReferenceNotFound',
      `Integration "${aliasOrName}" has no action "${name}"`,
    )
  return { ...implementing, action }
}

async function findPluginBacking(db: Db, botId: string, name: string) {
  const hash = name.indexOf('#')
  return hash < 0
    ? null
    : findBacking(db, botId, name.slice(0, hash), name.slice(hash + 1))
}
