// Deliveries that the bot rejects, fails or does not answer in time, and that the next event of the
// conversation is delivered after them.
import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { ChatPeople, Person } from '../../../test/support/chat-people.ts'
import {
  openRecordedScene,
  type ReceivedEvent,
  type RecordedScene,
  type RecordingBot,
} from '../../../test/support/recording-bot.ts'
import type { Scene } from '../../../test/support/scene.ts'
import { removeOldAttempts } from '../queue/outcomes/attempts.ts'

const retrySeconds = [0.2, 0.5]

let opened: RecordedScene
let scene: Scene
let bot: RecordingBot
let people: ChatPeople
let next = 0

beforeAll(async () => {
  opened = await openRecordedScene({ retrySeconds }, 8)
  ;({ scene, bot, people } = opened)
}, 60_000)
afterAll(() => opened?.close())
beforeEach(() => {
  bot.received.length = 0
  bot.behave(() => 200)
})

const db = () => scene.app.services.db
const someone = () => people.people[next++]!
const listReceived = (text: string) =>
  bot.received.filter((received) => received.text === text)

async function findEventRow(person: Person, text: string) {
  const { messageId } = person.said.find((one) => one.text === text)!
  return db()
    .selectFrom('event')
    .selectAll()
    .where('message_id', '=', messageId!)
    .executeTakeFirstOrThrow()
}
async function settled(person: Person, text: string) {
  await vi.waitFor(
    async () => expect((await findEventRow(person, text)).status).not.toBe('pending'),
    10_000,
  )
  return findEventRow(person, text)
}
const findDelivery = (eventId: string) =>
  db()
    .selectFrom('delivery')
    .selectAll()
    .where('subject_id', '=', eventId)
    .executeTakeFirst()
const listAttempts = (deliveryId: string) =>
  db()
    .selectFrom('delivery_attempt')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('attempt')
    .execute()

/**
 * Sends "bad", then "good". The bot handles "bad" with the given function, and "good" must be
 * delivered after it.
 */
async function sendBadThenGood(
  handleBad: (received: ReceivedEvent) => number | Promise<number>,
) {
  const person = someone()
  bot.behave((received) => (received.text === 'bad' ? handleBad(received) : 200))
  await people.say(person, 'bad')
  await people.say(person, 'good')
  const good = await settled(person, 'good')
  expect(good.status).toBe('processed')
  const order = bot.received.map(({ text }) => text)
  expect(order.lastIndexOf('bad')).toBeLessThan(order.indexOf('good'))
  expect(listReceived('good')).toHaveLength(1)
  return findEventRow(person, 'bad')
}

test('rejected (4xx): delivers once, fails the event with the reason, and leaves no delivery', async () => {
  const event = await sendBadThenGood(() => 400)
  expect(event).toMatchObject({ status: 'failed', failure_reason: 'status 400' })
  expect(listReceived('bad')).toHaveLength(1)
  expect(await findDelivery(event.id)).toBeUndefined()
})

test('failed (5xx): retries after pauses under the same id, then keeps a dead letter', async () => {
  const event = await sendBadThenGood(() => 500)
  expect(event).toMatchObject({ status: 'failed', failure_reason: 'status 500' })
  const received = listReceived('bad')
  expect(received.map(({ eventId }) => eventId)).toEqual([event.id, event.id, event.id])
  const pauses = received.slice(1).map(({ at }, i) => at - received[i]!.answeredAt!)
  for (const [i, seconds] of retrySeconds.entries()) {
    expect(pauses[i]).toBeGreaterThan(seconds * 1_000 * 0.75)
    expect(pauses[i]).toBeLessThan(seconds * 1_000 * 1.2 + 1_500)
  }
  const delivery = await findDelivery(event.id)
  expect(delivery).toMatchObject({ attempts: 3, last_error: 'status 500' })
  expect(delivery?.dead_at).toBeInstanceOf(Date)
  const attempts = await listAttempts(delivery!.id)
  expect(attempts.map(({ attempt, error }) => [attempt, error])).toEqual([
    [1, 'status 500'],
    [2, 'status 500'],
    [3, 'status 500'],
  ])
  expect(
    attempts.every(({ ms, started_at }) => ms >= 0 && started_at instanceof Date),
  ).toBe(true)
})

