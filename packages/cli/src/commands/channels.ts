// `botstead channels`: connects bots with messengers, and disconnects them.
import { text } from 'node:stream/consumers'
import type { ChannelState } from '@botstead/contract'
import { CliError, MissingError, UsageError } from '../failure.ts'
import type { Context } from '../server/context.ts'

type Client = Context['client']

interface Setting {
  name: string
  title: string
  description: string
  isRequired: boolean
  type: unknown
}

interface AddOptions {
  set?: string[]
  alias?: string
}

/** Returns the newest version of a channel with its settings, required ones first. Throws MissingError. */
export async function findChannel(client: Client, wanted: string) {
  const name = wanted.toLowerCase()
  const { integrations } = await client.admin.listPublicIntegrations({ query: { name } })
  const found = integrations.find((one) => one.name === name)
  if (!found) throw new MissingError(await explainUnknown(client, wanted))
  const params = { id: found.id }
  const { integration } = await client.admin.getPublicIntegrationById({ params })
  return {
    id: found.id,
    name,
    title: found.title || name,
    settings: toSettings(integration),
  }
}

type Fields = Record<string, { type?: unknown; title?: string; description?: string }>

function toSettings({
  configuration,
}: {
  configuration: { schema: unknown }
}): Setting[] {
  const { properties = {}, required = [] } = configuration.schema as {
    properties?: Fields
    required?: string[]
  }
  const settings = Object.entries(properties).map(([name, field]) => ({
    name,
    title: field.title ?? '',
    description: field.description ?? '',
    isRequired: required.includes(name),
    type: field.type,
  }))
  return settings.sort((a, b) => Number(b.isRequired) - Number(a.isRequired))
}

/**
 * Installs a channel, or replaces its settings. Throws UsageError for unknown or missing settings, and
 * CliError with the reason if it does not register.
 */
export async function addChannel(
  { client, botId }: Pick<Context, 'client' | 'botId'>,
  wanted: string,
  { set = [], alias }: AddOptions,
) {
  const { id: integrationId, name, title, settings } = await findChannel(client, wanted)
  const configuration = await readSettings(set, { name, settings })
  const chosen = alias ?? name
  const { bot } = await client.admin.updateBot({
    params: { id: botId },
    body: { integrations: { [chosen]: { integrationId, enabled: true, configuration } } },
  })
  const added = bot.integrations[chosen]
  if (added?.status !== 'registered')
    throw new CliError(
      `${title} is installed, but not connected: ${added?.statusReason ?? 'unknown reason'}\n` +
        'Run the same command again with the right values.',
    )
  return { ...toListed(chosen, added), title }
}

interface Installed {
  name: string
  title?: string | null
  enabled: boolean
  status: string
  statusReason?: string | null
  webhookUrl: string
}

/** Without the configuration, which has secrets. */
export const toListed = (alias: string, installed: Installed) => {
  const { name, title, enabled, status, statusReason, webhookUrl } = installed
  return { alias, name, title, enabled, status, statusReason, webhookUrl }
}

async function explainUnknown(client: Client, name: string): Promise<string> {
  const { integrations } = await client.admin.listPublicIntegrations({ query: {} })
  const names = [...new Set(integrations.map((one) => one.name))].sort()
  return `The server has no channel "${name}". It has: ${names.join(', ')}`
}

/** Reads `name=value`; the value `-` is standard input, so that a secret is in no list of processes. */
async function readSettings(
  given: string[],
  { name: channel, settings }: { name: string; settings: Setting[] },
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const setting of given) {
    const at = setting.indexOf('=')
    if (at < 1) throw new UsageError(`--set ${setting}: write a name, "=" and a value`)
    const [name, value] = [setting.slice(0, at), setting.slice(at + 1)]
    const known = settings.find((one) => one.name === name)
    if (!known)
      throw new UsageError(
        `"${channel}" has no setting "${name}". It has: ${listNames(settings)}`,
      )
    values[name] = toValue(
      value === '-' ? (await text(process.stdin)).trim() : value,
      known,
    )
  }
  const missing = settings.filter(
    ({ name, isRequired }) => isRequired && !(name in values),
  )
  if (missing.length > 0)
    throw new UsageError(
      `"${channel}" needs ${missing.map(({ name }) => `--set ${name}=…`).join(' and ')}. ` +
        `"botstead channels settings ${channel}" describes them.`,
    )
  return values
}

const listNames = (settings: Setting[]) =>
  settings
    .map(({ name, isRequired }) => (isRequired ? `${name} (required)` : name))
    .join(', ')

/** Reads a value as the type of its setting; a number in a setting for texts stays a text. */
function toValue(given: string, { name, type }: Setting): unknown {
  if (type === undefined || type === 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    throw new UsageError(`--set ${name}: "${given}" is not of the type ${String(type)}`)
  }
}

/** Throws MissingError if the bot has no such channel. */
export async function removeChannel(
  client: Client,
  botId: string,
  alias: string,
): Promise<void> {
  const params = { id: botId }
  const { bot } = await client.admin.getBot({ params })
  if (!Object.hasOwn(bot.integrations, alias))
    throw noChannel(alias, Object.keys(bot.integrations))
  await client.admin.updateBot({ params, body: { integrations: { [alias]: null } } })
}

const noChannel = (alias: string, aliases: string[]) =>
  new MissingError(
    `The bot has no channel "${alias}". It has: ${aliases.join(', ') || 'none'}`,
  )

export type ChannelStatus = ChannelState & { trouble: string }

/**
 * Returns the states of the channels of a bot, or of one of them. `check` asks its provider first. Throws
 * MissingError.
 */
export async function readStates(
  { client, botId }: Pick<Context, 'client' | 'botId'>,
  alias: string | undefined,
  { check = false }: { check?: boolean },
): Promise<ChannelStatus[]> {
  const params = { botId }
  const { channels } = await client.platform.listChannels({ params })
  const wanted = channels.filter((one) => alias === undefined || one.alias === alias)
  if (alias !== undefined && wanted.length === 0)
    throw noChannel(
      alias,
      channels.map((one) => one.alias),
    )
  if (!check) return wanted.map((state) => ({ ...state, trouble: toTrouble(state) }))
  const enabled = wanted.filter((one) => one.enabled)
  await Promise.all(
    enabled.map((one) =>
      client.platform.verifyChannel({ params: { botId, alias: one.alias }, body: {} }),
    ),
  )
  return readStates({ client, botId }, alias, {})
}

/** Returns the reason of the state, or else the last error. */
function toTrouble({ enabled, statusReason, lastError }: ChannelState): string {
  if (enabled && statusReason) return statusReason
  if (!lastError) return ''
  return lastError.isOver ? `(over) ${lastError.message}` : lastError.message
}
