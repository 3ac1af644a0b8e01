// Several servers on one database, behind HAProxy: what a turn costs with 1, 2 and 4 servers, how
// long it takes across servers, and what rolling restarts lose. Installations of one server each,
// under load at the same time, show how much of the cost is due to the shared cores.
import { setTimeout as pause } from 'node:timers/promises'
import { type RunningServer, toChatServer } from './botstead-server.ts'
import type { OpenChatServer, Talk } from './chat.ts'
import {
  type Installation,
  openApart,
  openInstallation,
  routings,
  toName,
} from './clustered-servers.ts'
import { type Cluster, type DatabaseSettings, withClient } from './database.ts'
import { cpuMs } from './processes.ts'
import {
  digits,
  median,
  printTable,
  progress,
  quantile,
  ratio,
  shuffled,
} from './report.ts'
import { measureRound, type Round } from './turns.ts'

interface ServersPlan {
  counts: number[]
  usersPerServer: number
  rounds: number
  roundMs: number
  warmMs: number
}

export async function measureServers(
  cluster: Cluster,
  folder: string,
  code: string,
  plan: ServersPlan,
) {
  const installations: Installation[] = []
  try {
    for (const count of plan.counts)
      for (const routing of count === 1 ? (['any'] as const) : routings) {
        progress(`starting ${toName(count, routing)}`)
        const open = routing === 'apart' ? openApart : openInstallation
        installations.push(await open({ cluster, folder, code, count, routing }))
      }
    await measureCounts(installations, cluster.pid, plan)
    const two = installations.find(({ name }) => name === toName(2, 'any'))
    if (two) {
      await measureAcross(two, cluster.pid, plan)
      await measureRestarts(two)
    }
  } finally {
    for (const installation of installations) await installation.close()
  }
}

interface Measured {
  installation: Installation
  people: number
  talks: Talk[]
  rounds: Round[]
  /** CPU milliseconds per second without turns: servers and bots, and the whole database. */
  idle: { own: number; database: number }
  /** Bytes per turn, written to the WAL and kept in the database. */
  walBytes: number[]
  diskBytes: number
  connections: number
}

/** Alternates the installations, so that disturbances of the machine affect all of them. */
async function measureCounts(
  installations: Installation[],
  databasePid: number,
  plan: ServersPlan,
) {
  const all: Measured[] = []
  for (const installation of installations) {
    progress(`turns of ${installation.name}, warm-up`)
    const people = installation.servers.length * plan.usersPerServer
    const talks: Talk[] = []
    while (talks.length < people) talks.push(await installation.proxied.openTalk())
    await measureRound(installation.proxied, talks, databasePid, plan.warmMs)
    const idle = await measureIdle(installation.proxied, databasePid)
    const none = { idle, rounds: [], walBytes: [], diskBytes: 0, connections: 0 }
    all.push({ installation, people, talks, ...none })
  }
  progress('turns of several servers')
  for (let round = 0; round < plan.rounds; round++)
    for (const one of shuffled(all)) await addRound(one, databasePid, plan.roundMs)
  for (const talk of all.flatMap(({ talks }) => talks)) talk.close()
  printCounts(all)
  printStorage(all)
}

const idleMs = 5_000

async function measureIdle({ pids }: OpenChatServer, databasePid: number) {
  await pause(1_000) // after the last turn
  const read = () => ({ own: cpuMs(pids, [databasePid]), database: cpuMs([databasePid]) })
  const before = read()
  await pause(idleMs)
  const after = read()
  const perSecond = (of: 'own' | 'database') => ((after[of] - before[of]) * 1000) / idleMs
  return { own: perSecond('own'), database: perSecond('database') }
}

async function addRound(one: Measured, databasePid: number, roundMs: number) {
  const { proxied, database } = one.installation
  const before = await readUsage(database)
  const round = await measureRound(proxied, one.talks, databasePid, roundMs)
  const after = await readUsage(database)
  const { idle } = one
  one.rounds.push({
    ...round,
    ownMs: round.ownMs - idle.own / round.perSecond,
    databaseMs: round.databaseMs - idle.database / round.perSecond,
  })
  one.walBytes.push((after.wal - before.wal) / round.latencies.length)
  one.diskBytes += after.disk - before.disk
  one.connections = after.connections
}

