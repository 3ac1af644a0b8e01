// A broadcast while servers are killed: each person gets the message once. CRASH_KILLS=100 runs for a night;
// SEED=… repeats a run.
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPeople, broadcastMessages } from '../../../test/support/broadcast-people.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { createRandom, seed } from '../../../test/support/random.ts'
import {
  type RunningServer,
  runServer,
  settingsOfMany,
} from '../../../test/support/running-server.ts'
import { type Database, openDatabase } from '../../core/db/index.ts'

const kills = Number(process.env.CRASH_KILLS ?? 3)
const count = Math.max(4_000, kills * 1_000)
const chance = createRandom()

let database: TestDatabase
let own: Database
let one: RunningServer
let other: RunningServer
/** The server that answers requests. */
let entry: RunningServer

beforeAll(async () => {
  database = await cloneDatabase()
  const env = settingsOfMany(database)
  one = await runServer(env)
  other = await runServer(env)
  entry = one
  own = openDatabase(database.settings, { log: pino({ level: 'silent' }) })
  await addPeople(own.db, one.credentials.botId, count)
}, 120_000)
afterAll(async () => {
  await own?.close()
  await Promise.all([one?.remove(), other?.remove()])
  await database?.drop()
}, 60_000)

/** Returns null if no server answers, or the answer is an error. */
async function request(method: 'GET' | 'POST', path: string, body?: object) {
  // The other server, which has no first start, has no token.
  const { token, botId } = one.credentials
  const headers = { authorization: `Bearer ${token}`, 'x-bot-id': botId }
  const reply = await fetch(`${entry.credentials.url}/v1/platform/broadcasts${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => null)
  return reply?.ok ? reply.json().catch(() => null) : null
}

/** Repeats the request until a server answers it. */
async function show(id: string) {
  for (;;) {
    const found = await request('GET', `/${id}`)
    if (found) return found
    await pause(50)
  }
}

/**
 * Kills each server in turn, and stops and resumes the broadcast in between. Returns how many people had the
 * message at each kill.
 */
async function killServers(id: string): Promise<number[]> {
  const sent: number[] = []
  for (let kill = 0; kill < kills; kill++) {
    await pause(chance.between(200, 900))
    const victim = entry
    await victim.stop('SIGKILL')
    entry = victim === one ? other : one
    sent.push((await show(id)).report.sent)
    await pause(chance.between(0, 400))
    const stopped = await request('POST', `/${id}/stop`, {})
    if (stopped) await request('POST', `/${id}/resume`, {})
    await victim.start()
  }
  return sent
}

test(`each of ${count} people gets the message once, with ${kills} kills`, {
  timeout: 120_000 + kills * 40_000,
}, async () => {
  console.log(`SEED=${seed}`)
  const audience = { integration: 'chat', channel: 'channel' }
  const message = { type: 'text', payload: { text: 'Hi {{ user.tags.n }}' } }
  const body = { name: 'News', audience, message, perMinute: 12_000 }
  const { broadcast } = await request('POST', '', body)
  const atKills = await killServers(broadcast.id)
  const until = performance.now() + 90_000
  let found = await show(broadcast.id)
  while (found.broadcast.state !== 'done' && performance.now() < until) {
    await pause(200)
    // A kill between stop and resume leaves it stopped.
    await request('POST', `/${broadcast.id}/resume`, {})
    found = await show(broadcast.id)
  }
  console.log(JSON.stringify({ atKills, report: found.report }))
  expect(found.broadcast.state).toBe('done')
  expect(found.report).toMatchObject({
    total: count,
    sent: count,
    waiting: 0,
    skipped: 0,
  })
  const messages = await broadcastMessages(own.db, one.credentials.botId, broadcast.id)
  expect(messages).toHaveLength(count)
  const expected = Array.from(
    { length: count },
    (_, i) => `conv_person-${i + 1} Hi ${i + 1}`,
  )
  const actual = messages.map((one) => `${one.conversation_id} ${one.text}`)
  expect(actual.sort()).toEqual(expected.sort())
  // Otherwise no kill was in the midst of it.
  expect(atKills.filter((sent) => sent > 0 && sent < count)).not.toEqual([])
})
