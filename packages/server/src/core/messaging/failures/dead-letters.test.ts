// Operations on dead letters: list them with their attempts, redeliver or discard them.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ChatPeople } from '../../../../test/support/chat-people.ts'
import {
  openRecordedScene,
  type RecordedScene,
  type RecordingBot,
} from '../../../../test/support/recording-bot.ts'
import type { Scene } from '../../../../test/support/scene.ts'
import { newId } from '../../lib/ids.ts'
import { fillMessageSearch } from '../search/filling.ts'

const many = Number(process.env.BOTSTEAD_DEAD_LETTERS ?? 2_000)

let opened: RecordedScene
let scene: Scene
let bot: RecordingBot
let people: ChatPeople
let next = 0

beforeAll(async () => {
  opened = await openRecordedScene({ retrySeconds: [0.02, 0.02] }, 20)
  ;({ scene, bot, people } = opened)
}, 60_000)
afterAll(() => opened?.close())
beforeEach(async () => {
  bot.received.length = 0
  bot.behave(() => 200)
  await post('dead-letters/discard')
})

const db = () => scene.app.services.db
const someone = () => people.people[next++]!
const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
  scene.call(method, `/v1/platform/${path}`, {
    headers: scene.asBot,
    ...(body !== undefined && { body }),
  })
const get = (path: string) => call('GET', path)
const post = (path: string, body: unknown = {}) => call('POST', path, body)
const list = async (query = '') =>
  (await get(`dead-letters?${query}`)).body.deadLetters as {
    id: string
    eventId: string
    reason: string
    attempts: number
  }[]
const findStatus = async (eventId: string) =>
  (
    await db()
      .selectFrom('event')
      .select('status')
      .where('id', '=', eventId)
      .executeTakeFirst()
  )?.status
/** The delivery, and its attempts as long as it exists. */
const findRows = async (id: string) => [
  await db().selectFrom('delivery').selectAll().where('id', '=', id).execute(),
  await db()
    .selectFrom('delivery_attempt')
    .selectAll()
    .where('delivery_id', '=', id)
    .where('finished_at', 'is', null)
    .execute(),
]

/** Sends a message that the bot fails with this status until it becomes a dead letter. */
async function createDeadLetter(person = someone(), status = 500, text = 'bad') {
  bot.behave((received) => (received.text === text ? status : 200))
  await people.say(person, text)
  await vi.waitFor(
    async () =>
      expect(await list(`conversationId=${person.conversationId}`)).toHaveLength(1),
    5_000,
  )
  bot.behave(() => 200)
  return { person, letter: (await list(`conversationId=${person.conversationId}`))[0]! }
}

test('is returned with each attempt, its error and its event', async () => {
  const { invoker } = scene.app.services
  const body = JSON.stringify({
    error: 'TypeError: no such thing',
    stack: 'TypeError: no such thing\n    at Bot.answer (bot.cjs:3:9)',
  })
  const invoke = vi
    .spyOn(invoker, 'invoke')
    .mockResolvedValue({ status: 500, headers: {}, body })
  const { person, letter } = await createDeadLetter()
  invoke.mockRestore()
  const { body: found } = await get(`dead-letters/${letter.id}`)
  expect(found.deadLetter).toEqual(letter)
  expect(letter).toMatchObject({
    kind: 'event',
    type: 'message_created',
    conversationId: person.conversationId,
    attempts: 3,
    reason: 'TypeError: no such thing',
  })
  const attempts = found.attempts as {
    number: number
    error: string
    stack: string
    ms: number
    startedAt: string
  }[]
  expect(
    attempts.map(({ number, error, stack }) => [number, error, stack.split('\n')[1]]),
  ).toEqual(
    [1, 2, 3].map((number) => [
      number,
      'TypeError: no such thing',
      '    at Bot.answer (bot.cjs:3:9)',
    ]),
  )
  expect(
    attempts.every(
      ({ ms, startedAt }) => ms >= 0 && startedAt <= new Date().toISOString(),
    ),
  ).toBe(true)
  expect(found.event).toMatchObject({
    id: letter.eventId,
    status: 'failed',
    failureReason: 'TypeError: no such thing',
    payload: { message: {} },
  })
})

