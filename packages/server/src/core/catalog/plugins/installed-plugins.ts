// The plugins in a bot: changes by an update of the bot, and listings. bot-plugins.ts stores
// their contributions.
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import type { Secrets } from '../../sealing/index.ts'
import { listImplementing } from '../integrations/implementations.ts'
import { findHeads, findPackages, type PackageHead } from '../packages/heads.ts'
import {
  type BotPlugin,
  listBotPlugins,
  type StoredBotPlugin,
  writeBotPlugins,
} from './bot-plugins.ts'
import type { PluginDefinition } from './definition.ts'
import { findDependencies } from './dependencies.ts'
import { type KnownPlugin, type PluginChanges, planPlugins } from './plugin-plan.ts'

/**
 * Requires the transaction that locks the bot's row, after the change of its integrations. `afresh`
 * removes plugins that are not in `input`.
 */
export async function changePlugins(
  db: Db,
  secrets: Secrets,
  bot: { id: string; workspaceId: string },
  input: PluginChanges,
  { afresh }: { afresh: boolean },
): Promise<void> {
  const installed = await listBotPlugins(db, secrets, bot.id)
  const changes = afresh
    ? { ...Object.fromEntries(installed.map(({ alias }) => [alias, null])), ...input }
    : input
  if (!installed.length && !Object.values(changes).some((change) => change)) return
  const known = await findKnown(db, bot.workspaceId, installed, changes)
  await writeBotPlugins(
    db,
    secrets,
    bot,
    await planPlugins(
      bot.id,
      installed,
      changes,
      known,
      await listImplementing(db, bot.id),
    ),
  )
}

/**
 * Finds the workspace's own plugins, those that are not private, and those that are already
 * installed.
 */
async function findKnown(
  db: Db,
  workspaceId: string,
  installed: BotPlugin[],
  changes: PluginChanges,
): Promise<Map<string, KnownPlugin>> {
  const present = installed.map(({ pluginId }) => pluginId)
  const ids = [
    ...present,
    ...Object.values(changes).flatMap((change) => (change ? [change.id] : [])),
  ]
  const plugins = await findPackages<PluginDefinition>(
    db,
    'plugin',
    sql`p.id = any(${ids}) and (p.workspace_id = ${workspaceId} or p.visibility <> 'private'
      or p.id = any(${present}))`,
  )
  const dependencies = await findDependencies(
    db,
    plugins.map(({ id }) => id),
  )
  return new Map(
    plugins.map((plugin) => [
      plugin.id,
      { plugin, dependencies: dependencies.get(plugin.id)! },
    ]),
  )
}

/**
 * Lists the aliases of installed plugins that this workspace may not install: private ones of
 * others.
 */
export async function listNotInstallablePlugins(
  db: Db,
  botId: string,
  workspaceId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('bot_plugin')
    .innerJoin('plugin', 'plugin.id', 'bot_plugin.plugin_id')
    .select('alias')
    .where('bot_id', '=', botId)
    .where('visibility', '=', 'private')
    .where('workspace_id', '<>', workspaceId)
    .orderBy('alias')
    .execute()
  return rows.map(({ alias }) => alias)
}

export type InstalledPlugin = StoredBotPlugin & { head: PackageHead }

async function listInstalledPlugins(
  db: Db,
  secrets: Secrets,
  botId: string,
): Promise<InstalledPlugin[]> {
  const installed = await listBotPlugins(db, secrets, botId)
  const heads = await findHeads(
    db,
    'plugin',
    installed.map(({ pluginId }) => pluginId),
  )
  return installed.map((one) => ({ ...one, head: heads.get(one.pluginId)! }))
}

/** Returns a plugin's recurring events under the plugin's own names. */
const listRecurringEvents = ({
  alias,
  definition: { recurringEvents },
}: BotPlugin): BotPlugin['definition']['recurringEvents'] => {
  const bare = (name: string) => name.slice(alias.length + 1)
  return Object.fromEntries(
    Object.entries(recurringEvents).map(([key, event]) => [
      bare(key),
      { ...event, type: bare(event.type) },
    ]),
  )
}

/** Plugins that are installed in a bot. */
export const installedPlugins = {
  list: listInstalledPlugins,
  listRecurringEvents,
}
