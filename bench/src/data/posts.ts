// createMessage alone: posted by the bot, so it causes no delivery. Compared with the bare program
// and with pgbench, which runs the bare program's statement and shows the speed of the database
// alone.
import { execFile } from 'node:child_process'
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeOutgoing } from '../baselines/bare-sql.ts'
import type { Conversation, OpenChatServer } from '../chat.ts'
import { type DatabaseSettings, withClient } from '../database.ts'
import { cpuMs } from '../processes.ts'
import {
  digits,
  median,
  note,
  printTable,
  progress,
  quantile,
  ratio,
  shuffled,
  spread,
} from '../report.ts'

/** The number of connections of the programs. */
const poolSize = 10

interface Contestant {
  name: string
  round(clients: number): Promise<Round>
}
interface Round {
  perSecond: number
  /** Latency in milliseconds; for pgbench the mean. */
  middle: number
  p99: number
  cpu: number
}

export async function measurePosts(
  servers: OpenChatServer[],
  bareDatabase: DatabaseSettings,
  databasePid: number,
  plan: { clients: number[]; rounds: number; roundMs: number },
) {
  const pgbench = await findPgbench()
  const contestants = await Promise.all(
    servers.map((server) =>
      postsTo(server, databasePid, Math.max(...plan.clients), plan.roundMs),
    ),
  )
  if (pgbench)
    contestants.unshift(await postsByPgbench(pgbench, bareDatabase, plan.roundMs))
  for (const clients of plan.clients) {
    progress(`createMessage, ${clients} at a time`)
    const results = new Map<Contestant, Round[]>(contestants.map((one) => [one, []]))
    for (let round = 0; round < plan.rounds; round++)
      for (const one of shuffled(contestants))
        results.get(one)!.push(await one.round(clients))
    const rate = (one: Contestant) =>
      median(results.get(one)!.map(({ perSecond }) => perSecond))
    printTable(
      `createMessage alone, ${clients} at a time`,
      [
        '',
        'messages/s, median (range)',
        `relative to ${contestants[0]!.name.split(',')[0]}`,
        'p50 ms',
        'p99 ms',
        'CPU ms per message, with database',
      ],
      contestants.map((one) => {
        const rounds = results.get(one)!
        const middle = (of: (round: Round) => number) => digits(median(rounds.map(of)))
        return [
          one.name,
          spread(rounds.map(({ perSecond }) => perSecond)),
          ratio(rate(one), rate(contestants[0]!)),
          middle((r) => r.middle),
          middle((r) => r.p99),
          middle((r) => r.cpu),
        ]
      }),
    )
  }
  if (!pgbench)
    note(
      'Without pgbench: not found in /usr/lib/postgresql. Install PostgreSQL to include it.',
    )
}

async function postsTo(
  server: OpenChatServer,
  databasePid: number,
  maxClients: number,
  roundMs: number,
): Promise<Contestant> {
  const conversations: Conversation[] = []
  while (conversations.length < maxClients)
    conversations.push(await server.openConversation())
  for (const conversation of conversations) await conversation.postAsBot('warm')
  return {
    name: server.name,
    async round(clients) {
      const latencies: number[] = []
      const used = () => cpuMs([...server.pids, databasePid])
      const before = used()
      const begin = performance.now()
      await Promise.all(
        conversations.slice(0, clients).map(async (conversation) => {
          for (
            let from = performance.now();
            from < begin + roundMs;
            from = performance.now()
          ) {
            await conversation.postAsBot('What time is it over there?')
            latencies.push(performance.now() - from)
          }
        }),
      )
      const perSecond = (latencies.length * 1000) / (performance.now() - begin)
      return {
        perSecond,
        middle: quantile(latencies, 0.5),
        p99: quantile(latencies, 0.99),
        cpu: (used() - before) / latencies.length,
      }
    },
  }
}

async function postsByPgbench(
  program: string,
  database: DatabaseSettings,
  roundMs: number,
): Promise<Contestant> {
  const count = 50
  await withClient(database, (client) =>
    client.query(
      `insert into conversation (id) select 'pgbench-' || i from generate_series(0, ${count - 1}) i
        on conflict do nothing`,
    ),
  )
  return {
    name: `pgbench, at most ${poolSize} connections`,
    async round(clients) {
      const folder = await mkdtemp(join(tmpdir(), 'botstead-pgbench-'))
      try {
        const script = join(folder, 'post.sql')
        await writeFile(script, pgbenchScript())
        const seconds = Math.max(1, Math.round(roundMs / 1000))
        const { host, port, user } = database
        const args = [
          '-n',
          '-M',
          'prepared',
          '-c',
          `${Math.min(clients, poolSize)}`,
          '-T',
          `${seconds}`,
          '-f',
          script,
          '-h',
          host,
          '-p',
          `${port}`,
          '-U',
          user,
          database.database,
        ]
        const { stdout } = await promisify(execFile)(program, args, {
          env: { PATH: process.env.PATH },
        })
        const read = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1])
        return {
          perSecond: read(/tps = ([\d.]+)/),
          middle: read(/latency average = ([\d.]+)/),
          p99: Number.NaN,
          cpu: Number.NaN,
        }
      } finally {
        await rm(folder, { recursive: true })
      }
    },
  }
}

/**
 * Returns the script of pgbench. Each client posts to a separate conversation, as for the other
 * programs.
 */
function pgbenchScript(): string {
  const values = [
    "'pgbench-' || :client_id",
    'gen_random_uuid()::text',
    "'bot'",
    "'text'",
    `'{"type":"text","text":"What time is it over there?"}'::jsonb`,
  ]
  const statement = writeOutgoing.replaceAll(
    /\$(\d)/g,
    (_, number) => values[Number(number) - 1]!,
  )
  return `${statement.trim().replaceAll(/\s*\n\s*/g, ' ')};\n`
}

async function findPgbench(): Promise<string | null> {
  const root = '/usr/lib/postgresql'
  const versions = await readdir(root).catch(() => [])
  for (const version of versions.sort((a, b) => Number(b) - Number(a))) {
    const program = join(root, version, 'bin', 'pgbench')
    if (
      await access(program).then(
        () => true,
        () => false,
      )
    )
      return program
  }
  return null
}
