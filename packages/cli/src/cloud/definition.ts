// Creates a bot in the target, and moves its definition, code, versions and integrations.
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, RequestError } from '@botstead/client'
import { CliError } from '../failure.ts'
import { listIntegrationWarnings } from '../server/integration-warnings.ts'
import {
  download,
  isObstacle,
  isPathPart,
  isRejected,
  rejectForeign,
  repeatDownload,
  Unfetchable,
} from './ends.ts'
import {
  type BotMove,
  type BotSource,
  type Migration,
  onceOnly,
  type SourceBot,
  sourceTag,
  toEntries,
} from './migration.ts'

/** Returns the id of the bot in the target that an earlier run created. */
export async function findTarget({
  target,
  journal,
  bot,
}: BotSource): Promise<string | undefined> {
  const tags = { [sourceTag]: bot.id }
  const { bots } = await target.client.admin.listBots({ query: { tags } })
  const known = journal.get(`${bot.id}/target`)
  if (known !== undefined && !bots.some(({ id }) => id === known))
    throw new CliError(
      `the bot ${known} of an earlier run is missing: pass another --state`,
    )
  return known ?? bots[0]?.id
}

export async function createTarget(source: BotSource): Promise<string> {
  const { target, journal, findings, bot } = source
  const body = { name: bot.name, tags: { ...bot.tags, [sourceTag]: bot.id } }
  const once = onceOnly(source, 'bot', bot.id)
  const created = await target.client.admin.createBot({ body }, once)
  journal.set(`${bot.id}/target`, created.bot.id)
  findings.add('bots', 1)
  return created.bot.id
}

interface Available {
  id: string
  version: string
  /** Of its scripts and its code, if it belongs to the workspace. */
  warnings: string[]
}

/** Returns the integrations that the target has, by alias. Notes the others. */
export async function findIntegrations(
  migration: Migration,
  bot: SourceBot,
): Promise<Map<string, Available>> {
  const found = new Map<string, Available>()
  for (const [alias, { name, version }] of toEntries(bot.integrations)) {
    const available = await findIntegration(migration.target.client, name, version)
    if (available) {
      found.set(alias, available)
      for (const warning of available.warnings)
        migration.findings.warn(`${name}@${available.version}: ${warning}`)
    } else
      migration.findings.note(
        bot.name,
        'integrations',
        'this server does not have it: deploy it from its sources, and install it',
        1,
        `${name}@${version}`,
      )
  }
  return found
}

async function findIntegration(
  client: Client,
  name: string,
  version: string,
): Promise<Available | null> {
  if (!isPathPart(name) || !isPathPart(version)) return null
  const { admin } = client
  for (const wanted of [version, 'latest']) {
    const params = { name, version: wanted }
    const own = await unlessMissing(admin.getIntegrationByName({ params }))
    const found = own ?? (await unlessMissing(admin.getPublicIntegration({ params })))
    if (!found) continue
    const { id, version } = found.integration
    return {
      id,
      version,
      warnings: own ? await listIntegrationWarnings(client, own.integration) : [],
    }
  }
  return null
}

async function unlessMissing<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof RequestError && (error.status === 404 || error.status === 400))
      return null
    throw error
  }
}

/** Notes everything about a bot that no migration can move. */
export function noteLimits(
  { findings }: Pick<Migration, 'findings'>,
  bot: SourceBot,
): void {
  const note = (what: string, reason: string, names: string[]) =>
    findings.note(bot.name, what, reason, names.length, names[0])
  const names = (value: object | undefined) =>
    toEntries(value as Record<string, unknown>).map(([n]) => n)
  note(
    'secrets',
    'the source does not return their values: set them again',
    bot.secrets ?? [],
  )
  note('plugins', 'deploy the bot with them from its sources', names(bot.plugins))
  note(
    'recurring events',
    'two servers would send them: the next deployment of the bot starts them',
    names(bot.recurringEvents),
  )
  note(
    'registrations of integrations',
    'installed but off, since the service would leave the cloud: turn them on when you switch over',
    toEntries(bot.integrations)
      .filter(([, { name }]) => !isChat(name))
      .map(([alias]) => alias),
  )
}

const isChat = (name: string) => name === 'chat' || name === 'webchat'

/**
 * Moves versions, oldest first, then the present state. A bot that has been deployed in the target
 * stays as it is.
 */
export async function moveDefinition(
  move: BotMove,
  integrations: Map<string, Available>,
): Promise<void> {
  const done = move.key('definition')
  if (move.journal.get(done) === 'done') return
  if (await isDeployed(move, move.targetId)) return
  move.journal.set(done, 'begun')
  await moveVersions(move, integrations)
  await moveCurrent(move, integrations)
  for (const [alias, available] of integrations) await install(move, alias, available)
  move.journal.set(done, 'done')
}

/** Notes a bot that has been deployed in the target, but not by this migration. */
export async function isDeployed(source: BotSource, targetId: string): Promise<boolean> {
  if (source.journal.get(source.key('definition')) !== undefined) return false
  const { bot } = await source.target.client.admin.getBot({ params: { id: targetId } })
  if (bot.deployedAt === undefined) return false
  const reason = 'the bot of the target is already deployed'
  source.findings.note(source.bot.name, 'definition', reason)
  return true
}

