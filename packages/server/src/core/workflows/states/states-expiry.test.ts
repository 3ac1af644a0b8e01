// Expiry of unused states: hidden from every read at once, one event to the bot, and never early.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'

let scene: RuntimeScene
let conversation: string
let user: string

beforeAll(async () => {
  scene = await openRuntimeScene()
  const states = {
    session: { type: 'conversation', schema: {}, expiry: 60_000 },
    note: { type: 'bot', schema: {} },
    profile: { type: 'user', schema: {} },
  }
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { states },
  })
  user = (
    await scene.call('POST', '/v1/chat/users', {
      headers: scene.asTg,
      body: { tags: {} },
    })
  ).body.user.id
  conversation = (
    await scene.call('POST', '/v1/chat/conversations', {
      headers: scene.asTg,
      body: { channel: 'dm', tags: {} },
    })
  ).body.conversation.id
})
afterAll(() => scene.close())

const call = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: unknown,
  headers = scene.asBot,
) =>
  scene.call(method, `/v1/chat/states/${path}`, {
    headers,
    ...(body !== undefined && { body }),
  })
const session = () => `conversation/${conversation}/session`
let notes = 0
const newNote = () => `bot/note-${++notes}/note`

/** Returns the milliseconds until expiry. */
async function findRemaining(path: string): Promise<number | null> {
  const [type, id, name] = path.split('/')
  const { rows } = await sql<{ remaining: number | null }>`
    select (extract(epoch from expires_at - now()) * 1000)::float8 as remaining from state
    where bot_id = ${scene.botId} and owner = '' and type = ${type} and subject_id = ${id}
      and name = ${name}`.execute(scene.app.services.db)
  return rows[0]!.remaining
}
/** Moves the expiry forward, as if `ms` had passed. */
async function advance(path: string, ms: number) {
  const [, id] = path.split('/')
  await sql`
    update state set expires_at = expires_at - ${ms} * interval '1 millisecond'
    where subject_id = ${id}`.execute(scene.app.services.db)
}
const expiryEvents = (id: string) =>
  scene.invoked.filter(
    ({ body }) =>
      body?.event?.type === 'state_expired' && body.event.payload.state.id === id,
  )
const arrived = async (id: string) => {
  await expect.poll(() => expiryEvents(id).length, { timeout: 10_000 }).toBeGreaterThan(0)
  return expiryEvents(id)[0]!
}
const around = (ms: number) => (remaining: number | null) =>
  remaining !== null && remaining <= ms && remaining > ms - 20_000

