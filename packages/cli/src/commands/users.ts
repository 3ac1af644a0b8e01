// `botstead users`: exports and erases everything about one user of a bot.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@botstead/client'
import type { Erasure, PersonalDataCounts } from '@botstead/contract'
import { CliError, UsageError } from '../failure.ts'
import { openBot } from '../server/admin.ts'
import type { Connecting } from '../server/connection.ts'
import { retry } from '../server/server-client.ts'
import { inWords } from '../terminal/printable.ts'
import { confirm } from '../terminal/prompt.ts'
import { readReceipt } from './operator/receipts.ts'

interface UserOptions extends Connecting {
  bot?: string
  output?: string
  dryRun?: boolean
  onlyUser?: boolean
  json?: boolean
}
interface EraseOptions extends UserOptions {
  yes?: boolean
  receipt?: string
}

const pollMs = 500
/** Of an export, which may contain large files. */
const exportMs = 6 * 3_600_000

export async function runExport(
  id: string,
  { output, dryRun, onlyUser, json, ...options }: UserOptions,
): Promise<void> {
  const client = openBot(options)
  const request = { params: { id }, query: toScope(onlyUser) }
  if (dryRun) {
    const { counts } = await client.platform.countPersonalData(request)
    console.log(json ? JSON.stringify({ counts }) : `Would export: ${toText(counts)}`)
    return
  }
  const file = output ?? `${id}.tar.gz`
  const { body } = await client.platform.exportPersonalData(request, {
    signal: AbortSignal.timeout(exportMs),
  })
  // An incomplete file must not have the name of a complete one.
  const draft = `${file}.part`
  try {
    const out = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
    await once(out, 'open')
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), out)
    await rename(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CliError(
        `${draft} exists: another export is writing it; otherwise delete it`,
      )
    await rm(draft, { force: true })
    throw error
  }
  console.log(json ? JSON.stringify({ file }) : `Wrote ${file}`)
}

export async function runErase(
  id: string | undefined,
  options: EraseOptions,
): Promise<void> {
  const { receipt, dryRun, json } = options
  if ((id === undefined) === (receipt === undefined))
    throw new UsageError(
      'pass a user id, or --receipt with the receipt of an earlier erasure',
    )
  const client = openBot(options)
  if (dryRun) {
    if (id === undefined) throw new UsageError('--dry-run needs a user id')
    const request = { params: { id }, query: toScope(options.onlyUser) }
    printCounts(await client.platform.countPersonalData(request), json)
    if (!json) await warnOfTables(client)
    return
  }
  const effect =
    id === undefined
      ? `erases everything about the user of ${receipt} again`
      : `erases everything about the user ${id}, and cannot be undone`
  await confirm(effect, options, id)
  if (receipt !== undefined) {
    const again = await client.platform.repeatErasure({
      body: { receipt: await readReceipt(receipt) },
    })
    return writeReceipt(await ended(client, again.erasure), options)
  }
  const body = toScope(options.onlyUser)
  const { erasure, others = [] } = await client.platform.erasePersonalData({
    params: { id: id! },
    body,
  })
  await writeReceipt(await ended(client, erasure), options)
  const { output: _, ...ofOthers } = options
  for (const other of others) await writeReceipt(await ended(client, other), ofOthers)
}

const toScope = (onlyUser = false) => ({
  scope: onlyUser ? ('user' as const) : ('person' as const),
})

/** The server continues also if this command ends. */
async function ended(client: Client, erasure: Erasure): Promise<Erasure> {
  let current = erasure
  while (current.state === 'running') {
    await pause(pollMs)
    const request = { params: { id: erasure.id } }
    current = (await retry(5, () => client.platform.getErasure(request))).erasure
  }
  return current
}

async function writeReceipt(
  { id, userId, counts, receipt }: Erasure,
  options: EraseOptions,
) {
  const file = options.output ?? `${id}.receipt.json`
  await writeFile(file, `${JSON.stringify(receipt, null, 2)}\n`, { flush: true })
  if (options.json) return console.log(JSON.stringify(receipt))
  console.log(`Erased ${userId}: ${toText(counts)}`)
  warnOfBackups(receipt!.backups)
  console.log(`Wrote the receipt ${file}`)
}

type Counted = Awaited<ReturnType<Client['platform']['countPersonalData']>>

function printCounts(counted: Counted, json: boolean | undefined) {
  if (json) return console.log(JSON.stringify(counted))
  console.log(`Would erase: ${toText(counted.counts)}`)
  warnOfBackups(counted.backups)
}

const toText = (counts: PersonalDataCounts) =>
  Object.entries(counts)
    .map(([kind, count]) => `${count} ${inWords(kind)}`)
    .join(', ') || 'nothing'

/** Names the tables without a column that declares ids of users. */
async function warnOfTables(client: Client) {
  const { tables } = await client.tables.listTables({})
  const names = tables
    .filter(
      ({ schema }) =>
        !Object.values(schema.properties).some((each) => each['x-zui'].userId),
    )
    .map(({ name }) => name)
  if (names.length > 0)
    console.log(
      `Tables without a declared column, which are not searched: ${names.join(', ')}`,
    )
}

function warnOfBackups(backups: { fileName: string }[]) {
  if (backups.length === 0) return
  console.log('These backups still contain the user:')
  for (const { fileName } of backups) console.log(`  ${fileName}`)
}