async function moveVersions(
  move: BotMove,
  integrations: Map<string, Available>,
): Promise<void> {
  const { admin } = move.source.client
  const { versions } = await admin.listBotVersions({ params: { id: move.bot.id } })
  for (const version of versions.reverse()) {
    const done = move.key('version', version.id)
    if (move.journal.get(done) !== undefined) continue
    try {
      const document = await readVersion(move, version.id)
      const id = await publish(move, integrations, document, version.id)
      const { name, description } = version
      const params = { botId: move.targetId, versionId: id }
      const body = { name, ...(description !== undefined && { description }) }
      await move.target.client.platform.updateVersion({ params, body })
      move.findings.add('versions', 1)
    } catch (error) {
      if (!isObstacle(error)) throw error
      move.findings.reject(move.bot.name, 'versions', error, version.name)
    }
    move.journal.set(done, 'done')
  }
}

const maxVersionBytes = 40 * 1_048_576

/** Returns the document of a version. */
export async function readVersion(
  source: BotSource,
  versionId: string,
): Promise<Document> {
  if (!isPathPart(versionId)) throw new Unfetchable('its id is invalid')
  const params = { id: source.bot.id, versionId }
  const folder = mkdtempSync(join(tmpdir(), 'botstead-migration-'))
  try {
    const file = join(folder, 'version')
    await repeatDownload(async () => {
      const { url } = await source.source.client.admin.getBotVersion({ params })
      await download(
        rejectForeign(url, source.from, source.filesFrom),
        file,
        maxVersionBytes,
      )
    })
    return toDocument(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError) throw notADocument()
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the document of the bot as it is now. */
export const readCurrent = async ({ source, bot }: BotSource): Promise<Document> =>
  toDocument(await source.client.admin.getBotJson({ params: { id: bot.id } }))

type Document = Record<string, unknown>

function toDocument(value: unknown): Document {
  if (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    value.kind === 'bot'
  )
    return value as Document
  throw notADocument()
}

const notADocument = () =>
  new Unfetchable('the code is not a bot document: deploy the bot from its sources')

/** Returns the id of the version that the target stores. */
async function publish(
  move: BotMove,
  integrations: Map<string, Available>,
  document: Document,
  source: string,
): Promise<string> {
  const { target, targetId } = move
  const {
    secrets: _values,
    recurringEvents: _events,
    plugins: _code,
    url: _url,
    ...rest
  } = document
  const installed = toEntries(document.integrations as Record<string, object>).flatMap(
    ([alias, one]) => {
      const available = integrations.get(alias)
      return available
        ? [[alias, { ...one, id: available.id, version: available.version }]]
        : []
    },
  )
  const botJson = { ...rest, integrations: Object.fromEntries(installed) }
  const { version } = (await target.client.admin.publishFromBotJson(
    { params: { id: targetId }, body: { botJson } },
    onceOnly(move, 'version', targetId, source),
  )) as { version: { id: string } }
  return version.id
}

/** Publishes the document of the bot; without one, sets its definitions. */
async function moveCurrent(
  move: BotMove,
  integrations: Map<string, Available>,
): Promise<void> {
  const { bot, target, targetId, findings } = move
  let isPublished = false
  try {
    await publish(move, integrations, await readCurrent(move), `current ${bot.updatedAt}`)
    isPublished = true
  } catch (error) {
    if (!isObstacle(error)) throw error
    findings.reject(bot.name, 'code', error, bot.id)
  }
  const {
    description,
    configuration,
    user,
    conversation,
    message,
    states,
    events,
    actions,
  } = bot
  const { subscriptions, maxExecutionTime } = bot
  const definition = {
    ...(description !== undefined && { description }),
    user,
    conversation,
    message,
    states,
    events,
    actions,
    subscriptions,
    configuration,
    ...(maxExecutionTime !== undefined && { maxExecutionTime }),
  }
  const body = isPublished ? { configuration: { data: configuration.data } } : definition
  try {
    await target.client.admin.updateBot({ params: { id: targetId }, body } as never)
  } catch (error) {
    if (!isRejected(error)) throw error
    findings.reject(bot.name, 'definition', error, bot.id)
  }
}

/** Other services than chats would send their messages to the target at once, and not to the cloud. */
async function install(move: BotMove, alias: string, { id }: Available): Promise<void> {
  const { name, enabled, configuration, configurationType, disabledChannels } =
    move.bot.integrations[alias]!
  const installation = {
    integrationId: id,
    configuration,
    disabledChannels,
    ...(configurationType && { configurationType }),
    enabled: enabled && isChat(name),
  }
  try {
    await move.target.client.admin.updateBot({
      params: { id: move.targetId },
      body: { integrations: { [alias]: installation } },
    })
    move.findings.add('integrations', 1)
  } catch (error) {
    if (!isRejected(error)) throw error
    move.findings.reject(move.bot.name, 'integrations', error, alias)
  }
}