test('redelivers under the same ids after later messages, and is deleted on success', async () => {
  const { person, letter } = await createDeadLetter()
  await people.say(person, 'good')
  await vi.waitFor(() =>
    expect(bot.received.map(({ text }) => text)).toEqual(['bad', 'bad', 'bad', 'good']),
  )
  expect(await post(`dead-letters/${letter.id}/redeliver`)).toEqual({
    status: 200,
    body: {},
  })
  await vi.waitFor(async () => expect(await findStatus(letter.eventId)).toBe('processed'))
  expect(bot.received.map(({ text }) => text)).toEqual([
    'bad',
    'bad',
    'bad',
    'good',
    'bad',
  ])
  expect(bot.received.at(-1)?.eventId).toBe(letter.eventId)
  await people.say(person, 'later')
  await vi.waitFor(() => expect(bot.received.at(-1)?.text).toBe('later'))
  await vi.waitFor(async () => expect(await findRows(letter.id)).toEqual([[], []]))
})

test('counts attempts from 0 again after a redelivery, and keeps earlier attempts', async () => {
  const { letter } = await createDeadLetter()
  bot.behave(() => 503)
  await post(`dead-letters/${letter.id}/redeliver`)
  await vi.waitFor(
    async () =>
      expect(await list()).toMatchObject([
        { id: letter.id, attempts: 6, reason: 'status 503' },
      ]),
    5_000,
  )
  const { attempts } = (await get(`dead-letters/${letter.id}`)).body
  expect(
    attempts.map(({ number, error }: { number: number; error: string }) => [
      number,
      error,
    ]),
  ).toEqual(
    [500, 500, 500, 503, 503, 503].map((status, at) => [at + 1, `status ${status}`]),
  )
  expect(bot.received).toHaveLength(6)
})

test('redelivers or discards once when requested concurrently', async () => {
  const { letter } = await createDeadLetter()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => post(`dead-letters/${letter.id}/redeliver`)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
  await vi.waitFor(async () => expect(await findStatus(letter.eventId)).toBe('processed'))
  expect(bot.received).toHaveLength(4)
  const other = await createDeadLetter()
  const all = await Promise.all(
    Array.from({ length: 5 }, () => post('dead-letters/redeliver')),
  )
  expect(all.map(({ body }) => body.count).sort()).toEqual([0, 0, 0, 0, 1])
  await vi.waitFor(async () =>
    expect(await findStatus(other.letter.eventId)).toBe('processed'),
  )
  const third = await createDeadLetter()
  const gone = await Promise.all(
    [1, 2, 3].map(() => call('DELETE', `dead-letters/${third.letter.id}`)),
  )
  expect(gone.map(({ status }) => status).sort()).toEqual([200, 404, 404])
})

test('discards a dead letter and keeps its event failed', async () => {
  const { letter } = await createDeadLetter()
  expect((await call('DELETE', `dead-letters/${letter.id}`)).body).toEqual({})
  expect(await findRows(letter.id)).toEqual([[], []])
  expect(await findStatus(letter.eventId)).toBe('failed')
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/redeliver'],
    ['DELETE', ''],
  ] as const)
    expect(
      (await call(method, `dead-letters/${letter.id}${path}`)).body,
      `${method} ${path}`.trim(),
    ).toMatchObject({
      code: 404,
      message: `Dead letter "${letter.id}" was not found`,
    })
})

