// A bot that is slower than its incoming messages: messages of users are accepted and queued,
// integrations receive 429, memory use is bounded, and all messages are delivered in the end.
// BOTSTEAD_TEST_SECONDS=600 also observes the memory of a server for ten minutes.
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openChatPeople } from '../../../test/support/chat-people.ts'
import { expectTyped } from '../../../test/support/raw-http.ts'
import { openRecordingBot } from '../../../test/support/recording-bot.ts'
import { runServer, setBotUrl } from '../../../test/support/running-server.ts'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'
import { readConfig } from '../config/config.ts'
import { Backlog } from '../queue/backlog.ts'
import type { Queue } from '../queue/queue.ts'

const seconds = 2
/**
 * Seconds for which the memory of a server is observed; values below a few minutes show nothing.
 */
const observedSeconds = Number(process.env.BOTSTEAD_TEST_SECONDS ?? 0)
const queuedPerBot = 100
const text = 'x'.repeat(2_000)

let scene: RuntimeScene
let conversations: { id: string; headers: Record<string, string> }[]
let target: { conversationId: string; userId: string }
/** Ids of accepted messages. */
const accepted = new Set<string>()
const delivered = new Set<string>()
let isSlow = true

beforeAll(async () => {
  const { limits } = readConfig({ BOTSTEAD_LIMIT_QUEUED_PER_BOT: String(queuedPerBot) })
  scene = await openRuntimeScene({ config: { limits, checkAnswers: false } })
  scene.answerWith(({ body }) => {
    if (body?.event?.messageId) delivered.add(body.event.messageId)
    scene.invoked.length = 0
    return { afterMs: isSlow ? 1_000 : 0 }
  })
  conversations = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const { headers } = await scene.chatUser()
      const { body } = await scene.call(
        'POST',
        `/chat/${scene.webhookId}/conversations`,
        {
          headers,
          body: {},
        },
      )
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
  target = { conversationId: made.conversation.id, userId: user.user.id }
})
afterAll(() => scene.close())

const say = async ({ id, headers }: (typeof conversations)[number]) => {
  const { status, body } = await scene.call('POST', `/chat/${scene.webhookId}/messages`, {
    headers,
    body: { conversationId: id, payload: { type: 'text', text } },
  })
  if (status === 201) accepted.add(body.message.id)
  return status
}
const sendFromIntegration = (headers = scene.asTg) =>
  scene.app.server.inject({
    method: 'POST',
    url: '/v1/chat/messages',
    headers,
    payload: { ...target, type: 'text', payload: { text }, tags: {} },
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

test('queues messages of users, rejects messages of integrations with 429, and delivers all', {
  timeout: (seconds + 120) * 1_000,
}, async () => {
  const statuses = new Map<number, number>()
  const samples: { held: number; heldBytes: number }[] = []
  const until = Date.now() + seconds * 1_000
  while (Date.now() < until || accepted.size < 3 * queuedPerBot) {
    const round = Date.now()
    const sent = await Promise.all([...conversations, ...conversations].map(say))
    for (const status of sent) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    samples.push(stats())
    await pause(Math.max(0, 100 - (Date.now() - round)))
  }
  expect([...statuses.keys()]).toEqual([201])
  expect(Math.max(...samples.map(({ held }) => held))).toBeLessThanOrEqual(2_000)

  // The first request after a while triggers a new count.
  await vi.waitFor(
    async () => expect((await sendFromIntegration()).statusCode).toBe(429),
    10_000,
  )
  const before = await messages()
  const refused = await sendFromIntegration()
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '2'])
  expectTyped(429, refused.json(), 'RateLimited')
  expect(await messages()).toBe(before)
  // Other bots, users and the bot's own messages are not limited.
  expect(
    (
      await scene.call('POST', '/v1/chat/users', {
        headers: scene.asStranger,
        body: { tags: {} },
      })
    ).status,
  ).toBe(201)
  expect(await say(conversations[0]!)).toBe(201)
  const { userId, ...rest } = target
  const answer = {
    ...rest,
    userId: scene.botId,
    type: 'text',
    payload: { text: 'y' },
    tags: {},
  }
  expect(
    (
      await scene.call('POST', '/v1/chat/messages', {
        headers: scene.asBot,
        body: answer,
      })
    ).status,
  ).toBe(201)

  isSlow = false
  await vi.waitFor(
    () => expect([...accepted].filter((id) => !delivered.has(id))).toEqual([]),
    {
      timeout: 90_000,
      interval: 200,
    },
  )
  await vi.waitFor(
    async () => expect((await sendFromIntegration()).statusCode).toBe(201),
    20_000,
  )
})

const observeMemory = async () => {
  const bot = await openRecordingBot()
  bot.behave(async () => {
    await pause(1_000)
    return 200
  })
  const server = await runServer()
  await setBotUrl(server, bot.url)
  const { url, webhookId } = server.credentials
  const crowd = await openChatPeople(() => `${url}/chat/${webhookId}`, 10)
  const megabytes: number[] = []
  for (const until = Date.now() + observedSeconds * 1_000; Date.now() < until; ) {
    const round = Date.now()
    megabytes.push(
      Math.round(
        Number(
          /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid()}/status`, 'utf8'))![1],
        ) / 1_024,
      ),
    )
    for (let i = 0; i < 100; i++) {
      const sent = await Promise.all(
        [...crowd.people, ...crowd.people].map((person) => crowd.say(person, text)),
      )
      expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 201))
      await pause(Math.max(0, (i + 1) * 100 - (Date.now() - round)))
    }
  }
  console.log(JSON.stringify({ megabytesEveryTenSeconds: megabytes }))
  crowd.close()
  await server.remove()
  await bot.close()
  expect(Math.max(...megabytes.slice(-3))).toBeLessThan(megabytes[0]! + 60)
}
if (observedSeconds > 0)
  test(
    'the memory of a server stays constant',
    { timeout: (observedSeconds + 120) * 1_000 },
    observeMemory,
  )

describe('count of pending deliveries', () => {
  const log = { warn() {} } as never
  const open = (rows: Map<string, number>) => {
    const clock = { now: 0 }
    const reads: string[][] = []
    const read = async (botIds: string[]) => {
      reads.push(botIds)
      return new Map(botIds.map((botId) => [botId, rows.get(botId) ?? 0]))
    }
    return {
      clock,
      reads,
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

  test('is read for requested bots only, and does not delay the request', async () => {
    const { backlog, reads } = open(new Map([['a', 7]]))
    backlog.entered('a', 100)
    expect(reads).toEqual([])
    expect(backlog.of('a').count).toBe(0)
    await settled()
    expect(backlog.of('a').count).toBe(7)
    expect(reads).toEqual([['a']])
  })

  test('includes changes of this process at once, and those of others after the next read', async () => {
    const { backlog, clock, rows, reads } = open(new Map([['a', 7]]))
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
    expect(reads).toHaveLength(2)
  })

  test('is not refreshed for bots that are no longer requested', async () => {
    const { backlog, clock, reads } = open(new Map())
    backlog.of('a')
    await settled()
    clock.now = 6_000
    backlog.of('b')
    await settled()
    clock.now = 8_000
    backlog.of('b')
    await settled()
    expect(reads).toEqual([['a'], ['b'], ['b']])
  })
})
