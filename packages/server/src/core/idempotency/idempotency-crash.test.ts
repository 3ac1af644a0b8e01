// Idempotency keys against kill -9. Clients send each request twice at a time to two real servers
// on one database, and retry after a missing answer or a 5xx, while the servers are killed in turn.
// In the end, each key has one effect and an answer that names it. CRASH_KILLS=100 runs for a
// night; SEED=… repeats a run.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { type Effect, effectsFor, storedBy } from '../../../test/support/keyed-effects.ts'
import { createRandom, seed } from '../../../test/support/random.ts'
import {
  type RunningServer,
  runServer,
  settingsOfMany,
} from '../../../test/support/running-server.ts'

const kills = Number(process.env.CRASH_KILLS ?? 3)

let database: TestDatabase
let servers: RunningServer[] = []
let effects: Effect[]

beforeAll(async () => {
  console.log(`SEED=${seed}`)
  database = await cloneDatabase()
  const env = { ...settingsOfMany(database), BOTSTEAD_SHUTDOWN_SECONDS: '2' }
  const one = await runServer(env)
  const { token, botId, webhookId } = one.credentials
  servers = [one, await runServer(env)]
  const chat = `/chat/${webhookId}`
  const { key } = await made(`${chat}/users`, {})
  const asUser = { 'x-user-key': key }
  const { conversation } = await made(`${chat}/conversations`, asUser)
  effects = effectsFor({
    asBot: { authorization: `Bearer ${token}`, 'x-bot-id': botId },
    botId,
    chat,
    asUser,
    conversationId: conversation.id,
  })
}, 90_000)
afterAll(async () => {
  for (const server of servers) await server.remove()
  await database?.drop()
}, 60_000)

const made = async (path: string, headers: Record<string, string>) =>
  (await send(servers[0]!, path, headers, {})).json()

const send = (
  server: RunningServer,
  path: string,
  headers: Record<string, string>,
  body: object,
) =>
  fetch(server.credentials.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })

interface KeyedRequest {
  effect: Effect
  key: string
  answers: string[]
}

test('has one effect for each key while servers are killed', {
  timeout: 120_000 + kills * 30_000,
}, async () => {
  const chance = createRandom()
  const requests: KeyedRequest[] = []
  const trouble = { unanswered: 0, failed: 0, locked: 0, replayed: 0 }
  let stopping = false

  /** Retries like a client until there is an answer. */
  async function sendUntilAnswered({ effect, key }: KeyedRequest): Promise<string> {
    const { path, headers, body } = effect.request(key)
    for (;;) {
      const server = servers[Math.floor(chance.next() * servers.length)]!
      const reply = await send(
        server,
        path,
        { ...headers, 'idempotency-key': key },
        body,
      ).catch(() => null)
      const text = await reply?.text().catch(() => null)
      if (!reply || text == null) trouble.unanswered++
      else if (reply.status >= 500) trouble.failed++
      else if (reply.status === 409 && text.includes('ResourceLockedConflict'))
        trouble.locked++
      else {
        if (reply.headers.has('idempotency-replayed')) trouble.replayed++
        return `${reply.status} ${text}`
      }
      await pause(20 + 60 * chance.next())
    }
  }
  async function client() {
    while (!stopping) {
      const one: KeyedRequest = {
        effect: effects[Math.floor(chance.next() * effects.length)]!,
        key: randomUUID(),
        answers: [],
      }
      requests.push(one)
      one.answers = await Promise.all([sendUntilAnswered(one), sendUntilAnswered(one)])
    }
  }

  const clients = Array.from({ length: 12 }, client)
  for (let kill = 1; kill <= kills; kill++) {
    await pause(chance.between(200, 900))
    const victim = servers[kill % 2]!
    await victim.stop('SIGKILL')
    await victim.start()
  }
  stopping = true
  await Promise.all(clients)
  console.log(JSON.stringify({ keys: requests.length, ...trouble }))

  expect(trouble.unanswered).toBeGreaterThan(kills)
  expect(requests.length).toBeGreaterThan(kills * 10)
  for (const effect of effects) {
    const ofEffect = requests.filter((one) => one.effect === effect)
    const stored = await storedBy(
      database.settings,
      effect,
      ofEffect.map(({ key }) => key),
    )
    for (const [i, one] of ofEffect.entries()) {
      // Only for some, because repeating all takes long.
      const again = i % 20 === 0 ? [await sendUntilAnswered(one)] : []
      const [answer, ...others] = new Set([...one.answers, ...again])
      expect([effect.name, answer?.slice(0, 3), others]).toEqual([effect.name, '201', []])
      expect([effect.name, stored.get(one.key)]).toEqual([
        effect.name,
        [effect.idIn(JSON.parse(answer!.slice(4)))],
      ])
    }
  }
})
