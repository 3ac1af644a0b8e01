// One bad bot of each kind among a hundred good ones. The good ones receive events as fast as
// before and lose none, and events of the bad one become dead letters. Times are compared within
// one run.

import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { findInstallation } from '../../src/core/catalog/installations/installations.ts'
import { type ChatPeople, openChatPeople } from '../support/chat-people.ts'
import { openRecordingBot, type RecordingBot } from '../support/recording-bot.ts'
import { openScene, type Scene } from '../support/scene.ts'

const goodBots = 100

let scene: Scene
let origin: string
let bot: RecordingBot
let nonsense: Server
const good: ChatPeople[] = []
const bad: ChatPeople[] = []

beforeAll(async () => {
  bot = await openRecordingBot()
  nonsense = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end('\0\x01HTTP/9.9 maybe\r\n\r\n{'))
  })
  await new Promise<void>((resolve) => nonsense.listen(0, '127.0.0.1', resolve))
  scene = await openScene({ config: { checkAnswers: false, retrySeconds: [0.3, 0.6] } })
  origin = await scene.listen()
  for (let i = 0; i < goodBots; i++) good.push(await bring({ url: bot.url }, 1))
}, 180_000)
afterAll(async () => {
  for (const people of good) people.close()
  await scene?.close()
  await bot?.close()
  nonsense?.close()
}, 60_000)
afterEach(() => {
  for (const people of bad.splice(0)) people.close()
  bot.behave(() => 200)
})

/** Creates a bot, and people who talk to it. */
async function bring(
  made: object,
  people: number,
): Promise<ChatPeople & { botId: string }> {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: made,
  })
  const { webhook_id: webhookId } = (await findInstallation(
    scene.app.services.db,
    body.bot.id,
    'chat',
  ))!
  return {
    botId: body.bot.id,
    ...(await openChatPeople(() => `${origin}/chat/${webhookId}`, people)),
  }
}

/** Latencies from sending to delivery for the good bots, sorted. All messages must be delivered. */
async function measure(ms: number): Promise<number[]> {
  const since = performance.now()
  const stop = new AbortController()
  setTimeout(() => stop.abort(), ms)
  await Promise.all(good.map((people) => people.talk(700, stop.signal)))
  const said = good.flatMap(({ people }) =>
    people.flatMap((person) => person.said.filter(({ at }) => at >= since)),
  )
  expect(said.filter(({ status }) => status !== 201)).toEqual([])
  await vi.waitFor(() => {
    const told = new Set(bot.received.map(({ messageId }) => messageId))
    expect(said.filter(({ messageId }) => !told.has(messageId!))).toEqual([])
  }, 20_000)
  const told = new Map(bot.received.map(({ messageId, at }) => [messageId, at]))
  return said.map(({ at, messageId }) => told.get(messageId!)! - at).sort((a, b) => a - b)
}
const p95 = (sorted: number[]) => Math.round(sorted[Math.floor(sorted.length * 0.95)]!)
/**
 * Other work on the machine may disturb a window; one of several must be nearly as good as usual.
 */
const windowMs = 1_200
const maxWindows = 5
const tolerated = (usual: number) => 3 * usual + 100

const crashing =
  'exports.handler = async (req) => { if (req.headers["x-bp-operation"] === "event_received") process.exit(1) }'
const endless =
  'exports.handler = async (req) => { if (req.headers["x-bp-operation"] === "event_received") for (;;); }'
const address = (server: Server) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

test.each<[string, () => object]>([
  ['is unreachable', () => ({ url: 'http://127.0.0.1:9/' })],
  ['takes too long', () => ({ url: `${bot.url}/slow`, maxExecutionTime: 1 })],
  ['fails always', () => ({ url: `${bot.url}/broken` })],
  ['sends invalid answers', () => ({ url: address(nonsense) })],
  ['crashes', () => ({ code: crashing })],
  ['never stops', () => ({ code: endless, maxExecutionTime: 1 })],
])(
  'a flooded bot that %s does not slow down others',
  { timeout: 180_000, retry: 1 },
  async (_, made) => {
    const { maxExecutionTime, ...given } = made() as { maxExecutionTime?: number }
    const people = await bring(given, 10)
    bad.push(people)
    if (maxExecutionTime) {
      await scene.app.services.db
        .updateTable('bot')
        .set({ max_execution_seconds: maxExecutionTime })
        .where('id', '=', people.botId)
        .execute()
      await scene.app.services.invalidate({ botId: people.botId })
    }
    const ours = new Set(people.people.map(({ conversationId }) => conversationId))
    bot.behave(async ({ conversationId }) => {
      if (!ours.has(conversationId)) return 200
      if (maxExecutionTime) await pause(1_500)
      return 500
    })
    await measure(300)
    const usual = p95(await measure(windowMs))
    const stop = new AbortController()
    const flood = people.talk(20, stop.signal)
    await pause(1_000)
    let disturbed = p95(await measure(windowMs))
    for (let window = 1; window < maxWindows && disturbed > tolerated(usual); window++)
      disturbed = p95(await measure(windowMs))
    stop.abort()
    await flood
    const dead = async () =>
      (
        await scene.call('GET', '/v1/platform/dead-letters?pageSize=100', {
          headers: { ...scene.asBot, 'x-bot-id': people.botId },
        })
      ).body.deadLetters
    await vi.waitFor(async () => expect((await dead()).length).toBeGreaterThan(0), {
      timeout: 60_000,
      interval: 200,
    })
    const [{ attempts, reason }] = await dead()
    console.log(
      JSON.stringify({
        usual,
        disturbed,
        flooded: people.people.flatMap(({ said }) => said).length,
        dead: (await dead()).length,
        reason,
      }),
    )
    expect(disturbed).toBeLessThan(tolerated(usual))
    expect(attempts).toBe(3)
    // Deletes the bot, so that its pending events do not delay the next test.
    expect(
      (
        await scene.call('DELETE', `/v1/admin/bots/${people.botId}`, {
          headers: scene.admin,
        })
      ).status,
    ).toBe(200)
  },
)
