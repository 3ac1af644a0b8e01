// One list of everything that failed: its order and pages, filters, redelivering and discarding.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'
import { toJson } from '../../db/index.ts'

interface Listed {
  id: string
  kind: string
  isRetried: boolean
  nextAttemptAt?: string
  deadLetterId?: string
  eventId?: string
  messageId?: string
  attempts: number
  reason: string
}
type Body = Record<string, unknown>
type Change = 'redeliver' | 'discard'

let scene: RuntimeScene
let conversationId: string
/** Texts of those that fail, with the status. */
let failing: Record<string, number> = {}
const soon = { timeout: 10_000 }

const request = async (
  method: 'GET' | 'POST',
  path: string,
  body?: Body,
  headers = scene.asBot,
) =>
  scene.call(method, `/v1/platform/failures${path}`, { headers, ...(body && { body }) })
const list = async (query = ''): Promise<Listed[]> =>
  (await request('GET', `?${query}`)).body.failures
const change = async (what: Change, body: Body = {}) =>
  (await request('POST', `/${what}`, body)).body as { count: number; nextToken?: string }

/** Creates an event that the bot answers with the status. */
async function fail(status: number, text: string) {
  failing[text] = status
  const { body } = await scene.call('POST', '/v1/chat/events', {
    headers: scene.asBot,
    body: { type: 'order', payload: { text } },
  })
  return body.event.id as string
}

async function failToSend(status: number, text: string) {
  failing[text] = status
  const { body } = await scene.call('POST', '/v1/chat/messages', {
    headers: scene.asBot,
    body: {
      conversationId,
      userId: scene.botId,
      type: 'text',
      payload: { text },
      tags: {},
    },
  })
  return body.message.id as string
}

/** Those that the server does not retry any more. */
const listFinal = async () => (await list()).filter(({ isRetried }) => !isRetried)

const waitFor = (...texts: string[]) =>
  expect
    .poll(async () => (await listFinal()).map(({ reason }) => reason), soon)
    .toEqual(texts)

/** Texts in the order of delivery, without the first failed attempts. */
const received = () =>
  scene.invoked.map(
    ({ body }) => body.event?.payload.text ?? body.payload?.text,
  ) as string[]

beforeAll(async () => {
  scene = await openRuntimeScene({ config: { retrySeconds: [0.02] } })
  scene.answerWith(({ body }) => {
    const text = body.event?.payload.text ?? body.payload?.text
    const status = failing[text] ?? 200
    return status === 200 ? {} : { status, body: { message: text } }
  })
  const { body } = await scene.call('POST', '/v1/chat/conversations', {
    headers: scene.asTg,
    body: { channel: 'dm', tags: { id: '1' } },
  })
  conversationId = body.conversation.id
}, 60_000)
afterAll(() => scene?.close())
beforeEach(async () => {
  failing = {}
  await change('discard')
  expect(await list()).toEqual([])
  scene.invoked.length = 0
})

test('unites rejected events, dead letters and messages in one order, each once, page by page', async () => {
  const rejected = await fail(400, 'one')
  await waitFor('one')
  const messageId = await failToSend(403, 'two')
  await waitFor('two', 'one')
  const dead = await fail(500, 'three')
  await waitFor('three', 'two', 'one')
  await failToSend(500, 'four')
  await waitFor('four', 'three', 'two', 'one')
  const all = await list()
  expect(all).toMatchObject([
    { kind: 'message', isRetried: false, attempts: 2, conversationId },
    {
      id: dead,
      kind: 'event',
      eventId: dead,
      attempts: 2,
      deadLetterId: expect.any(String),
    },
    { kind: 'message', messageId, attempts: 1, isRetried: false, type: 'text' },
    { id: rejected, kind: 'event', eventId: rejected, type: 'order', attempts: 1 },
  ])
  expect(all[3]).not.toHaveProperty('deadLetterId')
  expect(all[2]!.deadLetterId).toBe(all[2]!.id)
  const paged: Listed[] = []
  for (let token = ''; ; ) {
    const { body } = await request('GET', `?pageSize=1${token}`)
    paged.push(...body.failures)
    if (!body.meta.nextToken) break
    token = `&nextToken=${encodeURIComponent(body.meta.nextToken)}`
  }
  expect(paged).toEqual(all)
})

