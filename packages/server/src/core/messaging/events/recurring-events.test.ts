// Recurring events of bots: one row for each definition, a tick when it is due, one tick for all
// missed ones, and counted failures.
import { Client } from '@botpress/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'
import { nextTick } from '../../lib/cron.ts'

let scene: RuntimeScene

/** Long enough for a busy machine. */
const soon = { interval: 10, timeout: 15_000 }

vi.setConfig({ testTimeout: 30_000 })
beforeAll(async () => {
  scene = await openRuntimeScene()
})
afterAll(() => scene?.close())
beforeEach(async () => {
  scene.invoked.length = 0
  scene.answerWith(() => ({}))
  await update({
    blocked: false,
    recurringEvents: Object.fromEntries((await rows()).map(({ key }) => [key, null])),
  })
})

const update = (body: unknown, botId = scene.botId) =>
  scene.call('PUT', `/v1/admin/bots/${botId}`, { headers: scene.admin, body })
const shownEvents = async () =>
  (await scene.call('GET', `/v1/admin/bots/${scene.botId}`, { headers: scene.admin }))
    .body.bot.recurringEvents
const recurring = (cron: string, more: object = {}) => ({
  type: 'tick',
  payload: { n: 1 },
  schedule: { cron },
  ...more,
})
const rows = (botId = scene.botId) =>
  scene.app.services.db
    .selectFrom('recurring_event')
    .selectAll()
    .where('bot_id', '=', botId)
    .orderBy('key')
    .execute()
const next = async (key: string) =>
  (await rows()).find((row) => row.key === key)?.next_at?.toISOString()
/** Moves the next tick into the past by `ago`. */
const makeDue = (key: string, ago = '1 second') =>
  sql`
    update recurring_event set next_at = now() - ${ago}::interval
    where bot_id = ${scene.botId} and key = ${key}`.execute(scene.app.services.db)
const ticks = (type = 'tick') =>
  scene.invoked.filter(({ body }) => body.event?.type === type)

const invalidCrons = [
  '0 0 30 2 *',
  '* * * * * *',
  '*/0 * * * *',
  '61 * * * *',
  '@hourly',
  '',
  'every minute',
  '* * * *',
  '2027-01-01T00:00:00',
  '\0 * * * *',
  '* '.repeat(500_000),
]
test.each(invalidCrons.map((cron) => [cron.slice(0, 20), cron]))(
  'rejects the cron "%s" within three seconds',
  async (_, cron) => {
    const begun = performance.now()
    for (const [method, url] of [
      ['PUT', `/v1/admin/bots/${scene.botId}`],
      ['POST', '/v1/admin/bots'],
    ] as const) {
      const body = {
        recurringEvents: { good: recurring('* * * * *'), bad: recurring(cron) },
      }
      const answer = await scene.call(method, url, { headers: scene.admin, body })
      expect(answer, `${method} ${url}`).toMatchObject({
        status: 400,
        body: { type: 'InvalidPayload' },
      })
    }
    expect(performance.now() - begun).toBeLessThan(3_000)
    expect(await rows()).toEqual([])
  },
)

test('sets, returns, changes and deletes a definition and its row', async () => {
  const { body } = await update({
    recurringEvents: {
      a: recurring('*/5 * * * *'),
      b: recurring('0 9 * * MON', { type: 'monday', payload: {} }),
    },
  })
  const untried = { failedAttempts: 0, lastFailureReason: null }
  expect(body.bot.recurringEvents).toEqual({
    a: { ...recurring('*/5 * * * *'), ...untried },
    b: { type: 'monday', payload: {}, schedule: { cron: '0 9 * * MON' }, ...untried },
  })
  expect(await shownEvents()).toEqual(body.bot.recurringEvents)
  expect((await rows()).map(({ key, type, cron }) => [key, type, cron])).toEqual([
    ['a', 'tick', '*/5 * * * *'],
    ['b', 'monday', '0 9 * * MON'],
  ])
  expect(await next('b')).toBe(nextTick('0 9 * * MON', new Date())!.toISOString())
  await update({ recurringEvents: { b: null, c: recurring('0 0 1 1 *') } })
  expect((await rows()).map(({ key }) => key)).toEqual(['a', 'c'])
  expect(Object.keys(await shownEvents())).toEqual(['a', 'c'])
})