test('redelivers a failed event, whether dead letter or rejected, but not a processed one', async () => {
  const { letter, person } = await createDeadLetter()
  expect((await post(`events/${letter.eventId}/redeliver`)).body.event).toMatchObject({
    id: letter.eventId,
    failureReason: null,
  })
  await vi.waitFor(async () => expect(await findStatus(letter.eventId)).toBe('processed'))
  expect((await post(`events/${letter.eventId}/redeliver`)).body).toMatchObject({
    code: 409,
    type: 'ResourceLockedConflict',
  })

  bot.behave(() => 400)
  await people.say(person, 'refused')
  await vi.waitFor(() => expect(bot.received.at(-1)?.status).toBe(400))
  const { eventId } = bot.received.at(-1)!
  await vi.waitFor(async () => expect(await findStatus(eventId)).toBe('failed'))
  expect(await list()).toEqual([])
  bot.behave(() => 200)
  const answers = await Promise.all(
    [1, 2, 3].map(() => post(`events/${eventId}/redeliver`)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  await vi.waitFor(async () => expect(await findStatus(eventId)).toBe('processed'))
  expect(bot.received.filter((received) => received.eventId === eventId)).toHaveLength(2)
  expect((await post(`events/${newId('event')}/redeliver`)).status).toBe(404)
})

test('rejects integrations', async () => {
  const { letter } = await createDeadLetter()
  const headers = { ...scene.asBot, 'x-integration-alias': 'chat' }
  for (const [method, path] of [
    ['GET', 'dead-letters'],
    ['GET', `dead-letters/${letter.id}`],
    ['POST', `dead-letters/${letter.id}/redeliver`],
    ['POST', 'dead-letters/redeliver'],
    ['POST', 'dead-letters/discard'],
    ['DELETE', `dead-letters/${letter.id}`],
    ['POST', `events/${letter.eventId}/redeliver`],
  ] as const) {
    const options = { headers, ...(method === 'POST' && { body: {} }) }
    expect(
      (await scene.call(method, `/v1/platform/${path}`, options)).status,
      `${method} ${path}`,
    ).toBe(403)
  }
  expect(await list()).toHaveLength(1)
})

/** Creates dead letters of the past, one per second, in lanes of ten. */
async function createOldDeadLetters(count: number, tag: string) {
  const client = await scene.app.services.database.connect()
  try {
    const letters = `generate_series(1, ${count}) i
      cross join lateral (select $2 || i / 10 as lane, i % 10 + 1 as number, $2 || i as name) n`
    await client.query(
      `insert into event (bot_id, id, type, payload, status, failure_reason)
       select $1, 'evt_' || lpad(name, 26, '0'), 'left', '{}', 'failed', 'left' from ${letters}`,
      [scene.botId, tag],
    )
    await client.query(
      `insert into delivery (bot_id, lane, number, id, kind, subject_id, attempts, last_error, type,
         conversation_id, dead_at)
       select $1, lane, number, 'dlv_' || lpad(name, 26, '0'), 'event', 'evt_' || lpad(name, 26, '0'), 3,
         'Reason ' || i % 100, case when i % 2 = 0 then 'even' else 'odd' end,
         'conv_' || lpad(lane, 26, '0'), timestamptz '2026-01-01' + i * interval '1 second' from ${letters}`,
      [scene.botId, tag],
    )
    await client.query(
      `insert into lane (bot_id, key, last_number)
       select $1, lane, 10 from ${letters} group by lane on conflict do nothing`,
      [scene.botId, tag],
    )
  } finally {
    await client.end()
  }
}
const numbered = (prefix: string, name: string) => `${prefix}_${name.padStart(26, '0')}`
const moment = (second: number) =>
  new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()

test('lists newest first, in pages, with filters', async () => {
  await createOldDeadLetters(250, 'old-')
  const walked: string[] = []
  for (let token = ''; ; ) {
    const { body } = await get(`dead-letters?pageSize=60${token}`)
    walked.push(...body.deadLetters.map(({ id }: { id: string }) => id))
    if (!body.meta.nextToken) break
    token = `&nextToken=${body.meta.nextToken}`
  }
  expect(walked).toEqual(
    Array.from({ length: 250 }, (_, i) => numbered('dlv', `old-${250 - i}`)),
  )
  const count = async (query: string) => (await list(`pageSize=100&${query}`)).length
  expect(await count('reason=REASON%207')).toBe(21 + 2)
  expect(await count('reason=%25')).toBe(0)
  expect(await count(`conversationId=${numbered('conv', 'old-3')}`)).toBe(10)
  expect(await count(`afterDate=${moment(241)}`)).toBe(10)
  expect(await count(`afterDate=${moment(241)}&beforeDate=${moment(245)}`)).toBe(5)
  expect(await count(`afterDate=${moment(241)}&type=even`)).toBe(5)
  expect(await count('kind=message')).toBe(0)
  expect(await count('kind=event&type=odd&beforeDate=2026-01-01T00:00:09Z')).toBe(5)
  expect(
    (await post('dead-letters/discard', { type: 'odd', beforeDate: moment(99) })).body,
  ).toEqual({
    count: 50,
  })
  expect(await count(`beforeDate=${moment(99)}`)).toBe(49)
  await post('dead-letters/discard')
})

test(`redelivers ${many} with one call, each lane in order, while it delivers new messages`, {
  timeout: 300_000,
}, async () => {
  await createOldDeadLetters(many, 'left-')
  bot.behave(async ({ text }) => {
    if (text === '') await new Promise((resolve) => setTimeout(resolve, 20))
    return 200
  })
  const begun = performance.now()
  expect((await post('dead-letters/redeliver', { reason: 'reason' })).body).toEqual({
    count: many,
  })
  const callMs = performance.now() - begun
  const person = someone()
  await people.say(person, 'now')
  await vi.waitFor(
    () => expect(bot.received.some(({ text }) => text === 'now')).toBe(true),
    5_000,
  )
  const before = bot.received.length
  await vi.waitFor(() => expect(bot.received.length).toBeGreaterThanOrEqual(many + 1), {
    timeout: 240_000,
    interval: 100,
  })
  console.log(
    JSON.stringify({
      callMs: Math.round(callMs),
      deliveredBefore: before,
      ms: Math.round(performance.now() - begun),
    }),
  )
  expect(before).toBeLessThan(many)
  const order = new Map<string, number[]>()
  for (const { eventId } of bot.received) {
    const at = Number(/left-(\d+)$/.exec(eventId)?.[1])
    if (at)
      order.set(String(Math.floor(at / 10)), [
        ...(order.get(String(Math.floor(at / 10))) ?? []),
        at,
      ])
  }
  expect(
    [...order.values()].filter((received) =>
      received.some((at, i) => i > 0 && at <= received[i - 1]!),
    ),
  ).toEqual([])
  await vi.waitFor(
    async () =>
      expect(
        await db().selectFrom('lane').select('key').where('pending', '!=', 0).execute(),
      ).toEqual([]),
    5_000,
  )
  expect(await list()).toEqual([])
  expect(
    await db()
      .selectFrom('event')
      .select('id')
      .where('type', '=', 'left')
      .where('status', '!=', 'processed')
      .execute(),
  ).toHaveLength(250)
})

test('lists the messages of a conversation with their numbers', async () => {
  const person = someone()
  for (const text of ['a', 'b', 'c']) await people.say(person, text)
  const path = `conversations/${person.conversationId}/messages`
  const { messages } = (await get(path)).body
  const numbers = messages.map(({ number }: { number: number }) => number)
  expect(
    messages.map(
      (one: { message: { payload: { text: string } } }) => one.message.payload.text,
    ),
  ).toEqual(['a', 'b', 'c'])
  expect(
    (await get(`${path}?after=${numbers[0]}`)).body.messages.map(
      ({ number }: { number: number }) => number,
    ),
  ).toEqual(numbers.slice(1))
  const { body } = await get(`${path}?after=${numbers[0]}&pageSize=1`)
  expect(
    (await get(`${path}?after=${numbers[0]}&pageSize=1&nextToken=${body.meta.nextToken}`))
      .body.messages,
  ).toEqual([messages[2]])
  expect((await get(`conversations/${newId('conversation')}/messages`)).status).toBe(404)
})

test('works through many in steps, and does not repeat those that fail again', async () => {
  await createOldDeadLetters(120, 'step-')
  expect((await get('dead-letters/count?reason=reason')).body).toEqual({ count: 120 })
  bot.behave(() => 500)
  const filter = { reason: 'reason', beforeDate: new Date().toISOString(), maxCount: 50 }
  const counts: number[] = []
  for (let hasMore = true; hasMore; ) {
    const { body } = await post('dead-letters/redeliver', filter)
    counts.push(body.count)
    hasMore = body.hasMore === true
  }
  expect(counts).toEqual([50, 50, 20])
  await vi.waitFor(
    async () => expect(await list('pageSize=100')).toHaveLength(100),
    20_000,
  )
  expect((await post('dead-letters/redeliver', filter)).body).toEqual({ count: 0 })
  expect((await post('dead-letters/discard', { maxCount: 1 })).body).toEqual({
    count: 1,
    hasMore: true,
  })
  await post('dead-letters/discard')
})

describe('redelivered with another payload', () => {
  const edit = (
    id: string,
    payload: unknown,
    headers = scene.admin,
    botId = scene.botId,
  ) =>
    scene.call('POST', `/v1/platform/dead-letters/${id}/redeliver-edited`, {
      headers,
      body: { botId, payload },
    })

  test('a message reaches the bot changed, under the same ids, with an audit entry', async () => {
    const { id, eventId } = (await createDeadLetter()).letter
    bot.received.length = 0
    bot.behave(() => 200)
    expect((await edit(id, { type: 'text', text: 'good' })).status).toBe(200)
    await vi.waitFor(() =>
      expect(bot.received).toMatchObject([{ eventId, text: 'good' }]),
    )
    await vi.waitFor(async () => expect(await findStatus(eventId)).toBe('processed'))
    const { body } = await scene.call('GET', '/v1/platform/audit', {
      headers: scene.admin,
    })
    expect(body.entries[0]).toMatchObject({
      operation: 'platform.redeliverEditedDeadLetter',
      targetId: id,
      result: 'done',
    })
  })

  test('is found by its new words', async () => {
    const { person, letter } = await createDeadLetter(someone(), 500, 'former')
    const toWords = async () => {
      const { rows } = await sql<{ words: string }>`select words::text from message_search
        where conversation_id = ${person.conversationId}`.execute(db())
      return rows.map(({ words }) => words).join()
    }
    await fillMessageSearch(db())
    expect(await toWords()).toContain('former')
    await edit(letter.id, { type: 'text', text: 'latter' })
    expect(await toWords()).toMatch(/^'[^' ]*latter'$/)
  })

  test('an event reaches the bot changed', async () => {
    bot.behave(() => 500)
    const { body: made } = await scene.call('POST', '/v1/chat/events', {
      headers: scene.asBot,
      body: { type: 'custom', payload: { a: 1 } },
    })
    await vi.waitFor(
      async () => expect(await findStatus(made.event.id)).toBe('failed'),
      10_000,
    )
    const [{ id } = { id: '' }] = await list('type=custom')
    bot.received.length = 0
    bot.behave(() => 200)
    expect((await edit(id, { a: 2 })).status).toBe(200)
    await vi.waitFor(() => expect(bot.received[0]?.event.payload).toEqual({ a: 2 }))
  })

  test('rejects an event that the integration does not declare', async () => {
    const { id, eventId } = (await createDeadLetter()).letter
    await sql`update delivery set type = 'chat:other' where id = ${id}`.execute(db())
    await sql`update event set payload = '{}' where id = ${eventId}`.execute(db())
    expect((await edit(id, { a: 1 })).body.message).toContain(
      'does not declare the event "other"',
    )
    expect(await list()).toHaveLength(1)
  })

  test('rejects bots of other workspaces', async () => {
    const { id } = (await createDeadLetter()).letter
    const { body } = await scene.call('POST', '/v1/admin/workspaces', {
      headers: scene.admin,
      body: { name: 'other' },
    })
    expect(
      (await edit(id, {}, { ...scene.admin, 'x-workspace-id': body.id })).status,
    ).toBe(404)
    expect(await list()).toHaveLength(1)
  })

  test('rejects a large payload, one that is no object, and an unknown dead letter', async () => {
    const { id } = (await createDeadLetter()).letter
    const { limits } = scene.app.services
    const { messageBytes } = limits
    limits.messageBytes = 1_000
    expect((await edit(id, { text: 'x'.repeat(1_001) })).status).toBe(413)
    limits.messageBytes = messageBytes
    for (const payload of [null, 'text', [1], 7])
      expect((await edit(id, payload)).status, String(payload)).toBe(400)
    expect((await edit('dlv_1', { a: 1 })).status).toBe(404)
    expect((await edit(id, { a: 1 }, scene.admin, 'bot_1')).status).toBe(404)
    expect(await list()).toHaveLength(1)
  })
})
