// `botstead deploy` and `botstead dev` with `bot.json` or `bot.yaml`: deploys a document as a new
// bot or a new version.
import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createMissingData, itemsOf, RequestError } from '@botstead/client'
import { compileDocument, derive, reservedPrefix } from '@botstead/flows'
import {
  type ReadDocument,
  readDocument,
  toFlows,
  WrongDocument,
  warningLines,
} from '../documents/bot-document.ts'
import { planDeployment, planLines } from '../documents/deployment-plan.ts'
import { withoutExtension } from '../documents/document-file.ts'
import { openDraftSync } from '../documents/draft-sync.ts'
import { uploadKnowledge } from '../documents/knowledge-folders.ts'
import { openModelWarning } from '../documents/model-warning.ts'
import { checkTypes } from '../documents/type-check.ts'
import { CliError } from '../failure.ts'
import {
  type Admin,
  type Bot,
  openAdmin,
  printChatUrl,
  rejectEmptyBot,
  reportDeployed,
  toHomeUrl,
} from '../server/admin.ts'
import type { Connecting } from '../server/connection.ts'

interface Options extends Connecting {
  bot?: string
  name?: string
}

export async function deployDocument(
  path: string,
  {
    bot: botId,
    name = toName(path),
    json,
    dryRun,
    ...connecting
  }: Options & { json?: boolean | undefined; dryRun?: boolean | undefined },
): Promise<void> {
  const read = readCheckedDocument(path)
  const admin = openAdmin(connecting)
  if (dryRun) {
    const plan = await planDeployment(admin, read, { botId, name })
    return console.log(json ? JSON.stringify(plan) : planLines(plan).join('\n'))
  }
  const bot = botId
    ? await publish(admin, botId, read)
    : await publishNew(admin, name, read)
  await reportDeployed(admin, bot, { isNew: !botId, json })
  await openModelWarning(admin)(read.document)
  await reportMcpServers(admin, bot.id, read.document)
}

/** Lists the tools of each MCP server of the document, and prints why a server does not answer. */
async function reportMcpServers(
  { client }: Admin,
  botId: string,
  { mcpServers = {} }: ReadDocument['document'],
): Promise<void> {
  const enabled = Object.entries(mcpServers).filter(([, { enabled = true }]) => enabled)
  const check = async ([name]: (typeof enabled)[number]) => {
    const params = { botId, name }
    await client.platform
      .getMcpServer({ params, query: { refresh: true } })
      .catch(async (error: unknown) => {
        if (!(error instanceof RequestError)) throw error
        const { server } = await client.platform.getMcpServer({ params })
        const advice = server.hasKey
          ? ''
          : `. The bot has no key for it: set one with PUT ${toPath(params)}`
        console.error(
          `The MCP server "${name}" does not list its tools: ${error.message}${advice}`,
        )
      })
  }
  await Promise.all(enabled.map(check))
}

const toPath = ({ botId, name }: { botId: string; name: string }) =>
  `/v1/platform/bots/${botId}/mcp-servers/${name}`

/**
 * Returns the file name without extension; the name of the folder for `bot.json` and `bot.yaml`.
 */
function toName(path: string): string {
  const name = withoutExtension(basename(path))
  return name === 'bot' ? basename(dirname(resolve(path))) : name
}

/**
 * Reads and checks the document and prints its problems, so that an invalid document changes no
 * bot.
 */
export function readCheckedDocument(path: string): ReadDocument {
  try {
    const read = readDocument(path)
    for (const line of warningLines(read)) console.error(line)
    if (read.document.flows && checkTypes(path, toFlows(read)) === 'no TypeScript')
      console.error(
        `(types of the code not checked: TypeScript not found; run "npm install typescript" in the
          folder of the bot)`,
      )
    return read
  } catch (error) {
    if (error instanceof WrongDocument)
      for (const line of error.lines) console.error(line)
    throw error
  }
}

async function publishNew(admin: Admin, name: string, read: ReadDocument): Promise<Bot> {
  const { bot: created } = await admin.client.admin.createBot({ body: { name } })
  try {
    return await publish(admin, created.id, read)
  } catch (error) {
    await admin.client.admin.deleteBot({ params: { id: created.id } }).catch(() => {})
    throw error
  }
}

