// Several servers on one database, behind HAProxy: what a turn costs with 1, 2 and 4 servers, how
// long it takes across servers, and what rolling restarts lose.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Bot,
  deployBot,
  type RunningServer,
  startServer,
  toChatServer,
} from './botstead-server.ts'
import { Http, type OpenChatServer, type Talk } from './chat.ts'
import { type Cluster, createDatabase, type DatabaseSettings, withClient } from './database.ts'
import { proxyServers } from './lab/haproxy.ts'
import { findFreePort } from './lab/servers.ts'
import { digits, median, printTable, progress, quantile, ratio, shuffled } from './report.ts'
import { measureRound, type Round } from './turns.ts'

interface ServersPlan {
  counts: number[]
  usersPerServer: number
  rounds: number
  roundMs: number
}

interface Installation {
  name: string
  servers: RunningServer[]
  database: DatabaseSettings
  /** Through HAProxy: requests and listeners of a person reach any server. */
  proxied: OpenChatServer
  bot: Bot
  restart(nth: number): Promise<void>
  close(): Promise<void>
}

export async function measureServers(
  cluster: Cluster,
  folder: string,
  code: string,
  plan: ServersPlan,
) {
  const installations: Installation[] = []
  try {
    for (const count of plan.counts) {
      progress(`starting ${count} server${count === 1 ? '' : 's'} behind HAProxy`)
      installations.push(await openInstallation(cluster, folder, code, count))
    }
    await measureCounts(installations, cluster.pid, plan)
    const two = installations.find(({ servers }) => servers.length === 2)
    if (two) {
      await measureAcross(two, cluster.pid, plan)
      await measureRestarts(two)
    }
  } finally {
    for (const installation of installations) await installation.close()
  }
}

