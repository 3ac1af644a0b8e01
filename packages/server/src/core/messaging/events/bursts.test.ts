// Messages that a user writes in a row: the bot receives them together, or its answer begins again.
import { setTimeout as pause } from 'node:timers/promises'
import type { BurstRules } from '@botstead/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type AnsweringScene,
  openAnsweringScene,
  type Talker,
} from '../../../../test/support/answering-bot.ts'
import { openChatPeople } from '../../../../test/support/chat-people.ts'
import { cloneDatabase } from '../../../../test/support/database.ts'
import { openRecordingBot } from '../../../../test/support/recording-bot.ts'
import {
  type RunningServer,
  runServer,
  setBotUrl,
  settingsOfMany,
} from '../../../../test/support/running-server.ts'
import { toOne } from './burst-deliveries.ts'

let scene: AnsweringScene
beforeAll(async () => {
  scene = await openAnsweringScene()
}, 60_000)
afterAll(() => scene?.close(), 60_000)
afterEach(() => setRules({ seconds: 0, mode: 'wait' }))

const until = { timeout: 15_000, interval: 20 }
const path = '/v1/platform/burst-rules'
const setRules = (rules: BurstRules) =>
  scene.call('PUT', path, { headers: scene.asBot, body: rules })
const hears = (talker: Talker, answers: string[]) =>
  vi.waitFor(async () => expect(await talker.answers()).toEqual(answers), until)

async function listEvents({ conversationId }: Talker) {
  const query = `conversationId=${conversationId}&type=message_created`
  const { body } = await scene.call('GET', `/v1/chat/events?${query}`, {
    headers: scene.asBot,
  })
  const events = body.events as { status: string; failureReason: string | null }[]
  return events.map(({ status, failureReason }) => failureReason ?? status).reverse()
}

const joined = 'Joined with the next message'

describe('wait', () => {
  test('brings several messages as one turn, and later ones as another', async () => {
    await setRules({ seconds: 1, mode: 'wait' })
    const talker = await scene.talk()
    for (const text of ['plain I', 'have', 'a question']) await talker.say(text)
    await pause(500)
    expect(await talker.answers()).toEqual([])
    const first = 'plain I\nhave\na question'
    await hears(talker, [first])
    await talker.say('plain and another')
    await hears(talker, [first, 'plain and another'])
    await vi.waitFor(
      async () =>
        expect(await listEvents(talker)).toEqual([
          joined,
          joined,
          'processed',
          'processed',
        ]),
      until,
    )
  })

  test('waits for each message of a burst', async () => {
    await setRules({ seconds: 1, mode: 'wait' })
    const talker = await scene.talk()
    for (const text of ['plain a', 'b', 'c']) {
      await talker.say(text)
      await pause(600)
    }
    await hears(talker, ['plain a\nb\nc'])
  })

  test('ends a burst that becomes too large', async () => {
    await setRules({ seconds: 2, mode: 'wait' })
    const talker = await scene.talk()
    const long = `plain ${'x'.repeat(300_000)}`
    await talker.say(long)
    await talker.say(long)
    await hears(talker, [long, long])
  })
})

describe('restart', () => {
  test('stops the running answer, and answers both messages', async () => {
    await setRules({ seconds: 5, mode: 'restart' })
    const slow = { text: Array.from({ length: 1_000 }, () => 'word '), pieceMs: 10 }
    scene.replies.push(slow, { text: ['Done'] })
    const talker = await scene.talk()
    await talker.say('stream first')
    await vi.waitFor(
      () => expect(talker.signals('message_stream_delta').length).toBeGreaterThan(1),
      until,
    )
    const call = scene.provider.requests.at(-1)!
    await talker.say('and second')
    await hears(talker, ['Done'])
    expect(call.closedAt).not.toBeNull()
    expect(JSON.stringify(scene.provider.requests.at(-1)!.body)).toContain(
      'stream first\\nand second',
    )
    await vi.waitFor(
      async () => expect(await listEvents(talker)).toEqual([joined, 'processed']),
      until,
    )
  })
})

test('brings messages of other types as parts of a bloc', () => {
  const picture = { type: 'image', payload: { imageUrl: 'https://example.org/a.png' } }
  const text = { type: 'text', payload: { text: 'What is this?' } }
  const bloc = { type: 'bloc', payload: { items: [picture] } }
  expect(toOne([bloc, text])).toEqual({
    type: 'bloc',
    payload: { items: [picture, text] },
  })
  expect(toOne([text, text]).payload).toEqual({ text: 'What is this?\nWhat is this?' })
})

test('rejects rules outside of the limits, and returns those that were set', async () => {
  for (const rules of [{ seconds: 11, mode: 'wait' }, { seconds: 1, mode: 'other' }, {}])
    expect((await setRules(rules as BurstRules)).status).toBe(400)
  const rules = { seconds: 2.5, mode: 'restart' as const }
  await setRules(rules)
  expect((await scene.call('GET', path, { headers: scene.asBot })).body).toEqual({
    rules,
  })
})

test('another server continues a burst after a kill', { timeout: 90_000 }, async () => {
  const database = await cloneDatabase()
  const bot = await openRecordingBot()
  const env = settingsOfMany(database)
  const servers: RunningServer[] = []
  try {
    for (let i = 0; i < 2; i++) servers.push(await runServer(env))
    const [one, other] = servers as [RunningServer, RunningServer]
    await setBotUrl(one, bot.url)
    const { botId, token, webhookId, url } = one.credentials
    const response = await fetch(url + path, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token}`,
        'x-bot-id': botId,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ seconds: 4, mode: 'wait' }),
    })
    expect(response.status).toBe(200)
    const entries = [one, other]
    const people = await openChatPeople(
      () => `${entries[0]!.credentials.url}/chat/${webhookId}`,
      5,
    )
    const say = (text: string) =>
      Promise.all(people.people.map((one) => people.say(one, text)))
    await say('one')
    await say('two')
    await one.stop('SIGKILL')
    entries.shift()
    await say('three')
    await vi.waitFor(
      () =>
        expect(bot.received.map(({ text }) => text)).toEqual(
          Array(5).fill('one\ntwo\nthree'),
        ),
      { timeout: 30_000, interval: 100 },
    )
    people.close()
  } finally {
    for (const server of servers) await server.remove()
    await database.drop()
    await bot.close()
  }
})
