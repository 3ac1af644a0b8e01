// `npm run bench`: prints Markdown to stdout and progress to stderr. It asserts nothing; each table
// compares the server with a baseline or a rival in the same run.
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureAnswers } from './answers/answers.ts'
import { startBare } from './baselines/bare-server.ts'
import { measureBotCode } from './bots/bot-code.ts'
import { measureCallBacks } from './bots/call-backs.ts'
import { measureColdProcess } from './bots/cold-process.ts'
import { measureColdStart } from './bots/cold-start.ts'
import { measureManyBots } from './bots/many-bots.ts'
import { deployBot, firstBot, startServer, toChatServer } from './botstead-server.ts'
import { measureChannels } from './channels/channels.ts'
import { measureDashboard } from './dashboard/dashboard.ts'
import { measureFolderImport } from './dashboard/folder-import.ts'
import { measureContention } from './data/contention.ts'
import { measureFiles } from './data/files.ts'
import { fillBare, fillServer, measureListing } from './data/listing.ts'
import { measurePosts } from './data/posts.ts'
import { measureReaders } from './data/readers.ts'
import { measureImports } from './data/table-import.ts'
import { measureTableRows } from './data/table-rows.ts'
import { measureVectorScale } from './data/vector-scale.ts'
import { createDatabase, findCluster } from './database.ts'
import { measureBroadcast } from './delivery/broadcast.ts'
import { measureDelivery } from './delivery/delivery.ts'
import { measureFairness } from './delivery/fairness.ts'
import { measureHistory } from './delivery/history.ts'
import { measureFanOut, measureIdle } from './fan-out.ts'
import { toPlan } from './plan.ts'
import { printProfile } from './profile.ts'
import { digits, median, note, progress } from './report.ts'
import { startRival } from './rival.ts'
import { measureSearching } from './searching.ts'
import { measureServers } from './servers.ts'
import { measureTurns } from './turns.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    rival: { type: 'string' },
    'with-rival': { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** In the lines of the help. */
const partLines = [
  [
    'turns',
    'posts',
    'delivery',
    'history',
    'contention',
    'fairness',
    'call-backs',
    'search',
  ],
  [
    'vectors',
    'listing',
    'tables',
    'imports',
    'files',
    'fan-out',
    'idle',
    'servers',
    'cold-start',
  ],
  [
    'cold-process',
    'bot-code',
    'many-bots',
    'dashboard',
    'folder-import',
    'readers',
    'answers',
  ],
  ['broadcast', 'channels'],
] as const
const partHelp = partLines
  .map((line) => `                   ${line.join(', ')}`)
  .join('\n')
const parts = partLines.flat()
type Part = (typeof parts)[number]

const usage = `npm run bench -- [options] [folder or numbers]
  --quick          fewer and shorter rounds
  --only <part>    may be repeated; one of:
${partHelp}
                   readers: compares the files of the folder with pdftotext, pandoc and LibreOffice
                   vectors: with these numbers of passages, such as 1000000 (4 GB, half an hour)
  --with-rival     install offline-directline and botbuilder for this run, and measure them too
  --rival <folder> measure the rival that is installed in this folder
  --profile        measure only turns of 50 users, and list the functions of the server that took most time
`

const plan = toPlan(options.quick)

const unknown = options.only?.find((part) => !parts.includes(part as Part))

if (options.help) process.stdout.write(usage)
else if (unknown !== undefined) {
  process.stderr.write(
    `The benchmark has no part "${unknown}"; --only takes one of: ${parts.join(', ')}\n`,
  )
  process.exitCode = 1
} else if (options.only?.includes('readers')) await compareReaders()
else await (options.profile ? profile() : run())

/** Numbers of passages, in place of those of the plan. Throws for other arguments. */
function readSizes(): { sizes?: number[] } {
  if (positionals.length === 0) return {}
  const sizes = positionals.map(Number)
  if (sizes.every((size) => Number.isInteger(size) && size >= 1_000)) return { sizes }
  throw new Error(
    `The part "vectors" takes numbers from 1000, not "${positionals.join(' ')}"`,
  )
}

/** Needs no server. */
async function compareReaders() {
  const [folder] = positionals
  if (folder) return measureReaders(folder)
  process.stderr.write(
    'Name the folder of the files: npm run bench -- --only readers <folder>\n',
  )
  process.exitCode = 1
}

async function run() {
  const wanted = (part: Part) => !options.only || options.only.includes(part)
  await withServers([], async (opened) => {
    const { bare, shared, plain, keyed, sdk, cluster, bareDatabase, folder, code } =
      opened
    const { server, deployed } = opened
    await introduce(folder)
    // First, before other measurements increase the memory of the processes.
    if (wanted('idle')) await measureIdle([shared, plain], plan.idle)
    if (wanted('turns'))
      await withRival((rivals) =>
        measureTurns(
          [bare, shared, plain, sdk, ...rivals],
          bare,
          cluster.pid,
          plan.turns,
        ),
      )
    if (wanted('posts'))
      await measurePosts([bare, plain, keyed], bareDatabase, cluster.pid, plan.posts)
    if (wanted('servers')) await measureServers(cluster, folder, code, plan.servers)
    if (wanted('delivery')) await measureDelivery(cluster, plan.delivery)
    if (wanted('broadcast'))
      await measureBroadcast(server, cluster.settings, deployed.botId, plan.broadcast)
    if (wanted('channels'))
      await measureChannels(server, plain, { code, botId: deployed.botId }, plan.channels)
    if (wanted('history')) await measureHistory(cluster, plan.history)
    if (wanted('contention')) await measureContention(server, plan.contention)
    if (wanted('imports')) await measureImports(server, cluster.settings, plan.imports)
    if (wanted('fairness')) await measureFairness(plan.fairness)
    if (wanted('call-backs')) await measureCallBacks(plan.fairness)
    if (wanted('search')) await measureSearching(cluster, plan.indexingRounds)
    if (wanted('vectors'))
      await measureVectorScale(cluster, { ...plan.vectors, ...readSizes() })
    if (wanted('answers')) await measureAnswers(plan.answers)
    if (wanted('files')) await measureFiles(server, cluster.pid, folder, plan.files)
    if (wanted('fan-out'))
      await measureFanOut([bare, plain], {
        listeners: plan.listeners,
        rounds: plan.fanOutRounds,
        messages: 5,
      })
    if (wanted('cold-start')) await measureColdStart([bare, plain], plan.colds)
    if (wanted('cold-process')) await measureColdProcess(plan.colds)
    if (wanted('bot-code')) await measureBotCode(folder, plan.botCode)
    if (wanted('many-bots')) await measureManyBots(plan.manyBots)
    if (wanted('tables')) await measureTableRows(server, cluster.settings, plan.tables)
    if (wanted('dashboard')) await measurePages(opened)
    if (wanted('folder-import')) await measureFolderImport(plan.folderImport)
    if (wanted('listing')) {
      const listed = [
        { server: bare, database: bareDatabase, fill: fillBare },
        { server: plain, database: cluster.settings, fill: fillServer },
      ]
      await measureListing(listed, {
        sizes: plan.sizes,
        rounds: plan.listingRounds,
        requests: 20,
      })
    }
  })
}

async function measurePages({ server, cluster, plain, deployed, folder }: Servers) {
  const long = await plain.openConversation()
  await long.postAsBot('the first')
  const shown = { botId: deployed.botId, long, folder }
  await measureDashboard(server, cluster.settings, shown, plan.dashboard)
}

async function profile() {
  const folder = await mkdtemp(join(tmpdir(), 'botstead-profile-'))
  try {
    await withServers(
      ['--cpu-prof', `--cpu-prof-dir=${folder}`],
      ({ bare, plain, cluster }) =>
        measureTurns([bare, plain], bare, cluster.pid, {
          users: [50],
          ...(options.quick
            ? { rounds: 2, roundMs: 1000, warmMs: 2000 }
            : { rounds: 3, roundMs: 3000, warmMs: 6000 }),
        }),
    )
    await printProfile(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Servers = Awaited<ReturnType<typeof openServers>>

async function withServers(
  nodeOptions: string[],
  work: (servers: Servers) => Promise<void>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'botstead-bench-'))
  let servers: Servers | undefined
  try {
    servers = await openServers(folder, nodeOptions)
    await work(servers)
  } finally {
    await servers?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function openServers(folder: string, nodeOptions: string[]) {
  progress('starting the server and the bare program')
  const server = await startServer(folder, nodeOptions)
  try {
    const cluster = await findCluster(folder)
    const bareDatabase = await createDatabase(cluster, 'bare')
    const bare = await startBare(bareDatabase)
    const shared = await startBare(await createDatabase(cluster, 'bare_shared'), true)
    const code = await readFile(
      fileURLToPath(new URL('../bots/plain-bot.cjs', import.meta.url)),
      'utf8',
    )
    const deployed = await deployBot(server, 'plain', code)
    const plain = toChatServer('Botstead, plain bot', server, deployed)
    const keyed = toChatServer('Botstead, with Idempotency-Key', server, {
      ...deployed,
      keyed: true,
    })
    const sdk = toChatServer('Botstead, SDK bot', server, firstBot(server))
    return {
      server,
      bare,
      shared,
      deployed,
      plain,
      keyed,
      sdk,
      cluster,
      bareDatabase,
      folder,
      code,
      close: async () => {
        await Promise.allSettled([bare.close(), shared.close()])
        await server.close()
      },
    }
  } catch (error) {
    await server.close()
    throw error
  }
}

async function withRival(
  work: (rivals: Awaited<ReturnType<typeof startRival>>[]) => Promise<void>,
) {
  if (!options.rival && !options['with-rival']) {
    note(
      'Without the rival, offline-directline with botbuilder: `--with-rival` installs it for a run, ' +
        '`--rival <folder>` uses an installed one.',
    )
    return work([])
  }
  const rival = await startRival(options.rival ?? null)
  try {
    await work([rival])
  } finally {
    await rival.close()
  }
}

async function introduce(folder: string) {
  const processor = cpus()[0]?.model ?? 'unknown processor'
  const machine = `Node ${process.version} on ${availableParallelism()} × ${processor}, ${process.platform}`
  note(`# Bench\n\n${machine}; a synced write of 8 KB takes ${digits(await syncMs(folder))} ms.
The load generator runs on the same machine: compare ratios, not absolute values.`)
}

async function syncMs(folder: string): Promise<number> {
  const file = await open(join(folder, 'sync'), 'w')
  const times: number[] = []
  for (let round = 0; round < 100; round++) {
    const from = performance.now()
    await file.write(Buffer.alloc(8192), 0, 8192, 0)
    await file.datasync()
    times.push(performance.now() - from)
  }
  await file.close()
  return median(times)
}
