// Two tenants on one server with the strict limits: the requests of one, within and above its
// quota, must not slow the other.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type RunningServer, startServer } from '../botstead-server.ts'
import {
  digits,
  median,
  printTable,
  progress,
  quantile,
  ratio,
  shuffled,
} from '../report.ts'

interface FairnessPlan {
  rounds: number
  roundMs: number
}

/** Requests per second of one token in the strict profile. */
const quota = 100
/** Requests per second of the measured tenant. */
const perSecond = 25

interface Neighbour {
  name: string
  perSecond: number
  /** Durations of the measured tenant's requests in milliseconds, per round. */
  rounds: number[][]
}

export async function measureFairness({ rounds, roundMs }: FairnessPlan) {
  progress('two tenants')
  const folder = await mkdtemp(join(tmpdir(), 'botstead-bench-'))
  const server = await startServer(folder, [], {
    BOTSTEAD_LIMITS: 'strict',
    // Few users stand for many.
    BOTSTEAD_LIMIT_USER_MESSAGES_PER_MINUTE: '0',
  })
  try {
    const [one, other] = [await makeTenant(server), await makeTenant(server)]
    const neighbours: Neighbour[] = [
      { name: 'no neighbour', perSecond: 0, rounds: [] },
      { name: 'a neighbour at its quota', perSecond: quota * 0.98, rounds: [] },
      { name: 'a neighbour at three times its quota', perSecond: quota * 3, rounds: [] },
    ]
    await round(one, other, neighbours[1]!, roundMs)
    neighbours[1]!.rounds.length = 0
    for (let i = 0; i < rounds; i++)
      for (const neighbour of shuffled(neighbours))
        await round(one, other, neighbour, roundMs)
    print(neighbours)
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Ask = () => Promise<void>

/**
 * Creates a bot with an API key. Returns a function that lists its users; a response with 429
 * counts too.
 */
async function makeTenant({
  http,
  credentials: { token, workspaceId },
}: RunningServer): Promise<Ask> {
  const admin = { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId }
  const { bot } = await http.call<{ bot: { id: string } }>(
    'POST',
    '/v1/admin/bots',
    admin,
    {},
  )
  const { value } = await http.call<{ value: string }>(
    'POST',
    '/v1/admin/bots/baks',
    admin,
    {
      botId: bot.id,
    },
  )
  const headers = { authorization: `Bearer ${value}`, 'x-bot-id': bot.id }
  return () =>
    http.call('GET', '/v1/chat/users', headers).then(
      () => {},
      (error: Error) => {
        if (!error.message.includes(' 429')) throw error
      },
    )
}

async function round(one: Ask, other: Ask, neighbour: Neighbour, roundMs: number) {
  const times: number[] = []
  const timed = async () => {
    const begin = performance.now()
    await one()
    times.push(performance.now() - begin)
  }
  await Promise.all([
    atPace(timed, perSecond, roundMs),
    atPace(other, neighbour.perSecond, roundMs),
  ])
  neighbour.rounds.push(times)
}

/**
 * Sends requests at a fixed rate without waiting for responses; waiting would lower the rate under
 * load.
 */
async function atPace(ask: Ask, perSecond: number, ms: number) {
  const begin = performance.now()
  const requests: Promise<void>[] = []
  for (let i = 0; perSecond > 0 && (i * 1000) / perSecond < ms; i++) {
    await pause(begin + (i * 1000) / perSecond - performance.now())
    requests.push(ask())
  }
  await Promise.all(requests)
}

function print(neighbours: Neighbour[]) {
  const at = (q: number) => (times: number[]) => quantile(times, q)
  const base = median(neighbours[0]!.rounds.map(at(0.99)))
  printTable(
    `${perSecond} requests per second, concurrent with`,
    ['', 'p50 ms, median of rounds', 'p99 ms', 'p99 relative to no neighbour'],
    neighbours.map(({ name, rounds }) => {
      const p99 = median(rounds.map(at(0.99)))
      return [name, digits(median(rounds.map(at(0.5)))), digits(p99), ratio(p99, base)]
    }),
  )
}