test('filters by each field, and finds matches behind other pages', async () => {
  await fail(400, 'one')
  await failToSend(403, 'two')
  await fail(500, 'three')
  await expect.poll(async () => (await listFinal()).length, soon).toBe(3)
  const [newest] = await list('kind=event')
  const found = async (query: string) => (await list(query)).map(({ reason }) => reason)
  expect(await found('kind=event')).toEqual(['three', 'one'])
  expect(await found('type=text')).toEqual(['two'])
  expect(await found(`conversationId=${conversationId}`)).toEqual(['two'])
  expect(await found('reason=E&pageSize=1')).toEqual(['three'])
  expect(await found('reason=ONE')).toEqual(['one'])
  expect(await found('afterDate=2100-01-01')).toEqual([])
  expect(await found('beforeDate=2100-01-01')).toEqual(['three', 'two', 'one'])
  expect(newest!.reason).toBe('three')
})

test('redelivers chosen ones once, also when requested concurrently', async () => {
  await fail(400, 'one')
  await fail(500, 'two')
  await failToSend(403, 'three')
  await fail(400, 'four')
  await expect.poll(async () => (await listFinal()).length, soon).toBe(4)
  const ids = (await list()).filter(({ reason }) => reason !== 'four').map(({ id }) => id)
  failing = {}
  scene.invoked.length = 0
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      change('redeliver', { ids: [...ids, ids[0], 'evt_none'] }),
    ),
  )
  expect(answers.reduce((sum, { count }) => sum + count, 0)).toBe(3)
  await expect.poll(() => received().sort(), soon).toEqual(['one', 'three', 'two'])
  expect((await list()).map(({ reason }) => reason)).toEqual(['four'])
})

test('redelivers all that match once, in steps, oldest first, without those that fail again', async () => {
  const texts = ['a1', 'a2', 'a3', 'a4', 'b1']
  for (const [nth, text] of texts.entries()) {
    await fail([400, 500][nth % 2]!, text)
    await expect.poll(async () => (await listFinal()).length, soon).toBe(nth + 1)
  }
  scene.invoked.length = 0
  const all = async () => {
    const counts: number[] = []
    for (let nextToken: string | undefined; ; ) {
      const step = await change('redeliver', {
        reason: 'A',
        maxCount: 3,
        ...(nextToken && { nextToken }),
      })
      counts.push(step.count)
      if (!step.nextToken) return counts
      // The first ones fail again before the next step.
      await expect.poll(async () => (await listFinal()).length, soon).toBe(5)
      nextToken = step.nextToken
    }
  }
  expect(await all()).toEqual([3, 1])
  await expect.poll(async () => (await listFinal()).length, soon).toBe(5)
  expect([...new Set(received())].sort()).toEqual(['a1', 'a2', 'a3', 'a4'])
  failing = {}
  scene.invoked.length = 0
  const steps = await Promise.all(Array.from({ length: 5 }, () => change('redeliver')))
  expect(steps.reduce((sum, { count }) => sum + count, 0)).toBe(5)
  await expect.poll(() => received().sort(), soon).toEqual(texts)
  expect(await list()).toEqual([])
})

test('discards for good, and lists an event again that fails again', async () => {
  const dead = await fail(500, 'one')
  await fail(400, 'two')
  await failToSend(403, 'three')
  await expect.poll(async () => (await listFinal()).length, soon).toBe(3)
  const ids = (await list()).map(({ id }) => id)
  const counts = await Promise.all([1, 2, 3].map(() => change('discard', { ids })))
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(3)
  expect(await list()).toEqual([])
  expect(await change('redeliver')).toEqual({ count: 0 })
  expect(await change('redeliver', { ids })).toEqual({ count: 0 })
  const { body } = await scene.call('GET', `/v1/chat/events/${dead}`, {
    headers: scene.asBot,
  })
  expect(body.event.status).toBe('failed')
  await scene.call('POST', `/v1/platform/events/${dead}/redeliver`, {
    headers: scene.asBot,
    body: {},
  })
  await waitFor('one')
})

test('discarding a dead letter by its own operation takes its event off the list', async () => {
  await fail(500, 'one')
  await waitFor('one')
  const [{ deadLetterId } = {} as Listed] = await list()
  const path = `/v1/platform/dead-letters/${deadLetterId}`
  expect((await scene.call('DELETE', path, { headers: scene.asBot })).status).toBe(200)
  expect(await list()).toEqual([])
})

