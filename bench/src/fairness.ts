// Two tenants on one server with the limits of the original: what one of them uses of its quota, and what it asks for beyond, must not be felt by the other.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { digits, median, progress, quantile, ratio, shuffled, table } from './report.ts'
import { type RunningServer, startServer } from './server-place.ts'

export interface FairnessPlan {
  rounds: number
  roundMs: number
}

/** Requests a second of one token, in the strict profile. */
const quota = 100
/** Of the one who is measured. */
const perSecond = 25

interface Neighbour {
  name: string
  perSecond: number
  /** Of each round: how long the other's requests took, in milliseconds. */
  rounds: number[][]
}

export async function measureFairness({ rounds, roundMs }: FairnessPlan) {
  progress('two tenants')
  const folder = await mkdtemp(join(tmpdir(), 'botstead-bench-'))
  const server = await startServer(folder, [], { BOTSTEAD_LIMITS: 'strict' })
  try {
    const [one, other] = [await makeTenant(server), await makeTenant(server)]
    const neighbours: Neighbour[] = [
      { name: 'nobody', perSecond: 0, rounds: [] },
      { name: 'a neighbour at his quota', perSecond: quota * 0.98, rounds: [] },
      { name: 'a neighbour who asks for three times as much', perSecond: quota * 3, rounds: [] },
    ]
    await round(one, other, neighbours[1]!, roundMs)
    neighbours[1]!.rounds.length = 0
    for (let i = 0; i < rounds; i++)
      for (const neighbour of shuffled(neighbours)) await round(one, other, neighbour, roundMs)
    print(neighbours)
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Ask = () => Promise<void>

/** A bot of its own, and a key of its own, with which its users are listed; being refused is an answer too. */
async function makeTenant({ http, credentials: { token, workspaceId } }: RunningServer): Promise<Ask> {
  const admin = { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId }
  const { bot } = await http.call<{ bot: { id: string } }>('POST', '/v1/admin/bots', admin, {})
  const { value } = await http.call<{ value: string }>('POST', '/v1/admin/bots/baks', admin, {
    botId: bot.id,
  })
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
  await Promise.all([atPace(timed, perSecond, roundMs), atPace(other, neighbour.perSecond, roundMs)])
  neighbour.rounds.push(times)
}

/** Whether the one before has been answered or not: who waits for answers asks less just when it matters. */
async function atPace(ask: Ask, perSecond: number, ms: number) {
  const begin = performance.now()
  const asked: Promise<void>[] = []
  for (let i = 0; perSecond > 0 && (i * 1000) / perSecond < ms; i++) {
    await pause(begin + (i * 1000) / perSecond - performance.now())
    asked.push(ask())
  }
  await Promise.all(asked)
}

function print(neighbours: Neighbour[]) {
  const at = (q: number) => (times: number[]) => quantile(times, q)
  const base = median(neighbours[0]!.rounds.map(at(0.99)))
  table(
    `${perSecond} requests a second, beside`,
    ['', 'p50 ms, median of the rounds', 'p99 ms', 'p99 of nobody’s'],
    neighbours.map(({ name, rounds }) => {
      const p99 = median(rounds.map(at(0.99)))
      return [name, digits(median(rounds.map(at(0.5)))), digits(p99), ratio(p99, base)]
    }),
  )
}
