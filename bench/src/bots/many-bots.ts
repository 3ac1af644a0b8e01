// Many hosted bots on one server: the time until each has answered its first message when all get
// one at once, and the cost of bots without messages.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  deployBot,
  type RunningServer,
  startServer,
  toChatServer,
} from '../botstead-server.ts'
import { findCluster, withClient } from '../database.ts'
import { cpuMs, residentKb } from '../processes.ts'
import { digits, printTable, progress, quantile } from '../report.ts'

interface ManyBotsPlan {
  /** Bots that get a message at once. */
  answering: number
  /** Bots at rest. */
  resting: number
  /** Duration of the measurement at rest. */
  idleMs: number
}

/** Deployments and conversations to open at a time. */
const atOnce = 8
/** After a start, the first run of each periodic task. */
const settleMs = 5_000

export async function measureManyBots({ answering, resting, idleMs }: ManyBotsPlan) {
  const folder = await mkdtemp(join(tmpdir(), 'botstead-bench-'))
  try {
    const bots = await withServer(folder, (server) => deployBots(server, answering))
    // Another start, so that no process is warm.
    await withServer(folder, (server) => measureAnswers(server, bots))
    const few = await withServer(folder, (server) => measureRest(server, folder, idleMs))
    await withServer(folder, () => addBots(folder, resting))
    const many = await withServer(folder, (server) => measureRest(server, folder, idleMs))
    printRest([
      [answering, few],
      [answering + resting, many],
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Bot = Awaited<ReturnType<typeof deployBot>>

async function deployBots(server: RunningServer, count: number): Promise<Bot[]> {
  progress(`${count} bots, deployment`)
  const path = fileURLToPath(new URL('../../bots/plain-bot.cjs', import.meta.url))
  const code = await readFile(path, 'utf8')
  return inParallel(Array.from({ length: count }), () => deployBot(server, 'plain', code))
}

interface StartedServer extends RunningServer {
  startMs: number
}

async function withServer<T>(
  folder: string,
  work: (server: StartedServer) => Promise<T>,
): Promise<T> {
  const begin = performance.now()
  const server = await startServer(folder)
  const startMs = performance.now() - begin
  try {
    return await work({ ...server, startMs })
  } finally {
    await server.close()
  }
}

async function measureAnswers(server: RunningServer, bots: Bot[]) {
  progress(`${bots.length} bots, first answers`)
  const talks = await inParallel(bots, (bot) => toChatServer('', server, bot).openTalk())
  const begin = performance.now()
  const times = await Promise.all(
    talks.map(async (talk) => {
      await talk.turn('Hello!')
      return performance.now() - begin
    }),
  )
  for (const talk of talks) talk.close()
  printTable(
    `First answers of ${bots.length} hosted bots that get a message at once`,
    ['', 'half of them after s', '90 % after s', 'all after s'],
    [['plain bots', ...[0.5, 0.9, 1].map((q) => digits(quantile(times, q) / 1000))]],
  )
}

async function inParallel<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  const worker = async () => {
    for (const [i, item] of rest) results[i] = await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

/** Copies a deployed bot with its code, its user and its chat. */
async function addBots(folder: string, count: number) {
  progress(`${count} copies of a bot`)
  const { settings } = await findCluster(folder)
  const id = `'bot_' || lpad(i::text, 26, '0')`
  await withClient(settings, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from bot where name = 'plain' limit 1`,
    )
    const copy = (table: string, columns: string, values: string, key = 'bot_id') =>
      client.query(
        `insert into "${table}" (${columns}) select ${values} from "${table}"
          cross join generate_series(1, ${count}) i where ${key} = $1`,
        [rows[0]!.id],
      )
    const ofBot = 'workspace_id, signing_secret, definition'
    await copy('bot', `id, name, ${ofBot}`, `${id}, 'copy ' || i, ${ofBot}`, 'id')
    await copy('bot_code', 'bot_id, version, code', `${id}, version, code`)
    await copy('user', 'bot_id, id, name', `${id}, ${id}, name`, 'id')
    await copy(
      'installation',
      'bot_id, alias, integration_id, webhook_id, configuration',
      `${id}, alias, integration_id, 'webhook' || i, configuration`,
    )
    await client.query('vacuum analyze')
  })
}

interface Rest {
  startMs: number
  serverMs: number
  databaseMs: number
  memoryMb: number
}

async function measureRest(
  { program: { pid }, startMs }: StartedServer,
  folder: string,
  idleMs: number,
): Promise<Rest> {
  const cluster = await findCluster(folder)
  const used = () => [cpuMs([pid], [cluster.pid]), cpuMs([cluster.pid])] as const
  await pause(settleMs)
  const before = used()
  await pause(idleMs)
  const after = used()
  const perSecond = (i: 0 | 1) => ((after[i] - before[i]) * 1000) / idleMs
  return {
    startMs,
    serverMs: perSecond(0),
    databaseMs: perSecond(1),
    memoryMb: residentKb(pid) / 1024,
  }
}

function printRest(rests: [bots: number, rest: Rest][]) {
  printTable(
    'Bots at rest',
    [
      'bots',
      'start s',
      'CPU of the server, ms/s',
      'of the database, ms/s',
      'memory of the server, MB',
    ],
    rests.map(([bots, { startMs, serverMs, databaseMs, memoryMb }]) => [
      bots.toLocaleString('en'),
      ...[startMs / 1000, serverMs, databaseMs, memoryMb].map(digits),
    ]),
  )
}
