// Handoffs while servers are killed: messages in a held conversation are stored and never reach the
// bot, and all others reach it, in order. CRASH_KILLS=100 runs for a night; SEED=…
// repeats a run.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ChatPeople,
  openChatPeople,
  type Person,
  type SentText,
} from '../../support/chat-people.ts'
import { cloneDatabase, type TestDatabase } from '../../support/database.ts'
import {
  auditDeliveries,
  expectNothingLost,
  runQuery,
  waitUntilDrained,
} from '../../support/delivery-audit.ts'
import { createRandom, seed } from '../../support/random.ts'
import { openRecordingBot, type RecordingBot } from '../../support/recording-bot.ts'
import {
  type RunningServer,
  runServer,
  setBotUrl,
  settingsOfMany,
} from '../../support/running-server.ts'

const kills = Number(process.env.CRASH_KILLS ?? 2)
const chance = createRandom()

let database: TestDatabase
let one: RunningServer
let other: RunningServer
let bot: RecordingBot
let people: ChatPeople
/** The server that people use. */
let entry: RunningServer

beforeAll(async () => {
  database = await cloneDatabase()
  bot = await openRecordingBot()
  const env = settingsOfMany(database)
  one = await runServer(env)
  entry = one
  await setBotUrl(one, bot.url)
  other = await runServer(env)
  people = await openChatPeople(
    () => `${entry.credentials.url}/chat/${one.credentials.webhookId}`,
    6,
  )
}, 90_000)
afterAll(async () => {
  people?.close()
  await Promise.all([one?.remove(), other?.remove()])
  await database?.drop()
  await bot?.close()
}, 60_000)

/** Times of the first request and the response, in milliseconds of the monotonic clock. */
interface Done {
  sent: number
  answered: number
  id: string
}

/** Repeats the request until a server has answered. A closed handoff stays closed. */
async function insist(path: string, body: object): Promise<Done> {
  const sent = performance.now()
  for (;;) {
    const { url, token, botId } = entry.credentials
    const reply = await fetch(`${url}/v1/platform/handoffs${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'x-bot-id': botId,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => null)
    const { handoff, type } = reply ? await reply.json().catch(() => ({})) : {}
    if (handoff || type === 'RelationConflict')
      return { sent, answered: performance.now(), id: handoff?.id ?? '' }
    await pause(50)
  }
}

interface Held {
  person: Person
  requested: Done
  closed: Done
}

/** Takes and returns the conversation of one person again and again. */
async function takeTurns(person: Person, stop: AbortSignal): Promise<Held[]> {
  const held: Held[] = []
  while (!stop.aborted) {
    await pause(chance.between(50, 300))
    const requested = await insist('', { conversationId: person.conversationId, assign: true })
    await pause(chance.between(100, 600))
    const closed = await insist(`/${requested.id}/close`, { outcome: 'returned' })
    held.push({ person, requested, closed })
  }
  return held
}

const isDuring = (said: SentText, { requested, closed }: Held) =>
  said.at > requested.answered && said.answeredAt < closed.sent

test(`the bot receives all messages except those of held conversations, with ${kills} kills`, {
  timeout: 120_000 + kills * 40_000,
}, async () => {
  console.log(`SEED=${seed}`)
  bot.behave(async () => {
    await pause(5)
    return 200
  })
  const stop = new AbortController()
  const talking = people.talk(15, stop.signal)
  const taking = people.people.slice(1).map((person) => takeTurns(person, stop.signal))
  for (let kill = 0; kill < kills; kill++) {
    await pause(chance.between(300, 1_200))
    const victim = entry
    await victim.stop('SIGKILL')
    entry = victim === one ? other : one
    await pause(chance.between(0, 500))
    await victim.start()
  }
  await pause(1_000)
  stop.abort()
  const held = (await Promise.all(taking)).flat()
  await talking
  await waitUntilDrained(database.settings, 30_000)

  const events = bot.received.filter(({ text }) => text !== '')
  const received = new Set(events.map(({ messageId }) => messageId))
  const during = held.flatMap((each) =>
    each.person.said.filter((said) => said.messageId && isDuring(said, each)),
  )
  const tally = await auditDeliveries(database.settings, people.people, events)
  const withheld = tally.undelivered.filter((text) => text.endsWith(' ignored'))
  console.log(
    JSON.stringify({
      ...{ stored: tally.stored, unanswered: tally.unanswered, handoffs: held.length },
      ...{ during: during.length, withheld: withheld.length, redelivered: tally.redelivered },
    }),
  )
  expect(during.length).toBeGreaterThan(5)
  expect(during.filter(({ messageId }) => received.has(messageId!))).toEqual([])
  const undelivered = tally.undelivered.filter((text) => !text.endsWith(' ignored'))
  expectNothingLost({ ...tally, undelivered })
  // The first person is never held.
  expect(withheld.filter((text) => text.startsWith('0-'))).toEqual([])

  const returned = bot.received.filter(({ event }) => event.type === 'handoff_closed')
  const announced = new Set(returned.map(({ event }) => event.payload.handoffId))
  const rows = await runQuery<{ id: string }>(database.settings, 'select id from handoff')
  expect(rows.filter(({ id }) => !announced.has(id))).toEqual([])
  const paused = await runQuery(database.settings, 'select id from conversation where bot_paused')
  expect(paused).toEqual([])
})
