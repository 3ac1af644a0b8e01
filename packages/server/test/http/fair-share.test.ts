// Each bot's share of request processing: in which order requests are admitted, and what holds no turn. Orders, not times.
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { FairTurns } from '../../src/infra/lib/fair-turns.ts'
import { openRuntimeScene, type RuntimeScene } from '../support/runtime-scene.ts'

/** Without the limit on how long a turn lasts: nothing here may need it. */
const capacity = 4
let scene: RuntimeScene
let base: string
let other: string
beforeAll(async () => {
  scene = await openRuntimeScene({ requestTurns: new FairTurns({ capacity, admitsFirst: true }) })
  base = await scene.listen()
  const { body } = await scene.call('POST', '/v1/admin/bots', { headers: scene.admin, body: {} })
  other = body.bot.id
})
afterAll(() => scene.close())

const turns = () => scene.app.services.requestTurns

/** Takes all turns, one for each bot among them; the returned function gives one back. */
function saturate() {
  const held = [scene.botId, other, 'nobody', 'nobody'].map((key) => turns().take(key))
  expect(turns().stats.held).toBe(capacity)
  onTestFinished(() => {
    for (const turn of held) turn.leave()
  })
  return () => held.pop()!.leave()
}

test('a bot with many requests takes turns with the others', async () => {
  const release = saturate()
  const order: string[] = []
  const ask = async (name: string, botId: string) => {
    const headers = { ...scene.asBot, 'x-bot-id': botId }
    const reply = await scene.app.server.inject({ url: '/v1/chat/users', headers })
    expect(reply.statusCode).toBe(200)
    order.push(name)
  }
  const flood = Array.from({ length: 20 }, () => ask('flood', scene.botId))
  await vi.waitFor(() => expect(turns().stats.waiting).toBe(20))
  const others = Array.from({ length: 3 }, () => ask('other', other))
  await vi.waitFor(() => expect(turns().stats.waiting).toBe(23))
  release()
  await Promise.all([...flood, ...others])
  expect(order).toEqual([...Array(3).fill(['flood', 'other']).flat(), ...Array(17).fill('flood')])
})

test('a bot without requests in progress is admitted at once', async () => {
  saturate()
  const { status } = await scene.call('GET', '/v1/chat/users', { headers: scene.asStranger })
  expect(status).toBe(200)
})

test('requests that wait for code hold no turn: its call-backs have them', async () => {
  const held: number[] = []
  let called = 0
  let answer = () => {}
  const all = new Promise<void>((resolve) => {
    answer = resolve
  })
  scene.answerWith(async () => {
    if (++called === 40) answer()
    await all
    held.push(turns().stats.held)
    await scene.call('GET', '/v1/chat/users', { headers: scene.asTg })
    return { body: { output: { y: 1 } } }
  })
  const act = () =>
    scene.call('POST', '/v1/chat/actions', {
      headers: scene.asBot,
      body: { type: 'tg:add', input: { x: 1 } },
    })
  const replies = await Promise.all(Array.from({ length: 40 }, act))
  expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(200))
  expect(held[0]).toBe(0)
})

test('a caller that leaves is not waited for', async () => {
  const release = saturate()
  const ask = () => {
    const sent = request(`${base}/v1/chat/users`, { headers: scene.asBot }).on('error', () => {})
    sent.end()
    return sent
  }
  const [first, second] = [ask(), ask()]
  await vi.waitFor(() => expect(turns().stats.waiting).toBe(2))
  second.destroy()
  first.destroy()
  await vi.waitFor(() => expect(turns().stats.waiting).toBe(0))
  release()
})

test('a stream holds no turn', async () => {
  const user = await scene.chatUser()
  const chat = `/chat/${scene.webhookId}/conversations`
  const { body } = await scene.call('POST', chat, { headers: user.headers, body: {} })
  const sent = request(`${base}${chat}/${body.conversation.id}/listen`, { headers: user.headers })
  sent.end()
  const [stream] = await once(sent, 'response')
  expect(stream.statusCode).toBe(200)
  expect(turns().stats).toEqual({ held: 0, waiting: 0 })
  sent.on('error', () => {}).destroy()
})