test('only a changed cron moves the next tick', async () => {
  await update({ recurringEvents: { a: recurring('0 0 1 1 *') } })
  const first = await next('a')
  await sql`update recurring_event set next_at = next_at + interval '1 year' where key = 'a'`.execute(
    scene.app.services.db,
  )
  const moved = await next('a')
  await update({
    recurringEvents: { a: recurring('0 0 1 1 *', { type: 'other', payload: { n: 2 } }) },
  })
  await update({ description: 'as it was', recurringEvents: {} })
  expect(await next('a')).toBe(moved)
  expect((await rows())[0]).toMatchObject({ type: 'other', payload: { n: 2 } })
  await update({ recurringEvents: { a: recurring('0 0 2 1 *') } })
  expect(await next('a')).toBe(nextTick('0 0 2 1 *', new Date())!.toISOString())
  expect(moved! > first!).toBe(true)
})

test('a rejected update changes nothing', async () => {
  await update({ recurringEvents: { a: recurring('0 0 1 1 *') } })
  const before = await rows()
  const many = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`k${i}`, recurring('0 0 1 1 *')]),
    )
  expect(await update({ recurringEvents: { a: null, ...many(51) } })).toMatchObject({
    status: 413,
    body: { type: 'LimitExceeded' },
  })
  expect(await update({ recurringEvents: many(50) })).toMatchObject({
    status: 413,
    body: { type: 'LimitExceeded' },
  })
  const large = recurring('0 0 1 1 *', { payload: { text: 'x'.repeat(128_000) } })
  expect(await update({ recurringEvents: { a: large } })).toMatchObject({
    status: 413,
    body: { type: 'LimitExceeded' },
  })
  expect(
    await update({ recurringEvents: { ['k'.repeat(201)]: recurring('0 0 1 1 *') } }),
  ).toMatchObject({
    status: 400,
    body: { type: 'InvalidPayload' },
  })
  expect(
    await update({
      recurringEvents: { a: null },
      configuration: { data: { x: 'x'.repeat(30_000) } },
    }),
  ).toMatchObject({ status: 413 })
  expect(await rows()).toEqual(before)
  expect((await update({ recurringEvents: { a: null, ...many(50) } })).status).toBe(200)
  expect(await rows()).toHaveLength(50)
})

test('accepts keys that every object inherits', async () => {
  const keys = ['constructor', 'hasOwnProperty', 'toString', 'é', ' ', 'a.b#c']
  const { body } = await update({
    recurringEvents: Object.fromEntries(keys.map((key) => [key, recurring('0 0 1 1 *')])),
  })
  expect(Object.keys(body.bot.recurringEvents).sort()).toEqual(keys.sort())
  expect((await rows()).map(({ key }) => key).sort()).toEqual(keys)
})

test('a tick is an event with the declared type and payload; the next one follows the cron', async () => {
  await update({
    recurringEvents: {
      a: recurring('0 0 1 1 *', { payload: { deep: [{ a: null }], text: 'é' } }),
    },
  })
  await makeDue('a')
  await expect.poll(() => ticks().length, soon).toBe(1)
  const { event } = ticks()[0]!.body
  expect(event).toMatchObject({
    type: 'tick',
    payload: { deep: [{ a: null }], text: 'é' },
    status: 'pending',
  })
  expect(Object.keys(event).sort()).toEqual([
    'createdAt',
    'failureReason',
    'id',
    'payload',
    'status',
    'type',
  ])
  expect(ticks()[0]!.headers['x-bp-type']).toBe('tick')
  expect(await next('a')).toBe(nextTick('0 0 1 1 *', new Date())!.toISOString())
  const listed = await scene.call('GET', '/v1/chat/events?type=tick', {
    headers: scene.asBot,
  })
  expect(listed.body.events.map(({ id }: { id: string }) => id)).toContain(event.id)
})

test('creates one tick for all missed ones', async () => {
  await update({ recurringEvents: { a: recurring('* * * * *', { type: 'missed' }) } })
  await makeDue('a', '3 days')
  await expect.poll(() => ticks('missed').length, soon).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 1_300))
  // A minute may have begun meanwhile.
  expect(ticks('missed').length).toBeLessThanOrEqual(2)
  expect(Date.parse((await next('a'))!) - Date.now()).toBeGreaterThan(-1_000)
})

