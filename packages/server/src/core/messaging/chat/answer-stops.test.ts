// Stops of answers: the call of the model ends, the code gets a signal, the event counts as handled,
// and the conversation shows it.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  type AnsweringScene,
  openAnsweringScene,
  type Talker,
} from '../../../../test/support/answering-bot.ts'
import { openCodeServer } from '../../../../test/support/code-at-url.ts'
import type { Queue } from '../../queue/queue.ts'

let scene: AnsweringScene
beforeAll(async () => {
  scene = await openAnsweringScene()
}, 60_000)
afterAll(() => scene?.close(), 60_000)

const until = { timeout: 15_000, interval: 5 }
/** A reply that takes ten seconds. */
const slow = { text: Array.from({ length: 1_000 }, () => 'word '), pieceMs: 10 }
const stop = (talker: Talker, headers = talker.headers) =>
  scene.call(
    'POST',
    `/chat/${scene.webhookId}/conversations/${talker.conversationId}/stop`,
    {
      headers,
      body: {},
    },
  )
const stopAsBot = (id: string, headers = scene.asBot) =>
  scene.call('POST', `/v1/platform/conversations/${id}/stop`, { headers, body: {} })
const stopped = { status: 200, body: { stopped: true } }
const notStopped = { status: 200, body: { stopped: false } }

const findEvent = async ({ conversationId }: Talker, type = 'message_created') => {
  const path = `/v1/chat/events?conversationId=${conversationId}&type=${encodeURIComponent(type)}`
  const { body } = await scene.call('GET', path, { headers: scene.asBot })
  return body.events[0]
}
const readLog = async () => {
  const path = `/v1/admin/bots/${scene.botId}/logs?timeStart=2020-01-01T00:00:00Z`
  const { body } = await scene.call('GET', path, { headers: scene.admin })
  return (body.logs as { message: string }[]).map(({ message }) => message)
}
const streaming = (talker: Talker) =>
  vi.waitFor(
    () => expect(talker.signals('message_stream_delta').length).toBeGreaterThan(1),
    until,
  )
const hears = (talker: Talker, text: string) =>
  vi.waitFor(async () => expect((await talker.answers()).at(-1)).toBe(text), until)

test.each(['stream', 'whole'])(
  'ends the call of the model of a %s at once',
  async (how) => {
    scene.replies.push(slow)
    const talker = await scene.talk()
    await talker.say(`${how} slowly`)
    await streaming(talker)
    const call = scene.provider.requests.at(-1)!
    expect(await stop(talker)).toEqual(stopped)
    const answeredAt = performance.now()
    await vi.waitFor(() => expect(call.closedAt).not.toBeNull(), until)
    // Usually before; other tests may be busy.
    expect(call.closedAt! - answeredAt).toBeLessThan(1_000)

    await vi.waitFor(
      () => expect(talker.signals('message_stream_abort')).toHaveLength(1),
      until,
    )
    expect(talker.signals('event_created').map(({ data }) => data)).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        createdAt: expect.any(String),
        payload: { type: 'botstead:stopped', eventId: expect.stringMatching(/^evt_/) },
        conversationId: talker.conversationId,
        userId: talker.userId,
        isBot: false,
      },
    ])
    await vi.waitFor(
      async () =>
        expect(await findEvent(talker)).toMatchObject({
          status: 'ignored',
          failureReason: 'The answer was stopped',
        }),
      until,
    )
    await talker.say('plain next')
    await hears(talker, 'plain next')
    expect(await talker.answers()).toEqual(['plain next'])
    const failure = 'Error: The answer was stopped: make no more calls for it'
    await vi.waitFor(
      async () => expect((await readLog()).join()).toContain(failure),
      until,
    )
  },
)

test('shows the stop to listeners that come later, and as an event', async () => {
  scene.replies.push(slow)
  const talker = await scene.talk()
  await talker.say('stream shown')
  await streaming(talker)
  await stop(talker)
  talker.reader.cut()
  talker.reader.lastId = '0'
  talker.reader.frames.length = 0
  await talker.reader.open()
  await vi.waitFor(() => expect(talker.signals('event_created')).toHaveLength(1), until)
  const { id, payload } = talker.signals('event_created')[0]!.data
  const path = `/chat/${scene.webhookId}/events/${id}`
  const { body } = await scene.call('GET', path, { headers: talker.headers })
  expect(body.event).toMatchObject({ id, payload, userId: talker.userId })
  expect(await findEvent(talker, 'chat:stopped')).toMatchObject({
    id,
    status: 'processed',
  })
})

test('returns false when no answer is due, and repeats without effect', async () => {
  const talker = await scene.talk()
  expect(await stop(talker)).toEqual(notStopped)
  scene.replies.push(slow)
  await talker.say('stream twice')
  await streaming(talker)
  // The second stop may come before or after the end of the answer.
  const both = await Promise.all([stop(talker), stop(talker)])
  expect(both).toContainEqual(stopped)
  for (const one of both) expect([stopped, notStopped]).toContainEqual(one)
  await vi.waitFor(async () => expect(await stop(talker)).toEqual(notStopped), until)
  expect(talker.signals('event_created')).toHaveLength(1)
})

