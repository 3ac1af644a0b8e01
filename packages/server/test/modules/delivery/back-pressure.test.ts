// A bot that is slower than what comes: users' messages are taken and wait, integrations are asked to come back later, memory holds no more than
// it may, and in the end all is told. BOTSTEAD_TEST_SECONDS=600 also watches the memory of a server for ten minutes.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../../src/infra/config/config.ts'
import { Backlog } from '../../../src/infra/queue/backlog.ts'
import type { Queue } from '../../../src/infra/queue/queue.ts'
import { bringPeople } from '../../support/chat-people.ts'
import { expectTyped } from '../../support/raw-http.ts'
import { openRecordingBot } from '../../support/recording-bot.ts'
import { runServer } from '../../support/running-server.ts'
import { openRuntimeScene, type RuntimeScene } from '../../support/runtime-scene.ts'

const seconds = 2
/** How long a server's memory is watched; less than minutes shows nothing. */
const long = Number(process.env.BOTSTEAD_TEST_SECONDS ?? 0)
const queuedPerBot = 100
const text = 'x'.repeat(2_000)

let scene: RuntimeScene
let conversations: { id: string; headers: Record<string, string> }[]
let place: { conversationId: string; userId: string }
/** Ids of the messages that were taken. */
const taken = new Set<string>()
const told = new Set<string>()
let isSlow = true

beforeAll(async () => {
  const { limits } = readConfig({ BOTSTEAD_LIMIT_QUEUED_PER_BOT: String(queuedPerBot) })
  scene = await openRuntimeScene({ config: { limits, checkAnswers: false } })
  scene.answerWith(({ body }) => {
    if (body?.event?.messageId) told.add(body.event.messageId)
    scene.invoked.length = 0
    return { afterMs: isSlow ? 1_000 : 0 }
  })
  conversations = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { headers } = await scene.chatUser()
      const { body } = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
        headers,
        body: {},
      })
      return { id: body.conversation.id, headers }
    }),
  )
  const { body: user } = await scene.call('POST', '/v1/chat/users', {
    headers: scene.asTg,
    body: { tags: {} },
  })
  const { body: made } = await scene.call('POST', '/v1/chat/conversations', {
    headers: scene.asTg,
    body: { channel: 'group', tags: {} },
  })
  place = { conversationId: made.conversation.id, userId: user.user.id }
})
afterAll(() => scene.close())

const say = async ({ id, headers }: (typeof conversations)[number]) => {
  const { status, body } = await scene.call('POST', `/chat/${scene.webhookId}/messages`, {
    headers,
    body: { conversationId: id, payload: { type: 'text', text } },
  })
  if (status === 201) taken.add(body.message.id)
  return status
}
const bring = (headers = scene.asTg) =>
  scene.app.server.inject({
    method: 'POST',
    url: '/v1/chat/messages',
    headers,
    payload: { ...place, type: 'text', payload: { text }, tags: {} },
  })
