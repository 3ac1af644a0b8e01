// Measures turns: a user posts, the bot answers, the user's listener receives the answer. Each user
// waits for the answer before the next message.
import { setTimeout as pause } from 'node:timers/promises'
import type { ChatServer, Talk } from './chat.ts'
import { cpuMs } from './processes.ts'
import {
  digits,
  median,
  printTable,
  progress,
  quantile,
  ratio,
  shuffled,
  spread,
} from './report.ts'

interface TurnPlan {
  users: number[]
  rounds: number
  roundMs: number
  /**
   * Duration of the warm-up with the maximum number of users: V8 optimizes the code after some
   * thousand turns.
   */
  warmMs: number
}

export interface Round {
  perSecond: number
  latencies: number[]
  /** CPU milliseconds per turn: server and bot, and database. */
  ownMs: number
  databaseMs: number
}

const turnMs = 30_000
/** Warm-up of new connections. */
const openMs = 300

export async function measureTurns(
  servers: ChatServer[],
  floor: ChatServer,
  databasePid: number,
  plan: TurnPlan,
) {
  progress('turns, warm-up')
  for (const server of servers)
    await warm(server, Math.max(...plan.users), databasePid, plan.warmMs)
  for (const users of plan.users) {
    progress(`turns, ${users} at a time`)
    const results = await measureAt(users, servers, databasePid, plan)
    const base = median(results.get(floor)!.map((round) => round.perSecond))
    printTable(
      `Turns, ${users} concurrent ${users === 1 ? 'user' : 'users'}`,
      [
        '',
        'turns/s, median (range)',
        `relative to ${floor.name}`,
        'p50 ms',
        'p99 ms',
        'CPU ms per turn: server and bot',
        'database',
      ],
      servers.map((server) => toRow(server, results.get(server)!, base)),
    )
  }
}

/**
 * Alternates the servers in random order, so that disturbances of the machine affect all of them.
 */
async function measureAt(
  users: number,
  servers: ChatServer[],
  databasePid: number,
  { rounds, roundMs }: TurnPlan,
) {
  const results = new Map<ChatServer, Round[]>(servers.map((server) => [server, []]))
  const talks = new Map<ChatServer, Talk[]>()
  for (const server of servers) {
    talks.set(server, await openTalks(server, users))
    await measureRound(server, talks.get(server)!, databasePid, openMs)
  }
  for (let round = 0; round < rounds; round++) {
    for (const server of shuffled(servers)) {
      results
        .get(server)!
        .push(await measureRound(server, talks.get(server)!, databasePid, roundMs))
      await pause(50)
    }
  }
  for (const talk of [...talks.values()].flat()) talk.close()
  return results
}

async function warm(
  server: ChatServer,
  users: number,
  databasePid: number,
  warmMs: number,
) {
  const talks = await openTalks(server, users)
  await measureRound(server, talks, databasePid, warmMs)
  for (const talk of talks) talk.close()
}

async function openTalks(server: ChatServer, users: number): Promise<Talk[]> {
  const talks: Talk[] = []
  while (talks.length < users) talks.push(await server.openTalk())
  return talks
}

export async function measureRound(
  server: ChatServer,
  talks: Talk[],
  databasePid: number,
  roundMs: number,
): Promise<Round> {
  const latencies: number[] = []
  const own = () => cpuMs(server.pids, [databasePid])
  const database = () => cpuMs([databasePid])
  const before = { own: own(), database: database() }
  const begin = performance.now()
  const end = begin + roundMs
  await Promise.all(
    talks.map(async (talk) => {
      for (let from = performance.now(); from < end; from = performance.now()) {
        await timely(server, talk.turn('What time is it over there?'))
        latencies.push(performance.now() - from)
      }
    }),
  )
  const perSecond = (latencies.length * 1000) / (performance.now() - begin)
  await pause(30) // Includes the work after a turn, such as the update of the queue.
  return {
    perSecond,
    latencies,
    ownMs: (own() - before.own) / latencies.length,
    databaseMs: (database() - before.database) / latencies.length,
  }
}

/** Fails the run if the answer does not arrive in time. */
async function timely<T>(server: ChatServer, turn: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`No answer from ${server.name} within ${turnMs / 1000} s`)),
      turnMs,
    )
  })
  return Promise.race([turn, tooLate]).finally(() => clearTimeout(timer))
}

function toRow(server: ChatServer, rounds: Round[], base: number) {
  const all = rounds.flatMap((round) => round.latencies)
  const perSecond = rounds.map((round) => round.perSecond)
  const middle = (of: (round: Round) => number) => digits(median(rounds.map(of)))
  return [
    server.name,
    spread(perSecond),
    ratio(median(perSecond), base),
    digits(quantile(all, 0.5)),
    digits(quantile(all, 0.99)),
    middle((r) => r.ownMs),
    middle((r) => r.databaseMs),
  ]
}