interface Usage {
  wal: number
  disk: number
  connections: number
}

function readUsage(database: DatabaseSettings): Promise<Usage> {
  const query = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
    pg_database_size(current_database())::float8 as disk,
    (select count(*)::int - 1 from pg_stat_activity where datname = current_database()) as connections`
  return withClient(
    database,
    async (client) => (await client.query(query)).rows[0] as Usage,
  )
}

function printCounts(all: Measured[]) {
  const cost = ({ rounds }: Measured) =>
    median(rounds.map(({ ownMs, databaseMs }) => ownMs + databaseMs))
  const [base] = all as [Measured]
  const apart = ({ installation: { servers } }: Measured) =>
    all.find(
      ({ installation }) => installation.name === toName(servers.length, 'apart'),
    ) ?? base
  printTable(
    'Turns of several servers behind HAProxy, on one database',
    [
      '',
      'people',
      'turns/s',
      'CPU ms per turn: servers and bots',
      'database',
      'both, relative to 1 server',
      'to separate installations',
      'p50 ms',
      'p99 ms',
      'CPU ms per second, idle: servers and bots',
    ],
    all.map((one) => {
      const latencies = one.rounds.flatMap((round) => round.latencies)
      const middle = (of: (round: Round) => number) => digits(median(one.rounds.map(of)))
      return [
        one.installation.name,
        one.people,
        middle((r) => r.perSecond),
        middle((r) => r.ownMs),
        middle((r) => r.databaseMs),
        ratio(cost(one), cost(base)),
        ratio(cost(one), cost(apart(one))),
        digits(quantile(latencies, 0.5)),
        digits(quantile(latencies, 0.99)),
        digits(one.idle.own),
      ]
    }),
    [
      'CPU per turn is without that of idle servers and database.',
      'All share the cores of this machine, so turns/s do not grow with the servers, and a turn of many ' +
        'servers costs more even in separate installations. With cores of their own, n servers make ' +
        'n ÷ (CPU relative to separate installations) times the turns of one.',
    ],
  )
}

function printStorage(all: Measured[]) {
  const onOneDatabase = all.filter(({ installation: { servers, name } }) =>
    [toName(servers.length, 'any'), toName(servers.length, 'person')].includes(name),
  )
  const turns = ({ rounds }: Measured) =>
    rounds.flatMap(({ latencies }) => latencies).length
  printTable(
    'Storage of a turn',
    [
      '',
      'KB of WAL per turn',
      'KB in the database per turn',
      'connections to the database',
    ],
    onOneDatabase.map((one) => [
      one.installation.name,
      digits(median(one.walBytes) / 1024),
      digits(one.diskBytes / turns(one) / 1024),
      one.connections,
    ]),
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
      one.rounds.push(
        await measureRound(one.server, [talks.get(one)!], databasePid, plan.roundMs),
      )
  for (const talk of talks.values()) talk.close()
  const times = ({ rounds }: (typeof places)[0]) =>
    rounds.flatMap(({ latencies }) => latencies)
  const p50 = (one: (typeof places)[0]) => quantile(times(one), 0.5)
  printTable(
    'A turn of one person, with the listener',
    ['', 'p50 ms', 'relative', 'p99 ms', 'CPU ms per turn: servers and bots', 'database'],
    places.map((one) => [
      one.server.name,
      digits(p50(one)),
      ratio(p50(one), p50(places[0]!)),
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
        sent.accepted,
        sent.failed,
        Math.max(0, sent.accepted - stored.messages),
        stored.copies,
        Math.max(0, stored.messages - stored.answers),
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
async function waitForAnswers(
  database: DatabaseSettings,
  ids: string[],
): Promise<Stored> {
  const query = `select count(*) filter (where direction = 'incoming')::int as messages,
    (count(*) filter (where direction = 'incoming') - count(distinct (conversation_id, payload ->> 'text'))
      filter (where direction = 'incoming'))::int as copies,
    count(*) filter (where direction = 'outgoing')::int as answers
    from message where conversation_id = any($1)`
  const read = () =>
    withClient(
      database,
      async (client) => (await client.query(query, [ids])).rows[0] as Stored,
    )
  const until = performance.now() + answersMs
  for (;;) {
    const stored = await read()
    if (stored.answers >= stored.messages || performance.now() > until) return stored
    await pause(200)
  }
}