const messages = async () =>
  Number(
    (
      await scene.app.services.db
        .selectFrom('message')
        .select(({ fn }) => fn.countAll<string>().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
const stats = () => (scene.app.services.deliveries as Queue).stats

test('what comes too fast', { timeout: (seconds + 120) * 1_000 }, async () => {
  const statuses = new Map<number, number>()
  const samples: { held: number; heldBytes: number }[] = []
  const until = Date.now() + seconds * 1_000
  while (Date.now() < until || taken.size < 3 * queuedPerBot) {
    const round = Date.now()
    const said = await Promise.all([...conversations, ...conversations].map(say))
    for (const status of said) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    samples.push(stats())
    await pause(Math.max(0, 100 - (Date.now() - round)))
  }
  expect([...statuses.keys()]).toEqual([201])
  expect(Math.max(...samples.map(({ held }) => held))).toBeLessThanOrEqual(2_000)

  // The first that asks makes it look.
  await vi.waitFor(async () => expect((await bring()).statusCode).toBe(429), 10_000)
  const before = await messages()
  const refused = await bring()
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '2'])
  expectTyped(429, refused.json(), 'RateLimited')
  expect(await messages()).toBe(before)
  // Other bots have nothing to do with it, users are never refused, and what the bot says is not what waits for it.
  expect(
    (await scene.call('POST', '/v1/chat/users', { headers: scene.asStranger, body: { tags: {} } })).status,
  ).toBe(201)
  expect(await say(conversations[0]!)).toBe(201)
  const { userId, ...rest } = place
  const answer = { ...rest, userId: scene.botId, type: 'text', payload: { text: 'y' }, tags: {} }
  expect((await scene.call('POST', '/v1/chat/messages', { headers: scene.asBot, body: answer })).status).toBe(
    201,
  )

  isSlow = false
  await vi.waitFor(() => expect([...taken].filter((id) => !told.has(id))).toEqual([]), {
    timeout: 90_000,
    interval: 200,
  })
  await vi.waitFor(async () => expect((await bring()).statusCode).toBe(201), 20_000)
})

const watchMemory = async () => {
  const bot = await openRecordingBot()
  bot.behave(async () => {
    await pause(1_000)
    return 200
  })
  const server = await runServer()
  const { url, token, workspaceId, botId, webhookId } = server.credentials
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'content-type': 'application/json',
  }
  await fetch(`${url}/v1/admin/bots/${botId}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ url: bot.url }),
  })
  const crowd = await bringPeople(() => `${url}/chat/${webhookId}`, 10)
  const megabytes: number[] = []
  for (const until = Date.now() + long * 1_000; Date.now() < until; ) {
    const round = Date.now()
    megabytes.push(
      Math.round(
        Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))![1]) / 1_024,
      ),
    )
    for (let i = 0; i < 100; i++) {
      const said = await Promise.all(
        [...crowd.people, ...crowd.people].map((person) => crowd.say(person, text)),
      )
      expect(said.map(({ status }) => status)).toEqual(said.map(() => 201))
      await pause(Math.max(0, (i + 1) * 100 - (Date.now() - round)))
    }
  }
  console.log(JSON.stringify({ megabytesEveryTenSeconds: megabytes }))
  crowd.close()
  await server.remove()
  await bot.close()
  expect(Math.max(...megabytes.slice(-3))).toBeLessThan(megabytes[0]! + 60)
}
if (long > 0) test('the memory of a server stays as it is', { timeout: (long + 120) * 1_000 }, watchMemory)

describe('the count of what waits', () => {
  const log = { warn() {} } as never
  const open = (rows: Map<string, number>) => {
    const clock = { now: 0 }
    const asked: string[][] = []
    const read = async (botIds: string[]) => {
      asked.push(botIds)
      return new Map(botIds.map((botId) => [botId, rows.get(botId) ?? 0]))
    }
    return {
      clock,
      asked,
      rows,
      backlog: new Backlog({
        read,
        enough: 10,
        log,
        now: () => clock.now,
        freshMs: 1_000,
        interestMs: 5_000,
      }),
    }
  }
  const settled = () => pause(0)

  test('nobody is counted whom nobody asks about; who asks does not wait', async () => {
    const { backlog, asked } = open(new Map([['a', 7]]))
    backlog.entered('a', 100)
    expect(asked).toEqual([])
    expect(backlog.of('a').count).toBe(0)
    await settled()
    expect(backlog.of('a').count).toBe(7)
    expect(asked).toEqual([['a']])
  })

  test('what comes and goes here is known at once, what others do with the next reading', async () => {
    const { backlog, clock, rows, asked } = open(new Map([['a', 7]]))
    backlog.of('a')
    await settled()
    backlog.entered('a', 160)
    backlog.entered('a', 160)
    backlog.ended('a')
    expect(backlog.of('a').count).toBe(8)
    expect(backlog.of('a').bytes).toBeGreaterThan(100)
    rows.set('a', 3)
    clock.now = 1_001
    backlog.of('a')
    await settled()
    expect(backlog.of('a').count).toBe(3)
    expect(asked).toHaveLength(2)
  })

  test('who is not asked about any more is forgotten', async () => {
    const { backlog, clock, asked } = open(new Map())
    backlog.of('a')
    await settled()
    clock.now = 6_000
    backlog.of('b')
    await settled()
    clock.now = 8_000
    backlog.of('b')
    await settled()
    expect(asked).toEqual([['a'], ['b'], ['b']])
  })
})