test('counts consecutive failures until a tick succeeds', async () => {
  await update({
    recurringEvents: {
      a: recurring('0 0 1 1 *'),
      b: recurring('0 0 1 1 *', { type: 'well' }),
    },
  })
  scene.answerWith(({ body }) =>
    body.event.type === 'tick'
      ? {
          status: 400,
          body: { code: 400, type: 'Runtime', id: 'err_1', message: 'not today' },
        }
      : {},
  )
  for (const count of [1, 2]) {
    await makeDue('a')
    await makeDue('b')
    await expect.poll(shownEvents, soon).toMatchObject({
      a: { failedAttempts: count, lastFailureReason: 'not today' },
      b: { failedAttempts: 0, lastFailureReason: null },
    })
  }
  await update({ recurringEvents: { a: recurring('0 1 1 1 *') } })
  expect((await shownEvents()).a).toMatchObject({
    failedAttempts: 2,
    lastFailureReason: 'not today',
  })
  scene.answerWith(() => ({}))
  await makeDue('a')
  await expect
    .poll(shownEvents, soon)
    .toMatchObject({ a: { failedAttempts: 0, lastFailureReason: null } })
})

test('counts a tick that fails all attempts as one failure, with a truncated reason', async () => {
  await update({ recurringEvents: { a: recurring('0 0 1 1 *') } })
  scene.answerWith(() => ({ status: 500, body: { message: 'ü'.repeat(3_000) } }))
  await makeDue('a')
  await expect.poll(async () => (await shownEvents()).a.failedAttempts, soon).toBe(1)
  expect((await shownEvents()).a.lastFailureReason).toBe('ü'.repeat(2_000))
})

test('a tick of an event without a subscription leaves the failure count unchanged', async () => {
  await update({ recurringEvents: { a: recurring('0 0 1 1 *') } })
  scene.answerWith(() => ({ status: 400, body: { message: 'no' } }))
  await makeDue('a')
  await expect.poll(async () => (await shownEvents()).a.failedAttempts, soon).toBe(1)
  await update({ subscriptions: { events: { other: {} } } })
  await makeDue('a')
  const ignored = async () =>
    (
      await scene.call('GET', '/v1/chat/events?type=tick&status=ignored', {
        headers: scene.asBot,
      })
    ).body.events.length
  await expect.poll(ignored, soon).toBe(1)
  expect((await shownEvents()).a).toMatchObject({
    failedAttempts: 1,
    lastFailureReason: 'no',
  })
  await update({ subscriptions: { events: null } })
})

test('a blocked bot does not tick, and follows its cron again when unblocked', async () => {
  await update({ recurringEvents: { a: recurring('0 0 1 1 *', { type: 'blocked' }) } })
  await update({ blocked: true })
  expect((await rows())[0]!.next_at).toBeNull()
  await update({ recurringEvents: { b: recurring('* * * * *', { type: 'blocked' }) } })
  expect((await rows()).map(({ next_at }) => next_at)).toEqual([null, null])
  await update({ blocked: false })
  expect(await next('a')).toBe(nextTick('0 0 1 1 *', new Date())!.toISOString())
  expect(ticks('blocked')).toEqual([])
})

test('deletes recurring events with their bot', async () => {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: { recurringEvents: { a: recurring('0 0 1 1 *') } },
  })
  expect(body.bot.recurringEvents.a).toMatchObject({ failedAttempts: 0 })
  expect(await rows(body.bot.id)).toHaveLength(1)
  await scene.call('DELETE', `/v1/admin/bots/${body.bot.id}`, { headers: scene.admin })
  expect(await rows(body.bot.id)).toEqual([])
})

test('works through the official client', async () => {
  const client = new Client({
    apiUrl: await scene.listen(),
    token: scene.token,
    workspaceId: scene.workspaceId,
  })
  const { bot } = await client.updateBot({
    id: scene.botId,
    recurringEvents: {
      hourly: { type: 'everyHour', payload: {}, schedule: { cron: '0 * * * *' } },
    },
  })
  expect(bot.recurringEvents.hourly).toEqual({
    type: 'everyHour',
    payload: {},
    schedule: { cron: '0 * * * *' },
    failedAttempts: 0,
    lastFailureReason: null,
  })
  await makeDue('hourly')
  await expect.poll(() => ticks('everyHour').length, soon).toBe(1)
  expect(
    (await client.updateBot({ id: scene.botId, recurringEvents: { hourly: null } })).bot
      .recurringEvents,
  ).toEqual({})
})
