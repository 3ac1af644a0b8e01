// Two servers on one database are killed in turn while schedules are created and become due: every
// acknowledged schedule runs once and not early, and every tick has one event. CRASH_KILLS=100 for
// a long run; SEED=… repeats a run.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { runQuery, waitUntilDrained } from '../../../../test/support/delivery-audit.ts'
import { createRandom, type Random, seed } from '../../../../test/support/random.ts'
import {
  openRecordingBot,
  type RecordingBot,
} from '../../../../test/support/recording-bot.ts'
import {
  type RunningServer,
  runServer,
  settingsOfMany,
} from '../../../../test/support/running-server.ts'

const kills = Number(process.env.CRASH_KILLS ?? 2)
let database: TestDatabase
let servers: RunningServer[]
let bot: RecordingBot
let chance: Random
let conversationId: string

beforeAll(async () => {
  console.log(`SEED=${seed}`)
  chance = createRandom()
  database = await cloneDatabase()
  bot = await openRecordingBot()
  const env = settingsOfMany(database)
  servers = [await runServer(env)]
  const { url, chatUrl, botId } = servers[0]!.credentials
  const recurringEvents = {
    tick: { type: 'tick', payload: {}, schedule: { cron: '0 0 1 1 *' } },
  }
  expect(
    (
      await call('PUT', `${url}/v1/admin/bots/${botId}`, {
        url: bot.url,
        recurringEvents,
      })
    ).status,
  ).toBe(200)
  const { key } = (await call('POST', `${chatUrl}/users`, {})).body
  conversationId = (
    await call('POST', `${chatUrl}/conversations`, {}, { 'x-user-key': key })
  ).body.conversation.id
  servers.push(await runServer(env))
}, 120_000)
afterAll(async () => {
  await Promise.all((servers ?? []).map((server) => server.remove()))
  await database?.drop()
  await bot?.close()
}, 60_000)

async function call(
  method: string,
  url: string,
  body: object,
  more: Record<string, string> = {},
) {
  const { token, workspaceId, botId } = servers[0]!.credentials
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'x-bot-id': botId,
    'content-type': 'application/json',
    ...more,
  }
  const reply = await fetch(url, {
    method,
    headers,
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  })
  // biome-ignore lint/suspicious/noExplicitAny: bodies of several operations
  return { status: reply.status, body: (await reply.json()) as any }
}

interface Scheduled {
  id: string
  sentAt: number
  delay: number
}

/** Creates schedules one after the other on random servers; returns the acknowledged ones. */
async function schedule(
  path: string,
  input: object,
  stop: AbortSignal,
): Promise<Scheduled[]> {
  const made: Scheduled[] = []
  while (!stop.aborted) {
    const server = servers[chance.next() < 0.5 ? 0 : 1]!
    const delay = Math.round(chance.between(20, 1_500))
    const sentAt = performance.now()
    const answer = await call('POST', `${server.credentials.url}${path}`, {
      ...input,
      schedule: { delay },
    }).catch(() => null)
    if (answer?.status === 201)
      made.push({ id: (answer.body.event ?? answer.body.message).id, sentAt, delay })
    await pause(chance.between(5, 40))
  }
  return made
}

/** Makes the next tick due as soon as the last one is done; returns the number of ticks. */
async function tickOften(stop: AbortSignal): Promise<number> {
  let count = 0
  while (!stop.aborted) {
    count += (
      await runQuery(
        database.settings,
        'update recurring_event set next_at = now() where next_at > now() returning 1',
      )
    ).length
    await pause(40)
  }
  return count
}

test('runs every schedule once, when due, while servers are killed', {
  timeout: 180_000 + kills * 20_000,
}, async () => {
  const stop = new AbortController()
  const { botId } = servers[0]!.credentials
  const message = {
    conversationId,
    userId: botId,
    type: 'text',
    payload: { text: 'x' },
    tags: {},
  }
  const work = Promise.all([
    schedule('/v1/chat/events', { type: 'reminder', payload: {} }, stop.signal),
    schedule('/v1/chat/messages', message, stop.signal),
    tickOften(stop.signal),
  ])
  for (let kill = 1; kill <= kills; kill++) {
    await pause(chance.between(300, 1_500))
    const victim = servers[chance.next() < 0.5 ? 0 : 1]!
    await victim.stop('SIGKILL')
    await pause(chance.between(0, 800))
    await victim.start()
  }
  stop.abort()
  const [events, messages, dueTicks] = await work
  const unfinished = () =>
    runQuery<{ count: number }>(
      database.settings,
      `select (select count(*) from event where due_at is not null) + (select count(*) from scheduled_message)
         + (select count(*) from recurring_event where next_at <= now()) as count`,
    )
  await expect
    .poll(async () => Number((await unfinished())[0]!.count), { timeout: 60_000 })
    .toBe(0)
  await waitUntilDrained(database.settings, 60_000)
  await expect
    .poll(
      () => runQuery(database.settings, `select 1 from event where status = 'pending'`),
      {
        timeout: 60_000,
      },
    )
    .toEqual([])

  const first = new Map<string, number>()
  for (const { eventId, at } of bot.received)
    if (!first.has(eventId)) first.set(eventId, at)
  expect(events.length).toBeGreaterThan(kills * 5)
  expect(events.filter(({ id }) => !first.has(id))).toEqual([])
  expect(
    events.filter(({ id, sentAt, delay }) => first.get(id)! < sentAt + delay - 2),
  ).toEqual([])

  const stored = await runQuery<{ id: string; number: string }>(
    database.settings,
    'select id, number from message where conversation_id = $1 order by number',
    [conversationId],
  )
  expect(messages.length).toBeGreaterThan(kills * 5)
  expect(messages.filter(({ id }) => !stored.some((one) => one.id === id))).toEqual([])
  expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length)
  expect(stored.map(({ number }) => Number(number))).toEqual(
    stored.map((_, i) => Number(stored[0]!.number) + i),
  )

  const ticks = await runQuery<{ id: string; status: string }>(
    database.settings,
    'select id, status from event where recurring_key is not null',
  )
  console.log(
    JSON.stringify({
      events: events.length,
      messages: messages.length,
      dueTicks,
      told: bot.received.length,
      different: first.size,
    }),
  )
  expect(ticks).toHaveLength(dueTicks)
  expect(dueTicks).toBeGreaterThan(kills)
  expect(
    ticks.filter(({ id, status }) => status !== 'processed' || !first.has(id)),
  ).toEqual([])
})