/** Starts servers with shared keys and files. The first creates the first bot. */
async function openInstallation(
  cluster: Cluster,
  folder: string,
  code: string,
  count: number,
): Promise<Installation> {
  const database = await createDatabase(cluster, `servers_${count}`)
  const settings = {
    DATABASE_URL: urlOf(database),
    BOTSTEAD_MASTER_KEY: randomBytes(32).toString('hex'),
    BOTSTEAD_CHAT_KEY: randomBytes(32).toString('hex'),
    BOTSTEAD_DRAIN_SECONDS: '3',
  }
  const own = join(folder, `servers-${count}`)
  const files = join(own, 'files')
  await mkdir(files, { recursive: true, mode: 0o700 })
  const servers: RunningServer[] = []
  const start = async (nth: number, port: number) => {
    const data = join(own, String(nth))
    servers[nth] = await startServer(data, [], { ...settings, BOTSTEAD_PORT: String(port) })
  }
  for (let nth = 0; nth < count; nth++) {
    const data = join(own, String(nth))
    await mkdir(data, { mode: 0o700 })
    await symlink(files, join(data, 'files'))
    const port = await findFreePort()
    if (nth > 0) await copyCredentials(join(own, '0'), data, port)
    await start(nth, port)
  }
  const ports = servers.map(({ credentials }) => Number(new URL(credentials.url).port))
  const proxy = await proxyServers(
    own,
    servers.map(({ credentials }) => credentials.url),
  )
  const http = new Http(`http://127.0.0.1:${proxy.port}`)
  const [first] = servers as [RunningServer]
  const bot = await deployBot(first, 'plain', code)
  const through = toChatServer(`${count} behind HAProxy`, { ...first, http }, bot)
  return {
    name: `${count} server${count === 1 ? '' : 's'}`,
    servers,
    database,
    bot,
    proxied: {
      ...through,
      get pids() {
        return servers.map(({ program }) => program.pid)
      },
    },
    async restart(nth) {
      await servers[nth]!.close()
      await start(nth, ports[nth]!)
    },
    async close() {
      await http.close()
      await proxy.close()
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

/** Only the first server knows the first token. */
async function copyCredentials(from: string, to: string, port: number) {
  const file = 'credentials.json'
  const text = await readFile(join(from, file), 'utf8')
  const { url } = JSON.parse(text) as { url: string }
  await writeFile(join(to, file), text.replaceAll(url, `http://127.0.0.1:${port}`), { mode: 0o600 })
}

function urlOf({ host, port, user, database }: DatabaseSettings) {
  return `postgresql:///${database}?${new URLSearchParams({ host, port: String(port), user })}`
}

async function measureCounts(
  installations: Installation[],
  databasePid: number,
  plan: ServersPlan,
) {
  const rounds = new Map<Installation, Round[]>(installations.map((one) => [one, []]))
  const talks = new Map<Installation, Talk[]>()
  for (const one of installations) {
    progress(`turns of ${one.name}, warm-up`)
    const people = one.servers.length * plan.usersPerServer
    const opened: Talk[] = []
    while (opened.length < people) opened.push(await one.proxied.openTalk())
    talks.set(one, opened)
    await measureRound(one.proxied, opened, databasePid, 2 * plan.roundMs)
  }
  progress('turns of several servers')
  for (let round = 0; round < plan.rounds; round++)
    for (const one of shuffled(installations))
      rounds
        .get(one)!
        .push(await measureRound(one.proxied, talks.get(one)!, databasePid, plan.roundMs))
  for (const talk of [...talks.values()].flat()) talk.close()
  const cost = (one: Installation) =>
    median(rounds.get(one)!.map(({ ownMs, databaseMs }) => ownMs + databaseMs))
  const [base] = installations as [Installation]
  const row = (one: Installation) => {
    const all = rounds.get(one)!
    const latencies = all.flatMap((round) => round.latencies)
    const middle = (of: (round: Round) => number) => digits(median(all.map(of)))
    return [
      ...[one.name, one.servers.length * plan.usersPerServer, middle((r) => r.perSecond)],
      ...[middle((r) => r.ownMs), middle((r) => r.databaseMs), ratio(cost(one), cost(base))],
      ...[digits(quantile(latencies, 0.5)), digits(quantile(latencies, 0.99))],
    ]
  }
  printTable(
    'Turns of several servers behind HAProxy, on one database',
    [
      ...['', 'people', 'turns/s', 'CPU ms per turn: servers and bots', 'database'],
      ...[`both, relative to ${base.name}`, 'p50 ms', 'p99 ms'],
    ],
    installations.map(row),
    [
      'All share the cores of this machine, so turns/s do not grow with the servers. With a core for each, ' +
        'n servers make n ÷ (relative CPU per turn) times the turns of one.',
    ],
  )
}

/** One person's turns with a listener at the same server, and at another one. */
async function measureAcross(
  { servers, bot }: Installation,
  databasePid: number,
  plan: ServersPlan,
) {
  progress('turns across servers')
  const [one, other] = servers as [RunningServer, RunningServer]
  const pids = servers.map(({ program }) => program.pid)
  const place = (name: string, listening: RunningServer) => ({
    server: { ...toChatServer(name, one, bot, listening.http), pids },
    rounds: [] as Round[],
  })
  const places = [place('at the same server', one), place('at another server', other)]
  const talks = new Map<object, Talk>()
  for (const one of places) {
    const talk = await one.server.openTalk()
    talks.set(one, talk)
    await measureRound(one.server, [talk], databasePid, 2 * plan.roundMs)
  }
  for (let round = 0; round < 2 * plan.rounds; round++)
    for (const one of shuffled(places))
      one.rounds.push(await measureRound(one.server, [talks.get(one)!], databasePid, plan.roundMs))
  for (const talk of talks.values()) talk.close()
  const times = ({ rounds }: (typeof places)[0]) => rounds.flatMap(({ latencies }) => latencies)
  const p50 = (one: (typeof places)[0]) => quantile(times(one), 0.5)
  printTable(
    'A turn of one person, with the listener',
    ['', 'p50 ms', 'relative', 'p99 ms', 'CPU ms per turn: servers and bots', 'database'],
    places.map((one) => [
      ...[one.server.name, digits(p50(one)), ratio(p50(one), p50(places[0]!))],
      digits(quantile(times(one), 0.99)),
      ...(['ownMs', 'databaseMs'] as const).map((of) =>
        digits(median(one.rounds.map((round) => round[of]))),
      ),
    ]),
  )
}

/** Restarts each server while people send messages through HAProxy, which repeats nothing. */
async function measureRestarts({ servers, proxied, restart, database }: Installation) {
  progress('rolling restarts')
  const sent = { accepted: 0, failed: 0 }
  const stop = new AbortController()
  const conversations = await Promise.all(
    Array.from({ length: 10 }, () => proxied.openConversation()),
  )
  const talking = conversations.map(async ({ post }) => {
    for (let nth = 0; !stop.signal.aborted; nth++) {
      await post(`${nth}`).then(
        () => sent.accepted++,
        () => sent.failed++,
      )
      await pause(10)
    }
  })
  for (let nth = 0; nth < servers.length; nth++) {
    await restart(nth)
    await pause(noticedMs)
  }
  stop.abort()
  await Promise.all(talking)
  const ids = conversations.map(({ id }) => id)
  const stored = await waitForAnswers(database, ids)
  printTable(
    `Rolling restart of ${servers.length} servers under load, without retries`,
    ['messages', 'failed requests', 'lost', 'doubled', 'answers lost', 'answers doubled'],
    [
      [
        ...[sent.accepted, sent.failed, Math.max(0, sent.accepted - stored.messages)],
        ...[stored.copies, Math.max(0, stored.messages - stored.answers)],
        Math.max(0, stored.answers - stored.messages),
      ],
    ],
  )
}

/** In which HAProxy notices that a server is ready. */
const noticedMs = 3_000
const answersMs = 30_000

interface Stored {
  messages: number
  /** Messages that are stored again. */
  copies: number
  answers: number
}

/** Waits until every message has an answer, or no more answers arrive for a while. */
async function waitForAnswers(database: DatabaseSettings, ids: string[]): Promise<Stored> {
  const query = `select count(*) filter (where direction = 'incoming')::int as messages,
    (count(*) filter (where direction = 'incoming') - count(distinct (conversation_id, payload ->> 'text'))
      filter (where direction = 'incoming'))::int as copies,
    count(*) filter (where direction = 'outgoing')::int as answers
    from message where conversation_id = any($1)`
  const read = () =>
    withClient(database, async (client) => (await client.query(query, [ids])).rows[0] as Stored)
  const until = performance.now() + answersMs
  for (;;) {
    const stored = await read()
    if (stored.answers >= stored.messages || performance.now() > until) return stored
    await pause(200)
  }
}