async function publish(admin: Admin, id: string, read: ReadDocument): Promise<Bot> {
  const { path, document, findPosition, sources } = read
  await createMissingData(admin.as(id), document)
  try {
    await admin.client.admin.publishFromBotJson({
      params: { id },
      body: { botJson: document },
    })
  } catch (error) {
    const problems = findProblems(error)
    if (problems.length === 0) throw error
    const wrong = new WrongDocument(
      path,
      { problems, isPartial: false },
      findPosition,
      sources,
    )
    for (const line of wrong.lines) console.error(line)
    throw wrong
  }
  await uploadKnowledge(admin.as(id), read)
  return getBot(admin, id)
}

const getBot = async ({ client }: Admin, id: string) =>
  (await client.admin.getBot({ params: { id } })).bot

/** Returns the problems of an invalid document. */
function findProblems(error: unknown): { pointer: string; message: string }[] {
  const found = error instanceof RequestError ? error.metadata : undefined
  return (found as { problems?: { pointer: string; message: string }[] })?.problems ?? []
}

const pollMs = 200

/**
 * Deploys the document, then updates the same bot after each save, so conversations continue where
 * they are. The deployment creates a version of the bot, the updates do not. Changes of the draft in the
 * browser come into the files.
 */
export async function developDocument(
  path: string,
  { bot: botId, name, ...connecting }: Options,
): Promise<void> {
  rejectEmptyBot(botId)
  const admin = openAdmin(connecting)
  let read: ReadDocument | WrongDocument = readCheckedDocument(path)
  let changed = changedAt(read.sources)
  const named = `${name ?? toName(path)} (dev)`
  const id = botId ?? (await findByName(admin, named))
  const bot = id ? await publish(admin, id, read) : await publishNew(admin, named, read)
  console.log(`Watching ${path}: each save updates ${bot.name} (${bot.id})`)
  const home = toHomeUrl(admin.url, bot)
  console.log(`  Flows      ${home}/w/${admin.workspaceId}/bots/${bot.id}/flows`)
  printChatUrl(admin, bot)
  const warnOfMissingModel = openModelWarning(admin)
  await warnOfMissingModel(read.document)
  const drafts = await openDraftSync(admin, bot.id, path)
  for (;;) {
    await pause(pollMs)
    if (changedAt(read.sources) === changed && !drafts?.isDue()) continue
    await drafts?.sync()
    const now = changedAt(read.sources)
    if (now === changed) continue
    changed = now
    const before = read.sources.join()
    read = await follow(admin, bot.id, path, read)
    if (!(read instanceof WrongDocument)) await warnOfMissingModel(read.document)
    // The document may refer to other files now. Otherwise, files may have been saved meanwhile.
    if (read.sources.join() !== before) changed = changedAt(read.sources)
  }
}

async function follow(
  admin: Admin,
  id: string,
  path: string,
  last: ReadDocument | WrongDocument,
): Promise<ReadDocument | WrongDocument> {
  try {
    const read = readCheckedDocument(path)
    await update(admin, id, read)
    console.log(`${new Date().toTimeString().slice(0, 8)} updated`)
    return read
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    console.error(
      `${new Date().toTimeString().slice(0, 8)} ${error.message}; the bot was not updated`,
    )
    return error instanceof WrongDocument ? error : last
  }
}

async function update(admin: Admin, id: string, read: ReadDocument): Promise<void> {
  const document = toFlows(read)
  await createMissingData(admin.as(id), document)
  const { configuration, ...derived } = derive(document, {})
  const { recurringEvents: current = {} } = await getBot(admin, id)
  const removed = Object.keys(current).filter(
    (name) =>
      name.startsWith(reservedPrefix) && !Object.hasOwn(derived.recurringEvents, name),
  )
  const recurringEvents = {
    ...Object.fromEntries(removed.map((name) => [name, null])),
    ...derived.recurringEvents,
  }
  const settings = {
    schema: configuration.schema,
    ...(document.configuration && { data: document.configuration.data }),
  }
  const code = compileDocument(document)
  await admin.client.admin.updateBot({
    params: { id },
    body: { ...derived, recurringEvents, configuration: settings, code },
  })
}

async function findByName(admin: Admin, name: string): Promise<string | null> {
  const bots = itemsOf(async (query) => {
    const { bots, meta } = await admin.client.admin.listBots({ query })
    return { items: bots, ...meta }
  })
  for await (const bot of bots) if (bot.name === name) return bot.id
  return null
}

const changedAt = (files: string[]) =>
  files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join()
