// Reads a bot as the Admin API shows it, with its installations, plugins and recurring failures, in
// one statement. The modules that own these rows list them for other purposes.
import type { Bot } from '@botstead/contract'
import { botStore, toBot } from '../../../bots/index.ts'
import { statement } from '../../../db/index.ts'
import type { Services } from '../../../http/index.ts'
import type { Secrets } from '../../../sealing/index.ts'
import { openConfiguration } from '../../installations/configurations.ts'
import type { ShownInstallation } from '../../installations/installations.ts'
import {
  type BotPluginRow,
  openBotPlugin,
  withPlugins,
} from '../../plugins/bot-plugins.ts'
import type { InstalledPlugin } from '../../plugins/installed-plugins.ts'
import { toInstallation, toPluginInstallation } from './installation-serializers.ts'

interface ViewOptions {
  /** The URL at which clients reach this server. */
  origin: string
  /** Whether integrations are keyed by alias; otherwise by the id of their version. */
  byAlias: boolean
  /** Whether the definition includes the contributions of plugins. */
  isMerged: boolean
}

/** In JSON, times are texts and bytes are base64. */
type InJson<Row> = {
  [Name in keyof Row]: Row[Name] extends Date | Buffer ? string : Row[Name]
}
type SealedInstallation = Omit<ShownInstallation, 'configuration'> & {
  bot_id: string
  configuration: Buffer
}

type ShownBot = Parameters<typeof toBot>[0]
type Row = Omit<ShownBot, 'definition'> & {
  definition: Partial<ShownBot['definition']>
  installations: InJson<SealedInstallation>[] | null
  plugins: (InJson<BotPluginRow> & { head: InJson<InstalledPlugin['head']> })[] | null
  failures: Parameters<typeof toBot>[1]['failures'] | null
}

const installations = `
  select t.bot_id, t.alias, t.integration_id, t.webhook_id, t.enabled, t.configuration_type,
    encode(t.configuration, 'base64') as configuration, t.status, t.status_reason,
    t.disabled_channels, t.identifier, t.created_at, t.updated_at, g.name, g.version,
    g.workspace_id is null and g.url is null as "builtIn", g.title, g.description, g.visibility,
    line.icon_id as "iconId"
  from installation t join integration g on g.id = t.integration_id
  left join package_line line on line.id = g.line_id
  where t.bot_id = bot.id`

const plugins = `
  select t.bot_id, t.alias, t.plugin_id, t.enabled,
    encode(t.configuration, 'base64') as configuration, t.interfaces, t.integrations, t.definition,
    t.created_at, t.updated_at, (
      select row_to_json(head) from (
        select p.id, p.workspace_id, p.name, p.version, p.visibility, p.title, p.description,
          line.icon_id, p.readme_id, p.created_at, p.updated_at
        from plugin p join package_line line on line.id = p.line_id where p.id = t.plugin_id
      ) head
    ) as head
  from bot_plugin t where t.bot_id = bot.id`

const viewStatement = statement<{ workspaceId: string; id: string }>(
  'view-bot',
  `select id, name, description, dev, status, tags, type, definition, secrets, always_alive,
    max_execution_seconds, created_by, created_at, updated_at, deployed_at,
    (select json_agg(t order by alias) from (${installations}) t) as installations,
    (select json_agg(t order by alias) from (${plugins}) t) as plugins,
    (select json_object_agg(key, json_build_object('failedAttempts', failed_attempts,
        'lastFailureReason', last_failure_reason))
      from recurring_event where bot_id = bot.id) as failures
  from bot where id = :id::text and workspace_id = :workspaceId::text`,
)

/** Throws ResourceNotFound. */
export async function viewBot(
  { database, secrets }: Pick<Services, 'database' | 'secrets'>,
  { workspaceId, id }: { workspaceId: string; id: string },
  { origin, byAlias, isMerged }: ViewOptions,
): Promise<Bot> {
  const [row] = await database.run<Row>(...viewStatement({ workspaceId, id }))
  if (!row) throw botStore.notFound(id)
  const { failures, ...rest } = row
  const bot = botStore.withFullDefinition(rest)
  const installed = await openAll(row.installations, (one) =>
    openInstallation(secrets, one),
  )
  const plugins = await openAll(row.plugins, (one) => openPlugin(secrets, one))
  return toBot(
    isMerged ? { ...bot, definition: withPlugins(bot.definition, plugins) } : bot,
    {
      integrations: Object.fromEntries(
        installed.map((one) => [
          byAlias ? one.alias : one.integration_id,
          toInstallation(one, origin),
        ]),
      ),
      plugins: Object.fromEntries(
        plugins.map((one) => [one.alias, toPluginInstallation(one, origin)]),
      ),
      failures: failures ?? {},
    },
  )
}

const openAll = <Sealed, Opened>(
  rows: Sealed[] | null,
  open: (row: Sealed) => Promise<Opened>,
): Promise<Opened[]> => Promise.all((rows ?? []).map(open))

async function openInstallation(
  secrets: Secrets,
  { bot_id, configuration, ...row }: InJson<SealedInstallation>,
): Promise<ShownInstallation> {
  const sealed = { bot_id, alias: row.alias, configuration: decodeBase64(configuration) }
  return {
    ...row,
    ...toDates(row),
    configuration: await openConfiguration(secrets, sealed),
  }
}

async function openPlugin(
  secrets: Secrets,
  { head, ...row }: InJson<BotPluginRow> & { head: InJson<InstalledPlugin['head']> },
): Promise<InstalledPlugin> {
  const sealed = {
    ...row,
    ...toDates(row),
    configuration: decodeBase64(row.configuration),
  }
  return {
    ...(await openBotPlugin(secrets, sealed)),
    head: { ...head, ...toDates(head) },
  }
}

const decodeBase64 = (base64: string) => Buffer.from(base64, 'base64')

const toDates = (row: { created_at: string; updated_at: string }) => ({
  created_at: new Date(row.created_at),
  updated_at: new Date(row.updated_at),
})
