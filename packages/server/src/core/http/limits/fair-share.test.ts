// The fair share of each bot in request processing: the order of admission, and requests that hold
// no turn. The tests check orders, not times.
import { once } from 'node:events'
import { request } from 'node:http'
import { FairTurns } from '@botstead/lib'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'

/** Turns have no time limit here: no test may depend on it. */
const capacity = 4
let scene: RuntimeScene
let base: string
let other: string
beforeAll(async () => {
  scene = await openRuntimeScene({
    requestTurns: new FairTurns({ capacity, admitsFirst: true }),
  })
  base = await scene.listen()
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: {},
  })
  other = body.bot.id
})
afterAll(() => scene.close())

const turns = () => scene.app.services.requestTurns

/** Takes all turns, one of them for each bot. The returned function releases one. */
function saturate() {
  const held = [scene.botId, other, 'unrelated', 'unrelated'].map((key) =>
    turns().take(key),
  )
  expect(turns().stats.held).toBe(capacity)
  onTestFinished(() => {
    for (const turn of held) turn.leave()
  })
  return () => held.pop()!.leave()
}

test('alternates between a bot with many requests and other bots', async () => {
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
  expect(order).toEqual([
    ...Array(3).fill(['flood', 'other']).flat(),
    ...Array(17).fill('flood'),
  ])
})

test('admits a bot without requests in progress at once', async () => {
  saturate()
  const { status } = await scene.call('GET', '/v1/chat/users', {
    headers: scene.asStranger,
  })
  expect(status).toBe(200)
})

test('releases the turn of a request that waits for code, so that its calls get turns', async () => {
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

test('drops a waiting request when its caller disconnects', async () => {
  const release = saturate()
  const ask = () => {
    const sent = request(`${base}/v1/chat/users`, { headers: scene.asBot }).on(
      'error',
      () => {},
    )
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

test('holds no turn for a stream', async () => {
  const user = await scene.chatUser()
  const chat = `/chat/${scene.webhookId}/conversations`
  const { body } = await scene.call('POST', chat, { headers: user.headers, body: {} })
  const sent = request(`${base}${chat}/${body.conversation.id}/listen`, {
    headers: user.headers,
  })
  sent.end()
  const [stream] = await once(sent, 'response')
  expect(stream.statusCode).toBe(200)
  expect(turns().stats).toEqual({ held: 0, waiting: 0 })
  sent.on('error', () => {}).destroy()
})