test('hides an expired state from every read and sends its content to the bot once', async () => {
  const { body } = await call('POST', session(), {
    payload: { step: 1 },
    expiry: 600_000,
  })
  await call('PATCH', session(), { payload: { more: [1, null] } })
  expect((await call('GET', session())).status).toBe(200)
  await advance(session(), 600_001)
  expect((await call('GET', session())).status).toBe(404)
  expect((await call('POST', `${session()}/expiry`, { expiry: null })).body.type).toBe(
    'ResourceNotFound',
  )
  const { headers, body: sent } = await arrived(body.state.id)
  expect(headers).toMatchObject({
    'x-bp-operation': 'event_received',
    'x-bp-type': 'state_expired',
  })
  expect(sent.event).toMatchObject({
    type: 'state_expired',
    conversationId: conversation,
    status: 'pending',
    failureReason: null,
    payload: {
      state: {
        ...body.state,
        // `advance` has changed it.
        expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
        payload: { step: 1, more: [1, null] },
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    },
  })
  const storedEvent = async () =>
    (
      await scene.call('GET', `/v1/chat/events/${sent.event.id}`, {
        headers: scene.asBot,
      })
    ).body.event
  await expect.poll(storedEvent).toEqual({ ...sent.event, status: 'processed' })
  const { body: listed } = await scene.call(
    'GET',
    `/v1/chat/events?type=state_expired&conversationId=${conversation}`,
    { headers: scene.asBot },
  )
  expect(listed.events.map(({ id }: { id: string }) => id)).toEqual([sent.event.id])
  expect(
    (await scene.call('GET', `/v1/chat/events/${sent.event.id}`, { headers: scene.asTg }))
      .status,
  ).toBe(404)
  expect(expiryEvents(body.state.id)).toHaveLength(1)
})

test('sends events for expired states of users and of the bot', async () => {
  const states = [
    (await call('POST', `user/${user}/profile`, { payload: { a: 1 }, expiry: 1 })).body
      .state,
  ]
  states.push(
    (await call('POST', newNote(), { payload: { b: 1 }, expiry: 1 })).body.state,
  )
  const [ofUser, ofBot] = await Promise.all(states.map(({ id }) => arrived(id)))
  expect(ofUser!.body.event).toMatchObject({
    userId: user,
    payload: { state: states[0] },
  })
  expect(ofBot!.body.event.payload.state).toEqual(states[1])
  expect(Object.keys(ofBot!.body.event)).not.toContain('conversationId')
})

test('deletes an expired state of an integration without an event', async () => {
  const path = `conversation/${conversation}/memory`
  const { body } = await call(
    'POST',
    path,
    { payload: { quiet: true }, expiry: 1 },
    scene.asTg,
  )
  await expect
    .poll(async () => (await call('GET', path, undefined, scene.asTg)).status)
    .toBe(404)
  const remaining = () =>
    scene.app.services.db
      .selectFrom('state')
      .select('id')
      .where('id', '=', body.state.id)
      .execute()
  await expect.poll(remaining, { timeout: 10_000 }).toEqual([])
  const { rows } = await sql`
    select from event
    where type = 'state_expired' and payload #>> '{state,id}' = ${body.state.id}`.execute(
    scene.app.services.db,
  )
  expect(rows).toEqual([])
})

test('sends the event although a new state replaced the expired one before the sweep', async () => {
  const path = newNote()
  const { body } = await call('POST', path, { payload: { old: true }, expiry: 600_000 })
  await advance(path, 600_001)
  const { body: next } = await call('POST', `${path}/get-or-set`, {
    payload: { old: false },
  })
  expect(next.state).toMatchObject({ payload: { old: false } })
  expect(next.state.id).not.toBe(body.state.id)
  await advance(path, 1_000_000)
  expect(
    (await call('PATCH', path, { payload: { patched: true } })).body.state,
  ).toMatchObject({
    id: next.state.id,
    payload: { old: false, patched: true },
  })
  expect((await arrived(body.state.id)).body.event.payload.state.payload).toEqual({
    old: true,
  })
  expect([
    expiryEvents(body.state.id).length,
    expiryEvents(next.state.id).length,
  ]).toEqual([1, 0])
})

test('a write renews the expiry; a read renews it after 1/16 of the time or a minute', async () => {
  const path = newNote()
  await call('POST', path, { payload: {}, expiry: 160_000 })
  await advance(path, 5_000)
  await call('GET', path)
  expect(await findRemaining(path)).toSatisfy(around(155_000))
  await advance(path, 6_000)
  await call('GET', path)
  expect(await findRemaining(path)).toSatisfy((remaining: number) => remaining > 155_000)
  for (const [method, suffix, body] of [
    ['POST', '', { payload: {} }],
    ['PATCH', '', { payload: {} }],
    ['POST', '/get-or-set', { payload: {} }],
  ] as const) {
    await advance(path, 100_000)
    expect((await call(method, path + suffix, body)).status, method + suffix).toBe(200)
    expect([method, suffix, await findRemaining(path)]).toSatisfy(
      ([, , remaining]: [string, string, number]) => remaining > 155_000,
    )
  }
  await call('POST', path, { payload: {}, expiry: 2_592_000_000 })
  await advance(path, 61_000)
  await call('GET', path)
  expect(await findRemaining(path)).toSatisfy(
    (remaining: number) => remaining > 2_592_000_000 - 20_000,
  )
})

test('an explicit expiry overrides the definition until it is set again', async () => {
  await call('POST', session(), { payload: null })
  await call('POST', session(), { payload: {} })
  expect(await findRemaining(session())).toSatisfy(around(60_000))
  const states = { session: { type: 'conversation', schema: {}, expiry: 120_000 } }
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { states },
  })
  await call('PATCH', session(), { payload: {} })
  expect(await findRemaining(session())).toSatisfy(around(120_000))
  await call('POST', `${session()}/expiry`, { expiry: 200_000 })
  await call('POST', session(), { payload: {} })
  expect(await findRemaining(session())).toSatisfy(around(200_000))
  await call('PATCH', session(), { payload: {}, expiry: null })
  expect(await findRemaining(session())).toBeNull()
  await call('POST', session(), { payload: {} })
  expect(await findRemaining(session())).toBeNull()
  expect((await call('POST', session(), { payload: {}, expiry: 1.5 })).status).toBe(200)
})

test('sends no event to a bot without a subscription', async () => {
  const subscribe = (events: unknown) =>
    scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers: scene.admin,
      body: { subscriptions: { events } },
    })
  await subscribe({ message_created: {} })
  const { body } = await call('POST', newNote(), {
    payload: { unheard: true },
    expiry: 1,
  })
  const events = async () =>
    (
      await scene.call('GET', '/v1/chat/events?type=state_expired&status=ignored', {
        headers: scene.asBot,
      })
    ).body.events
  await expect
    .poll(
      async () =>
        (await events()).map(
          (event: { payload: { state: unknown } }) => event.payload.state,
        ),
      {
        timeout: 10_000,
      },
    )
    .toContainEqual(body.state)
  await subscribe(null)
  expect(expiryEvents(body.state.id)).toEqual([])
})
