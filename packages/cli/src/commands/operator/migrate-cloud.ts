// `botstead migrate cloud`: copies a workspace of the cloud to a running server, over both APIs.
import { moveFiles, moveKnowledgeBases, moveTables } from '../../cloud/content.ts'
import {
  createTarget,
  findIntegrations,
  findTarget,
  moveDefinition,
  noteLimits,
} from '../../cloud/definition.ts'
import { type End, openEnd, openPages } from '../../cloud/ends.ts'
import { type NotMoved, openFindings } from '../../cloud/findings.ts'
import { moveConversations, moveStates, moveUsers } from '../../cloud/history.ts'
import { inspectBot } from '../../cloud/inspection.ts'
import { openJournal } from '../../cloud/journal.ts'
import type { BotMove, BotSource, Migration } from '../../cloud/migration.ts'
import { CliError, UsageError } from '../../failure.ts'
import { findConnection } from '../../server/connection.ts'
import { toPrintable } from '../../terminal/printable.ts'
import { openProgress } from '../../terminal/progress.ts'

interface MigrateCloudOptions {
  token?: string
  from: string
  workspace?: string
  bot?: string[]
  server?: string
  targetToken?: string
  toWorkspace?: string
  dryRun?: boolean
  state?: string
  rate: string
  filesFrom?: string[]
  maxFileMb: string
  json?: boolean
}

export async function migrateCloud(options: MigrateCloudOptions): Promise<void> {
  const progress = openProgress()
  const migration = await openMigration(options, progress.show)
  try {
    const bots = await selectBots(migration, options.bot)
    if (!options.dryRun) migration.findings.begin()
    for (const id of bots)
      await (options.dryRun ? inspectBot : moveBot)(await readBot(migration, id))
    await noteWorkspace(migration)
    if (!options.dryRun) migration.findings.complete()
  } catch (error) {
    if (!options.dryRun)
      process.stderr.write('The migration stopped. The same command continues it.\n')
    throw error
  } finally {
    progress.end()
  }
  print(migration, options)
}

async function openMigration(
  options: MigrateCloudOptions,
  show: (text: string) => void,
): Promise<Migration> {
  const from = toOrigin('--from', options.from)
  const filesFrom = (options.filesFrom ?? []).map((url) => toOrigin('--files-from', url))
  const onPause = (text: string) => show(text)
  const token = toToken(options)
  const rate = positive('--rate', options.rate)
  const account = openEnd({ url: from, token, workspaceId: '', rate, onPause })
  const workspace = options.workspace ?? (await onlyWorkspace(account))
  const { url, workspaceId, ...known } = findConnection({
    ...(options.server !== undefined && { server: options.server }),
    ...(options.targetToken !== undefined && { token: options.targetToken }),
    ...(options.toWorkspace !== undefined && { workspace: options.toWorkspace }),
  })
  if (!known.token || !workspaceId)
    throw new CliError(
      `there is no token or workspace for ${url}: sign in with "login ${url}", or set ` +
        'BOTSTEAD_TARGET_TOKEN and pass --to-workspace <id>',
    )
  const target = {
    url,
    token: known.token,
    workspaceId,
    rate: Number.POSITIVE_INFINITY,
    onPause,
  }
  const file =
    options.state ?? `botstead-migration-${workspace.replaceAll(/[^\w-]/g, '_')}.json`
  const journal = openJournal(file, {
    from,
    workspace,
    to: url,
    toWorkspace: workspaceId,
  })
  return {
    source: openEnd({ url: from, token, workspaceId: workspace, rate, onPause }),
    target: openEnd(target),
    pages: openPages(),
    journal,
    findings: openFindings(journal, options.dryRun === true),
    show: (text) => show(toPrintable(text, 'line')),
    from,
    filesFrom,
    maxFileBytes: positive('--max-file-mb', options.maxFileMb) * 1_000_000,
  }
}

