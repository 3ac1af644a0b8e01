// Limits against floods by visitors, with their defaults, on a clock that the test advances.
import type { InjectOptions } from 'fastify'
import { SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { expectTyped } from '../../../../test/support/raw-http.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { readConfig } from '../../config/config.ts'
import { removeOldWindows } from '../rates/store.ts'

/** Slices of windows per hour have 36 s. */
const sliceMs = 36_000
const clock = { now: 100 * sliceMs }
const { limits, publicLimits, trustProxy } = readConfig({ BOTSTEAD_TRUST_PROXY: '1' })
const office = '5.5.5.5'
const MB = 1_048_576

let scene: Scene
beforeAll(async () => {
  const config = { limits, publicLimits, trustProxy }
  scene = await openScene({ clock: () => clock.now, config })
})
afterAll(() => scene.close())
beforeEach(() => {
  clock.now = (Math.ceil(clock.now / sliceMs) + 102) * sliceMs
})

interface Visitor {
  key: string
  address: string
}

const inject = (
  method: InjectOptions['method'],
  path: string,
  { key, address }: Visitor,
  body?: object,
) =>
  scene.app.server.inject({
    method: method!,
    url: path.replace('/:', `/${scene.webhookId}`),
    headers: { 'x-forwarded-for': address, 'x-user-key': key },
    ...(body && { payload: body }),
  })

/** Creates users from private addresses, which are not counted. */
async function visitors(count: number, address: string): Promise<Visitor[]> {
  const create = () =>
    inject('POST', '/chat/:/users', { key: '', address: '10.0.0.1' }, {})
  const created = await Promise.all(Array.from({ length: count }, create))
  return created.map((reply) => ({ key: reply.json().key, address }))
}

/** In no conversation, so the server stores nothing. */
const say = (visitor: Visitor) =>
  inject('POST', '/chat/:/messages', visitor, {
    conversationId: 'none',
    payload: { type: 'text', text: 'hi' },
  })
const nod = (visitor: Visitor) =>
  inject('POST', '/webchat/:/events', visitor, {
    conversationId: 'none',
    payload: { type: 'custom', data: {} },
  })
/** Of an unknown message, so the server stores nothing. */
const edit = (visitor: Visitor) =>
  inject('PUT', '/webchat/:/messages/none', visitor, {
    payload: { type: 'text', text: 'ho' },
  })
const start = (visitor: Visitor) => inject('POST', '/chat/:/conversations', visitor, {})
const upload = (visitor: Visitor, size: number, key = `${Math.random()}.png`) =>
  inject('POST', '/webchat/:/files', visitor, { key, size, contentType: 'image/png' })

type Reply = Awaited<ReturnType<typeof inject>>

/** Repeats a call, and returns the different status codes. */
async function codes(count: number, call: (n: number) => Promise<Reply>) {
  const all = new Set<number>()
  // A few at once: a busy machine would reject more with 503.
  for (let from = 0; from < count; from += 10) {
    const some = Array.from({ length: Math.min(10, count - from) }, (_, n) =>
      call(from + n),
    )
    for (const { statusCode } of await Promise.all(some)) all.add(statusCode)
  }
  return [...all]
}

function expectLimited(reply: Reply, limit: number, unit: string, seconds: number) {
  const { 'ratelimit-limit': sent, 'retry-after': retryAfter } = reply.headers
  expect([reply.statusCode, sent, retryAfter]).toEqual([
    429,
    String(limit),
    String(seconds),
  ])
  expectTyped(429, reply.json(), 'RateLimited')
  expect(reply.json().message).toContain(`More than ${limit} ${unit}`)
}

const countRows = async (table: string) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(table)}`.execute(scene.app.services.db)
  return rows[0]!.n
}

test('limits the messages and events of many users of one address', async () => {
  const many = await visitors(12, office)
  expect(await codes(600, (n) => (n % 2 ? say : nod)(many[n % 6]!))).toEqual([403])
  expectLimited(await say(many[6]!), 600, 'messages of one address per minute', 61)
  expectLimited(await nod(many[7]!), 600, 'messages of one address per minute', 61)
  for (const address of ['5.5.5.6', '10.0.0.1', '127.0.0.1', '::1'])
    expect([address, (await say({ ...many[6]!, address })).statusCode]).toEqual([
      address,
      403,
    ])
  // A rejected message does not count for its user.
  await codes(200, () => say(many[8]!))
  clock.now += 61_000
  expect(await codes(120, () => say(many[8]!))).toEqual([403])
  expectLimited(await say(many[8]!), 120, 'messages of one user per minute', 61)
})

test('counts edits of messages like messages', async () => {
  const [user] = await visitors(1, office)
  expect((await codes(120, (n) => (n % 2 ? say : edit)(user!))).sort()).toEqual([
    403, 404,
  ])
  expectLimited(await edit(user!), 120, 'messages of one user per minute', 61)
})

test('does not limit the address of users with keys that the owner signed', async () => {
  const encryptionKey = 'k'.repeat(32)
  const configure = (configuration: object) =>
    scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers: scene.admin,
      body: { integrations: { chat: { configuration } } },
    })
  await configure({ encryptionKey })
  const signed = async (id: string) => {
    const token = new SignJWT({ id }).setProtectedHeader({ alg: 'HS256' })
    return { key: await token.sign(Buffer.from(encryptionKey)), address: office }
  }
  const many = await Promise.all(['ann', 'bob', 'cat', 'dan', 'eve', 'fay'].map(signed))
  expect(await codes(700, (n) => say(many[n % 6]!))).not.toContain(429)
  expect((await codes(10, () => say(many[0]!))).sort()).toContain(429)
  await configure({})
})

test('limits the new conversations of one user, and counts no existing ones', async () => {
  const [ann] = await visitors(1, office)
  const open = () =>
    inject('POST', '/chat/:/conversations/get-or-create', ann!, { id: 'mine' })
  expect(await codes(28, () => start(ann!))).toEqual([201])
  expect((await open()).statusCode).toBe(201)
  expect(await codes(40, open)).toEqual([201])
  expect((await inject('POST', '/webchat/:/conversations', ann!, {})).statusCode).toBe(
    201,
  )
  const before = await countRows('conversation')
  expectLimited(await start(ann!), 30, 'new conversations of one user per minute', 61)
  for (const reply of [
    await inject('POST', '/webchat/:/conversations', ann!, {}),
    await inject('POST', '/chat/:/conversations/get-or-create', ann!, { id: 'another' }),
    // The Webchat API creates conversations here, too.
    await inject('GET', '/webchat/:/initialize', ann!),
  ])
    expect(reply.statusCode).toBe(429)
  expect(await countRows('conversation')).toBe(before)
  expect((await open()).statusCode).toBe(201)
  expect((await start({ ...ann!, address: '10.0.0.1' })).statusCode).toBe(201)
})

test('limits the new conversations of many users of one address', async () => {
  const many = await visitors(7, office)
  expect(await codes(120, (n) => start(many[n % 6]!))).toEqual([201])
  expectLimited(
    await start(many[6]!),
    120,
    'new conversations of one address per minute',
    61,
  )
  expect((await start({ ...many[6]!, address: '5.5.5.6' })).statusCode).toBe(201)
})

test('limits the files of one user and one address', async () => {
  const many = await visitors(6, office)
  expect(await codes(100, () => upload(many[0]!, 1_000))).toEqual([201])
  const before = await countRows('file')
  expectLimited(await upload(many[0]!, 1_000), 100, 'files of one user per hour', 3_636)
  expect(await countRows('file')).toBe(before)
  expect(await codes(400, (n) => upload(many[1 + (n % 4)]!, 1_000))).toEqual([201])
  expectLimited(
    await upload(many[5]!, 1_000),
    500,
    'files of one address per hour',
    3_636,
  )
  expect(
    await codes(110, () => upload({ ...many[0]!, address: '10.0.0.1' }, 1_000)),
  ).toEqual([201])
})

test('limits the size of the files of one user and one address', async () => {
  const many = await visitors(6, office)
  expect(await codes(5, () => upload(many[0]!, 95 * MB))).toEqual([201])
  expectLimited(
    await upload(many[0]!, 95 * MB),
    500 * MB,
    'bytes of files of one user per hour',
    3_636,
  )
  // Rejected for its size, so not counted.
  expect((await upload(many[0]!, 200 * MB)).statusCode).toBe(413)
  expect((await upload(many[0]!, 25 * MB)).statusCode).toBe(201)
  expect(await codes(15, (n) => upload(many[1 + (n % 3)]!, 100 * MB))).toEqual([201])
  expectLimited(
    await upload(many[5]!, 90 * MB),
    2_048 * MB,
    'bytes of files of one address per hour',
    3_636,
  )
  expect((await upload({ ...many[5]!, address: '5.5.5.6' }, 90 * MB)).statusCode).toBe(
    201,
  )
})

test('stores no addresses and users longer than they count', async () => {
  const { db } = scene.app.services
  const [ann] = await visitors(1, '5.5.5.8')
  expect([(await say(ann!)).statusCode, (await upload(ann!, 1)).statusCode]).toEqual([
    403, 201,
  ])
  const stored = async () => {
    const { rows } = await sql<{ key: string }>`
      select key from rate_window where key like '%5.5.5.8%' order by key`.execute(db)
    return rows.map(({ key }) => key.split(' ')[0])
  }
  const uploads = ['addressUploadBytesPerHour', 'addressUploadsPerHour']
  await vi.waitFor(
    async () => expect(await stored()).toEqual(['addressMessagesPerMinute', ...uploads]),
    5_000,
  )
  const age = (minutes: number) =>
    sql`update rate_window set written_at = written_at - make_interval(mins => ${minutes})`.execute(
      db,
    )
  await age(3)
  await removeOldWindows(db)
  expect(await stored()).toEqual(uploads)
  await age(60)
  await removeOldWindows(db)
  expect(await stored()).toEqual([])
})
