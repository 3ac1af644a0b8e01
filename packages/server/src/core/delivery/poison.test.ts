// One event that always fails among others, in real time and with the default retry pauses:
// attempts at 0, 1 and 5 seconds, then the next event.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ChatPeople, openChatPeople } from '../../../test/support/chat-people.ts'
import {
  openRecordedScene,
  type RecordedScene,
  type RecordingBot,
} from '../../../test/support/recording-bot.ts'
import type { Scene } from '../../../test/support/scene.ts'
import { findInstallation } from '../catalog/installations/installations.ts'
import { readConfig } from '../config/config.ts'

/** How much a busy machine may add to each pause. The test prints the measured times. */
const slackMs = 2_000

let opened: RecordedScene
let scene: Scene
let bot: RecordingBot
let people: ChatPeople

beforeAll(async () => {
  opened = await openRecordedScene({ retrySeconds: readConfig({}).retrySeconds }, 2)
  ;({ scene, bot, people } = opened)
}, 60_000)
afterAll(() => opened?.close())

test('tries three times, keeps a dead letter, and delivers the next event within eight seconds', {
  timeout: 60_000,
  retry: 2,
}, async () => {
  bot.received.length = 0
  bot.behave(({ text }) => (text === 'bad' ? 500 : 200))
  const [person] = people.people
  await people.say(person!, 'bad')
  await people.say(person!, 'good')
  await vi.waitFor(
    () =>
      expect(bot.received.map(({ text }) => text)).toEqual(['bad', 'bad', 'bad', 'good']),
    20_000,
  )
  const [first, second, third, good] = bot.received.map(({ at }) => at) as [
    number,
    number,
    number,
    number,
  ]
  console.log(
    JSON.stringify([first, second, third, good].map((at) => Math.round(at - first))),
  )
  for (const [name, ms, seconds] of [
    ['first retry', second - first, 1],
    ['second retry', third - second, 5],
  ] as const) {
    expect(ms, name).toBeGreaterThan(seconds * 790)
    expect(ms, name).toBeLessThan(seconds * 1_200 + slackMs)
  }
  expect(good - first).toBeLessThan(8_000 + slackMs)
  const { deadLetters } = (
    await scene.call('GET', '/v1/platform/dead-letters', { headers: scene.asBot })
  ).body
  const { attempts } = (
    await scene.call('GET', `/v1/platform/dead-letters/${deadLetters[0].id}`, {
      headers: scene.asBot,
    })
  ).body
  expect(attempts).toMatchObject(
    [1, 2, 3].map((number) => ({
      number,
      error: 'status 500',
      ms: expect.any(Number),
      startedAt: expect.any(String),
    })),
  )
  expect(deadLetters[0].eventId).toBe(bot.received[0]!.eventId)
})

/** Ends its own process at the text "bad" and answers other texts. */
const fragile = `exports.handler = async (request) => {
  if (request.headers['x-bp-operation'] !== 'event_received') return
  const { event } = JSON.parse(request.body)
  if (event.payload.message.payload.text === 'bad') process.exit(1)
  const headers = {
    authorization: 'Bearer ' + process.env.BP_TOKEN,
    'x-bot-id': process.env.BP_BOT_ID,
    'content-type': 'application/json',
  }
  const { conversationId } = event
  const answer = { type: 'text', tags: {}, payload: { text: 'fine' } }
  const body = JSON.stringify({ conversationId, userId: process.env.BP_BOT_ID, ...answer })
  await fetch(process.env.BP_API_URL + '/v1/chat/messages', { method: 'POST', headers, body })
}`

test('code that ends its own process at each attempt delays the next event no longer', {
  timeout: 60_000,
  retry: 2,
}, async () => {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: { name: 'fragile', code: fragile },
  })
  const headers = { ...scene.asBot, 'x-bot-id': body.bot.id }
  const { webhook_id: webhookId } = (await findInstallation(
    scene.app.services.db,
    body.bot.id,
    'chat',
  ))!
  const origin = await scene.listen()
  const talking = await openChatPeople(() => `${origin}/chat/${webhookId}`, 1)
  for (const text of ['bad', 'good']) await talking.say(talking.people[0]!, text)
  const answered = await vi.waitFor(async () => {
    const { messages } = (await scene.call('GET', '/v1/chat/messages', { headers })).body
    return Date.parse(
      messages.find(
        ({ payload }: { payload: { text: string } }) => payload.text === 'fine',
      ).createdAt,
    )
  }, 30_000)
  const { deadLetters } = (
    await scene.call('GET', '/v1/platform/dead-letters', { headers })
  ).body
  const { attempts } = (
    await scene.call('GET', `/v1/platform/dead-letters/${deadLetters[0].id}`, { headers })
  ).body
  expect(attempts).toHaveLength(3)
  const begun = attempts.map(
    ({ startedAt }: { startedAt: string }) =>
      Date.parse(startedAt) - Date.parse(attempts[0].startedAt),
  )
  const wholeTime = answered - Date.parse(attempts[0].startedAt)
  console.log(JSON.stringify([...begun, wholeTime]))
  // The next event begins at most a second after the last attempt, which may come after 1.2 + 6 s,
  // and needs a new process.
  expect(wholeTime - begun[2]).toBeLessThan(2_500 + slackMs)
  expect(wholeTime).toBeLessThan(9_000 + 2 * slackMs)
  talking.close()
})

test.each(['Runtime', 'InvalidPayload'])(
  'does not retry errors that the SDK marks as final (%s), and keeps no dead letter',
  async (type) => {
    const { invoker } = scene.app.services
    const invoke = vi.spyOn(invoker, 'invoke').mockResolvedValue({
      status: 400,
      headers: {},
      body: JSON.stringify({ code: 400, type, message: 'No, thank you', id: 'x' }),
    })
    const before = (
      await scene.call('GET', '/v1/platform/dead-letters', { headers: scene.asBot })
    ).body.deadLetters.length
    const { messageId } = await people.say(people.people[1]!, type)
    const event = () =>
      scene.app.services.db
        .selectFrom('event')
        .selectAll()
        .where('message_id', '=', messageId!)
        .executeTakeFirstOrThrow()
    await vi.waitFor(
      async () =>
        expect(await event()).toMatchObject({
          status: 'failed',
          failure_reason: 'No, thank you',
        }),
      5_000,
    )
    expect(invoke.mock.calls.length).toBe(1)
    invoke.mockRestore()
    expect(
      (await scene.call('GET', '/v1/platform/dead-letters', { headers: scene.asBot }))
        .body.deadLetters,
    ).toHaveLength(before)
  },
)