function toOrigin(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol) && !url.username)
    return url.href.replace(/[?#].*$/, '').replace(/\/+$/, '')
  throw new UsageError(
    `${option} must be a URL such as https://api.botpress.cloud, not "${text}"`,
  )
}

function toToken({ token }: MigrateCloudOptions): string {
  if (token && /^[\x21-\x7e]+$/.test(token)) return token
  throw new UsageError(
    'a personal access token of the source is required: set BOTSTEAD_SOURCE_TOKEN, or pass --token',
  )
}

function positive(option: string, text: string): number {
  const number = Number(text)
  if (number > 0 && number <= 100_000) return number
  throw new UsageError(
    `${option} must be a number above 0 and up to 100000, not "${text}"`,
  )
}

async function onlyWorkspace({ client }: End): Promise<string> {
  const { workspaces } = await client.admin.listWorkspaces({ query: {} })
  if (workspaces.length === 1) return workspaces[0]!.id
  const ids = workspaces.map(({ id, name }) => `${id} (${toPrintable(name, 'line')})`)
  throw new UsageError(
    `pass --workspace <id>; workspaces: ${ids.slice(0, 20).join(', ') || 'none'}`,
  )
}

async function selectBots(
  { source, pages }: Migration,
  wanted?: string[],
): Promise<string[]> {
  if (wanted) return [...new Set(wanted)]
  const ids: string[] = []
  const found = pages(async (query) => {
    const { bots, meta } = await source.client.admin.listBots({ query })
    return { items: bots, ...meta }
  })
  for await (const { items } of found) ids.push(...items.map(({ id }) => id))
  return ids.reverse()
}

async function readBot(migration: Migration, id: string): Promise<BotSource> {
  const { bot } = await migration.source.client.admin.getBot({ params: { id } })
  noteLimits(migration, bot)
  const key = (...parts: string[]) => [id, ...parts].join('/')
  return { ...migration, bot, read: migration.source.as(id), key }
}

async function moveBot(source: BotSource): Promise<void> {
  const integrations = await findIntegrations(source, source.bot)
  const targetId = (await findTarget(source)) ?? (await createTarget(source))
  const move: BotMove = { ...source, targetId, write: source.target.as(targetId) }
  const knowledgeBases = await moveKnowledgeBases(move)
  await moveDefinition(move, integrations)
  await moveFiles(move, knowledgeBases)
  await moveTables(move)
  await moveUsers(move)
  await moveConversations(move)
  await moveStates(move, 'bot', move.bot.id, targetId)
}

/** Notes everything that no operation of the API returns, or that belongs to the workspace. */
async function noteWorkspace({ source, pages, findings }: Migration): Promise<void> {
  const own = pages(async (query) => {
    const { integrations, meta } = await source.client.admin.listIntegrations({ query })
    return { items: integrations, ...meta }
  })
  for await (const { items } of own)
    for (const { name, version } of items) {
      const reason = 'the source does not return their code: deploy them with "bp deploy"'
      findings.note(undefined, 'own integrations', reason, 1, `${name}@${version}`)
    }
}

/** Without counts: the API does not list these. */
const never = [
  'keys of chat users: in the browser, people get a new user and a new conversation',
  'scheduled messages, events, workflows, logs, analytics, and states of workflows and integrations',
  'times and ids of table rows, and times of files',
  'members of the workspace, development bots, plugins and interfaces',
]

function print({ findings }: Migration, { dryRun, json }: MigrateCloudOptions) {
  const counts = findings.counts()
  const rejected = dryRun ? [] : findings.rejected()
  const notMoved = [...rejected, ...findings.limits()]
  if (rejected.length > 0) process.exitCode = 1
  const warnings = findings.warnings()
  for (const warning of warnings) console.error(`${warning} (warning)`)
  if (json)
    return console.log(
      JSON.stringify({ dryRun: dryRun === true, counts, notMoved, never, warnings }),
    )
  const parts = Object.entries(counts).map(([what, count]) => `${count} ${what}`)
  console.log(`${dryRun ? 'Would move' : 'Moved'}: ${parts.join(', ') || 'nothing new'}`)
  console.log(`\n${dryRun ? 'Cannot be moved' : 'Not moved'}:`)
  for (const one of notMoved) console.log(`  ${toLine(one)}`)
  for (const line of never) console.log(`  ${line}`)
}

const toLine = ({ bot, what, count, reason, example }: NotMoved) =>
  `${bot === undefined ? '' : `${bot}: `}${count} ${what}${example ? ` (${example})` : ''}: ${reason}`