test('a rejected change is redelivered with its content', async () => {
  const id = await failToSend(200, 'sent')
  await expect.poll(received, soon).toEqual(['sent'])
  const { db } = scene.app.services
  const { definition } = await db
    .selectFrom('integration')
    .select('definition')
    .where('name', '=', 'telegram')
    .executeTakeFirstOrThrow()
  const extraOperations = { message_updated: { enabled: true } }
  await db
    .updateTable('integration')
    .set({ definition: toJson({ ...definition, extraOperations }) })
    .where('name', '=', 'telegram')
    .execute()
  failing.changed = 400
  await scene.call('PUT', `/v1/chat/messages/${id}`, {
    headers: scene.asBot,
    body: { payload: { text: 'changed' } },
  })
  await waitFor('changed')
  failing = {}
  expect(await change('redeliver', { kind: 'change' })).toEqual({ count: 1 })
  await expect.poll(received, soon).toEqual(['sent', 'changed', 'changed'])
  expect(await list()).toEqual([])
})

test('another bot sees, redelivers and discards nothing, and its tokens are rejected', async () => {
  await fail(400, 'one')
  await failToSend(403, 'two')
  await expect.poll(async () => (await listFinal()).length, soon).toBe(2)
  const ids = (await list()).map(({ id }) => id)
  const { nextToken } = (await request('GET', '?pageSize=1')).body.meta
  const headers = scene.headersOf('strangers bot')
  const theirs = async (method: 'GET' | 'POST', path: string, body?: Body) =>
    (await request(method, path, body, headers)).body
  expect((await theirs('GET', '')).failures).toEqual([])
  for (const what of ['redeliver', 'discard']) {
    expect(await theirs('POST', `/${what}`, { ids })).toEqual({ count: 0 })
    expect(await theirs('POST', `/${what}`, {})).toEqual({ count: 0 })
  }
  expect((await theirs('GET', `?nextToken=${encodeURIComponent(nextToken)}`)).code).toBe(
    400,
  )
  expect((await list()).map(({ id }) => id)).toEqual(ids)
})

test('rejects ids with filters, and too many', async () => {
  expect(
    (await request('POST', '/discard', { ids: ['evt_1'], reason: 'x' })).body,
  ).toMatchObject({
    type: 'InvalidPayload',
    message: 'Specify either `ids`, or filters with `nextToken`.',
  })
  const ids = Array.from({ length: 201 }, (_, nth) => `evt_${nth}`)
  expect((await request('POST', '/redeliver', { ids })).status).toBe(400)
})

describe('with a long pause before the retry', () => {
  let slow: RuntimeScene

  beforeAll(async () => {
    slow = await openRuntimeScene({ config: { retrySeconds: [60] } })
    slow.answerWith(({ body }) => ({
      status: 500,
      body: { message: body.event.payload.text },
    }))
  }, 60_000)
  afterAll(() => slow?.close())

  test('lists events that the server tries again, with their next attempt, and changes none', async () => {
    const { body } = await slow.call('POST', '/v1/chat/events', {
      headers: slow.asBot,
      body: { type: 'order', payload: { text: 'later' } },
    })
    const read = async () =>
      (await slow.call('GET', '/v1/platform/failures', { headers: slow.asBot })).body
        .failures as Listed[]
    await expect.poll(async () => (await read()).length, soon).toBe(1)
    const [failure] = await read()
    expect(failure).toMatchObject({ id: body.event.id, isRetried: true, reason: 'later' })
    expect(failure).toMatchObject({ type: 'order', attempts: 1 })
    const inMs = Date.parse(failure!.nextAttemptAt!) - Date.now()
    expect(inMs).toBeGreaterThan(30_000)
    expect(inMs).toBeLessThan(60_500)
    for (const what of ['redeliver', 'discard'])
      for (const body of [{}, { ids: [failure!.id] }])
        expect(
          (
            await slow.call('POST', `/v1/platform/failures/${what}`, {
              headers: slow.asBot,
              body,
            })
          ).body,
        ).toEqual({ count: 0 })
    expect(await read()).toHaveLength(1)
  })
})