test('failed, then successful: marks the event processed and keeps the failed attempt', async () => {
  let tries = 0
  const event = await sendBadThenGood(() => (++tries < 2 ? 503 : 200))
  expect(event).toMatchObject({ status: 'processed', failure_reason: null })
  expect(listReceived('bad')).toHaveLength(2)
  expect(await findDelivery(event.id)).toBeUndefined()
  const attempts = await db()
    .selectFrom('delivery_attempt')
    .selectAll()
    .where('error', '=', 'status 503')
    .execute()
  expect(attempts).toMatchObject([{ attempt: 1, subject_id: event.id }])
  expect(attempts[0]!.finished_at).toBeInstanceOf(Date)
})

test('removes attempts of ended deliveries that are old or excess, and no others', async () => {
  const insert = (botId: string, id: string, finished: RawBuilder<unknown>) =>
    sql`
    insert into delivery_attempt
      (bot_id, delivery_id, attempt, started_at, ms, error, subject_id, finished_at)
    select ${botId}, ${id}, i, now() - interval '1 year', 1, 'old', ${id}, ${finished}
    from generate_series(1, 10001) i`.execute(db())
  await insert('bot_a', 'dlv_a', sql`now() - i * interval '1 second'`)
  await insert(
    'bot_b',
    'dlv_b',
    sql`case i % 2 when 0 then null else now() - interval '8 days' end`,
  )
  await insert('bot_b', 'dlv_c', sql`case i when 1 then now() - interval '6 days' end`)
  const count = async (id: string) => (await listAttempts(id)).length
  await removeOldAttempts(db(), 7)
  expect([await count('dlv_a'), await count('dlv_b'), await count('dlv_c')]).toEqual([
    10_000, 5_000, 10_001,
  ])
  const [newest] = await listAttempts('dlv_a')
  expect(newest).toMatchObject({ attempt: 1 })
  await sql`delete from delivery_attempt where bot_id in ('bot_a', 'bot_b')`.execute(db())
})

test('no answer in time: counts as a failure', { timeout: 30_000 }, async () => {
  await db()
    .updateTable('bot')
    .set({ max_execution_seconds: 1 })
    .where('id', '=', scene.botId)
    .execute()
  await scene.app.services.invalidate({ botId: scene.botId })
  const event = await sendBadThenGood(async () => {
    await pause(1_500)
    return 200
  })
  expect(event).toMatchObject({
    status: 'failed',
    failure_reason: 'No answer within 1000 ms',
  })
  expect(listReceived('bad')).toHaveLength(3)
})

test('bot unreachable: counts as a failure; once it is reachable, later messages arrive', async () => {
  const person = someone()
  const move = (url: string) =>
    scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers: scene.admin,
      body: { url },
    })
  await move('http://127.0.0.1:9/')
  await people.say(person, 'bad')
  const event = await settled(person, 'bad')
  expect(event.status).toBe('failed')
  expect(event.failure_reason).toMatch(/ECONNREFUSED|refused/)
  await move(bot.url)
  await people.say(person, 'good')
  expect((await settled(person, 'good')).status).toBe('processed')
})

test('replaces characters in a failure reason that the database cannot store', async () => {
  const person = someone()
  const { invoker } = scene.app.services
  const invoke = vi.spyOn(invoker, 'invoke').mockResolvedValue({
    status: 500,
    headers: {},
    body: JSON.stringify({ message: `a\0b${'\uD800'}` }),
  })
  await people.say(person, 'odd')
  const event = await settled(person, 'odd')
  invoke.mockRestore()
  expect(event).toMatchObject({ status: 'failed', failure_reason: 'a\uFFFDb\uFFFD' })
})
