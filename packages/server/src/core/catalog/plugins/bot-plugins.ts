// Owns the table bot_plugin: the plugins in a bot, each under an alias. The row holds the plugin's
// contributions as `alias#name`, apart from the bot's own declarations, so an update of the bot
// cannot change or remove them. Readers merge both.
import { ApiError } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { BotDefinition } from '../../bots/index.ts'
import { type Db, isMissing, type Schema } from '../../db/index.ts'
import type { Secrets } from '../../sealing/index.ts'

/** An integration of the bot that a plugin depends on. */
export interface Backing {
  integrationId: string
  integrationAlias: string
}
export interface InterfaceBacking extends Backing {
  /** Key of the interface in the integration's definition. */
  integrationInterfaceAlias: string
  interfaceId: string
}

/** Contributions of plugins to a bot. */
export type Brought = Pick<
  BotDefinition,
  | 'states'
  | 'events'
  | 'recurringEvents'
  | 'actions'
  | 'user'
  | 'conversation'
  | 'message'
>

export interface BotPlugin {
  alias: string
  pluginId: string
  enabled: boolean
  configuration: Record<string, unknown>
  interfaces: Record<string, InterfaceBacking>
  integrations: Record<string, Backing>
  definition: Brought
}
export type StoredBotPlugin = BotPlugin & { createdAt: Date; updatedAt: Date }

export async function listBotPlugins(
  db: Db,
  secrets: Secrets,
  botId: string,
): Promise<StoredBotPlugin[]> {
  const rows = await db
    .selectFrom('bot_plugin')
    .selectAll()
    .where('bot_id', '=', botId)
    .orderBy('alias')
    .execute()
  return Promise.all(rows.map((row) => openBotPlugin(secrets, row)))
}

/**
 * Requires the transaction that locks the bot's row. Throws ReferenceNotFound for a plugin that was
 * just deleted.
 */
export async function writeBotPlugins(
  db: Db,
  secrets: Secrets,
  { id: botId, workspaceId }: { id: string; workspaceId: string },
  { put, remove }: { put: BotPlugin[]; remove: string[] },
): Promise<void> {
  if (remove.length)
    await db
      .deleteFrom('bot_plugin')
      .where('bot_id', '=', botId)
      .where('alias', 'in', remove)
      .execute()
  if (!put.length) return
  const sealed = async (one: BotPlugin) => ({
    ...one,
    configuration: (
      await secrets.seal(
        workspaceId,
        JSON.stringify(one.configuration),
        sealPath(botId, one.alias),
      )
    ).toString('base64'),
  })
  const rows = await Promise.all(put.map(sealed))
  const written = sql`
    insert into bot_plugin (bot_id, alias, plugin_id, enabled, configuration, interfaces, integrations,
      definition)
    select ${botId}, alias, "pluginId", enabled, decode(configuration, 'base64'), interfaces,
      integrations, definition
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as put
      (alias text, "pluginId" text, enabled boolean, configuration text, interfaces jsonb, integrations jsonb,
        definition jsonb)
    on conflict (bot_id, alias) do update set
      plugin_id = excluded.plugin_id, enabled = excluded.enabled, configuration = excluded.configuration,
        interfaces = excluded.interfaces,
      integrations = excluded.integrations, definition = excluded.definition, updated_at = now()
  `.execute(db)
  await written.catch((error) => {
    throw isMissing(error)
      ? new ApiError('ReferenceNotFound', 'A plugin was deleted during the update')
      : error
  })
}

/** Returns the bot's definition with the contributions of the enabled plugins that it has. */
export const withInstalledPlugins = async (
  db: Db,
  secrets: Secrets,
  { id, definition }: { id: string; definition: BotDefinition },
) => withPlugins(definition, await listBotPlugins(db, secrets, id))

/** Returns the definition with the contributions of the plugins that are enabled. */
export function withPlugins(
  definition: BotDefinition,
  plugins: Pick<BotPlugin, 'enabled' | 'definition'>[],
): BotDefinition {
  const brought = plugins.filter(({ enabled }) => enabled).map((one) => one.definition)
  if (!brought.length) return definition
  const merged = <T>(own: Record<string, T>, part: (of: Brought) => Record<string, T>) =>
    Object.fromEntries([own, ...brought.map(part)].flatMap((one) => Object.entries(one)))
  return {
    ...definition,
    states: merged(definition.states, ({ states }) => states),
    events: merged(definition.events, ({ events }) => events),
    recurringEvents: merged(
      definition.recurringEvents,
      ({ recurringEvents }) => recurringEvents,
    ),
    actions: merged(definition.actions, ({ actions }) => actions),
    user: { tags: merged(definition.user.tags, ({ user }) => user.tags) },
    conversation: {
      tags: merged(definition.conversation.tags, ({ conversation }) => conversation.tags),
    },
    message: { tags: merged(definition.message.tags, ({ message }) => message.tags) },
  }
}

/**
 * Finds the integration behind a dependency of an enabled plugin, by the plugin's own name; null
 * without one.
 */
export async function findBacking(
  db: Db,
  botId: string,
  alias: string,
  name: string,
): Promise<(Backing & Partial<InterfaceBacking>) | null> {
  const row = await db
    .selectFrom('bot_plugin')
    .select(['interfaces', 'integrations'])
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .where('enabled', '=', true)
    .executeTakeFirst()
  const backings = new Map<string, Backing>(
    row ? [...Object.entries(row.integrations), ...Object.entries(row.interfaces)] : [],
  )
  return backings.get(name) ?? null
}

/** Returns whether a bot has the plugin; `but` excludes bots of one workspace. */
export async function isPluginInstalled(
  db: Db,
  pluginId: string,
  but: string | null = null,
): Promise<boolean> {
  const { rows } = await sql`
    select from bot_plugin join bot on bot.id = bot_id where plugin_id = ${pluginId}
      and bot.workspace_id is distinct from ${but} limit 1`.execute(db)
  return rows.length > 0
}

const sealPath = (botId: string, alias: string) =>
  `bot_plugin.configuration/${botId}/${alias}`

export type BotPluginRow = Selectable<Schema['bot_plugin']>

/** Decrypts the configuration. */
export const openBotPlugin = async (
  secrets: Secrets,
  row: BotPluginRow,
): Promise<StoredBotPlugin> => ({
  alias: row.alias,
  pluginId: row.plugin_id,
  enabled: row.enabled,
  configuration: JSON.parse(
    await secrets.open(row.configuration, sealPath(row.bot_id, row.alias)),
  ),
  interfaces: row.interfaces,
  integrations: row.integrations,
  definition: row.definition as unknown as Brought,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
