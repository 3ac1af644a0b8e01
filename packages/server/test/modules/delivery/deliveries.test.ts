// What becomes of a delivery that the bot refuses, fails, or does not answer; and that the next one in the conversation goes on.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { ChatPeople, Person } from '../../support/chat-people.ts'
import { openRecordedScene, type RecordedScene, type RecordingBot } from '../../support/recording-bot.ts'
import type { Scene } from '../../support/scene.ts'

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
  bot.told.length = 0
  bot.behave(() => 200)
})

const db = () => scene.app.services.db
const someone = () => people.people[next++]!
const toldOf = (text: string) => bot.told.filter((told) => told.text === text)

async function eventOf(person: Person, text: string) {
  const { messageId } = person.said.find((one) => one.text === text)!
  return db().selectFrom('event').selectAll().where('message_id', '=', messageId!).executeTakeFirstOrThrow()
}
async function settled(person: Person, text: string) {
  await vi.waitFor(async () => expect((await eventOf(person, text)).status).not.toBe('pending'), 10_000)
  return eventOf(person, text)
}
const deliveryOf = (eventId: string) =>
  db().selectFrom('delivery').selectAll().where('subject_id', '=', eventId).executeTakeFirst()
const attemptsOf = (deliveryId: string) =>
  db()
    .selectFrom('delivery_attempt')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('attempt')
    .execute()

/** Two are said; the first meets its fate, the second must be told after it. */
async function sayTwo(fate: (told: Told) => number | Promise<number>) {
  const person = someone()
  bot.behave((told) => (told.text === 'bad' ? fate(told) : 200))
  await people.say(person, 'bad')
  await people.say(person, 'good')
  const good = await settled(person, 'good')
  expect(good.status).toBe('processed')
  const order = bot.told.map(({ text }) => text)
  expect(order.lastIndexOf('bad')).toBeLessThan(order.indexOf('good'))
  expect(toldOf('good')).toHaveLength(1)
  return eventOf(person, 'bad')
}

test('refused (4xx): told once, failed, with the reason; nothing is left of it', async () => {
  const event = await sayTwo(() => 400)
  expect(event).toMatchObject({ status: 'failed', failure_reason: 'status 400' })
  expect(toldOf('bad')).toHaveLength(1)
  expect(await deliveryOf(event.id)).toBeUndefined()
})

test('failed (5xx): tried again after pauses, always under the same id, then a dead letter with its attempts', async () => {
  const event = await sayTwo(() => 500)
  expect(event).toMatchObject({ status: 'failed', failure_reason: 'status 500' })
  const told = toldOf('bad')
  expect(told.map(({ eventId }) => eventId)).toEqual([event.id, event.id, event.id])
  const pauses = told.slice(1).map(({ at }, i) => at - told[i]!.answeredAt!)
  for (const [i, seconds] of retrySeconds.entries()) {
    expect(pauses[i]).toBeGreaterThan(seconds * 1_000 * 0.75)
    expect(pauses[i]).toBeLessThan(seconds * 1_000 * 1.2 + 1_500)
  }
  const delivery = await deliveryOf(event.id)
  expect(delivery).toMatchObject({ attempts: 3, last_error: 'status 500' })
  expect(delivery?.dead_at).toBeInstanceOf(Date)
  const attempts = await attemptsOf(delivery!.id)
  expect(attempts.map(({ attempt, error }) => [attempt, error])).toEqual([
    [1, 'status 500'],
    [2, 'status 500'],
    [3, 'status 500'],
  ])
  expect(attempts.every(({ ms, started_at }) => ms >= 0 && started_at instanceof Date)).toBe(true)
})

test('failed, then good: processed, and the failure is forgotten', async () => {
  let tries = 0
  const event = await sayTwo(() => (++tries < 2 ? 503 : 200))
  expect(event).toMatchObject({ status: 'processed', failure_reason: null })
  expect(toldOf('bad')).toHaveLength(2)
  expect(await deliveryOf(event.id)).toBeUndefined()
  expect(
    await db().selectFrom('delivery_attempt').selectAll().where('error', '=', 'status 503').execute(),
  ).toEqual([])
})

test('no answer in time: counts as failed', { timeout: 30_000 }, async () => {
  await db().updateTable('bot').set({ max_execution_seconds: 1 }).where('id', '=', scene.botId).execute()
  await scene.app.services.forget({ botId: scene.botId })
  const event = await sayTwo(async () => {
    await pause(1_500)
    return 200
  })
  expect(event).toMatchObject({ status: 'failed', failure_reason: 'No answer within 1000 ms' })
  expect(toldOf('bad')).toHaveLength(3)
})

test('nobody at the address: counts as failed, and what is said once somebody is there goes on', async () => {
  const person = someone()
  const move = (url: string) =>
    scene.call('PUT', `/v1/admin/bots/${scene.botId}`, { headers: scene.admin, body: { url } })
  await move('http://127.0.0.1:9/')
  await people.say(person, 'bad')
  const event = await settled(person, 'bad')
  expect(event.status).toBe('failed')
  expect(event.failure_reason).toMatch(/ECONNREFUSED|refused/)
  await move(bot.url)
  await people.say(person, 'good')
  expect((await settled(person, 'good')).status).toBe('processed')
})

test('a reason that no column takes is kept as well as may be', async () => {
  const person = someone()
  const { invoker } = scene.app.services
  const invoke = vi
    .spyOn(invoker, 'invoke')
    .mockResolvedValue({ status: 500, headers: {}, body: JSON.stringify({ message: `a\0b${'\uD800'}` }) })
  await people.say(person, 'odd')
  const event = await settled(person, 'odd')
  invoke.mockRestore()
  expect(event).toMatchObject({ status: 'failed', failure_reason: 'a\uFFFDb\uFFFD' })
})