test('rejects messages of code that goes on, and handles the next message meanwhile', async () => {
  const talker = await scene.talk()
  const late = 'rejected: 410, stopped: true'
  await talker.say('stubborn 6000')
  await vi.waitFor(async () => expect(await findEvent(talker)).toBeDefined(), until)
  await pause(300)
  expect(await stop(talker)).toEqual(stopped)
  await talker.say('plain next')
  await hears(talker, 'plain next')
  expect(await readLog()).not.toContain(late)
  await vi.waitFor(async () => expect(await readLog()).toContain(late), until)
  expect(await talker.answers()).toEqual(['plain next'])
})

test('lets other users, other bots and strangers stop nothing', async () => {
  scene.replies.push(slow)
  const [talker, stranger] = [await scene.talk(), await scene.talk()]
  await talker.say('stream alone')
  await streaming(talker)
  expect((await stop(talker, stranger.headers)).status).toBe(403)
  expect((await stop(talker, { 'x-user-key': 'x' })).status).toBe(401)
  expect((await stop({ ...talker, conversationId: 'unknown' })).status).toBe(403)
  const made = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: { name: 'other' },
  })
  const asOther = { ...scene.asBot, 'x-bot-id': made.body.bot.id }
  expect((await stopAsBot(talker.conversationId, asOther)).status).toBe(404)
  expect(talker.signals('event_created')).toEqual([])
  expect(await stopAsBot(talker.conversationId)).toEqual(stopped)
  await vi.waitFor(() => expect(talker.signals('event_created')).toHaveLength(1), until)
  expect(talker.signals('event_created')[0]!.data).toMatchObject({
    userId: scene.botId,
    isBot: true,
  })
})

test('works at another server', async () => {
  const other = await scene.openOther()
  try {
    scene.replies.push(slow)
    const talker = await scene.talk()
    await talker.say('stream elsewhere')
    await streaming(talker)
    const call = scene.provider.requests.at(-1)!
    const url = `/chat/${scene.webhookId}/conversations/${talker.conversationId}/stop`
    const { headers } = talker
    const reply = await other.app.server.inject({
      method: 'POST',
      url,
      headers,
      payload: {},
    })
    const answeredAt = performance.now()
    expect(reply.json()).toEqual({ stopped: true })
    await vi.waitFor(() => expect(call.closedAt).not.toBeNull(), until)
    expect(call.closedAt! - answeredAt).toBeLessThan(2_000)
    await vi.waitFor(
      async () => expect((await findEvent(talker)).status).toBe('ignored'),
      until,
    )
  } finally {
    await other.app.close()
  }
})

test('closes the connection to a bot at a URL, which is not called again', async () => {
  const calls: string[] = []
  const code = await openCodeServer(async ({ operation, body }) => {
    if (operation !== 'event_received') return {}
    const { text } = body.event.payload.message.payload
    calls.push(text)
    if (text === 'wait') await pause(3_000)
    return {}
  })
  const put = (url: string | null) =>
    scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers: scene.admin,
      body: { url },
    })
  await put(code.url)
  try {
    const talker = await scene.talk()
    await talker.say('wait')
    await vi.waitFor(() => expect(calls).toEqual(['wait']), until)
    expect(await stop(talker)).toEqual(stopped)
    await talker.say('next')
    await vi.waitFor(() => expect(calls).toEqual(['wait', 'next']), { timeout: 1_000 })
    expect(await findEvent(talker)).toBeDefined()
  } finally {
    await put(null)
    await code.close()
  }
})

test('delivers a stopped event to no process that loads it later', async () => {
  const { db, deliveries } = scene.app.services
  const queue = deliveries as Queue
  queue.rest(new Set([scene.botId]))
  const talker = await scene.talk()
  await talker.say('plain answer')
  // Written by a process that has ended since.
  await db
    .updateTable('delivery')
    .set({ stopped_at: new Date() })
    .where('lane', '=', talker.conversationId)
    .execute()
  queue.rest(new Set())
  await vi.waitFor(
    async () => expect((await findEvent(talker)).status).toBe('ignored'),
    until,
  )
  await talker.say('plain next')
  await hears(talker, 'plain next')
  expect(await talker.answers()).toEqual(['plain next'])
})

test('ends the turn of a bot made of flows before its next card', async () => {
  const wait = 'await new Promise((resolve) => setTimeout(resolve, 1_000))'
  const cards = [
    { type: 'send', message: 'one' },
    { type: 'code', code: wait },
    { type: 'send', message: 'two' },
  ]
  const botJson = {
    kind: 'bot',
    version: 2,
    flows: { main: { nodes: { start: { type: 'start', cards } } } },
  }
  const path = `/v1/admin/bots/${scene.botId}/publish-from-bot-json`
  const published = await scene.call('POST', path, {
    headers: scene.admin,
    body: { botJson },
  })
  expect(published).toMatchObject({ status: 200 })
  const talker = await scene.talk()
  await talker.say('hello')
  await hears(talker, 'one')
  expect(await stop(talker)).toEqual(stopped)
  await vi.waitFor(
    async () => expect((await findEvent(talker)).status).toBe('ignored'),
    until,
  )
  await talker.say('again')
  await hears(talker, 'two')
  expect(await talker.answers()).toEqual(['one', 'one', 'two'])
})
