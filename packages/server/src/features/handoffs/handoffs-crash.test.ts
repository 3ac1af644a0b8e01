// Handoffs of members and of rules while servers are killed: messages in a held conversation are
// stored and never reach the bot, and all others reach it, in order. Answers of members, repeated with
// their key, are stored once. CRASH_KILLS=100 runs for a night; SEED=…
// repeats a run.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ChatPeople,
  openChatPeople,
  type Person,
  type SentText,
} from '../../../test/support/chat-people.ts'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import {
  auditDeliveries,
  expectNothingLost,
  runQuery,
  waitUntilDrained,
} from '../../../test/support/delivery-audit.ts'
import { createRandom, seed } from '../../../test/support/random.ts'
import {
  openRecordingBot,
  type RecordingBot,
} from '../../../test/support/recording-bot.ts'
import {
  type RunningServer,
  runServer,
  setBotUrl,
  settingsOfMany,
} from '../../../test/support/running-server.ts'

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
  const env = { ...settingsOfMany(database), BOTSTEAD_RETRY_SECONDS: '0.05' }
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

/** Returns an empty object if no server answers. */
async function request(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
  key?: string,
) {
  const { url, token, botId } = entry.credentials
  const reply = await fetch(`${url}/v1/platform/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-bot-id': botId,
      'content-type': 'application/json',
      ...(key && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => null)
  return reply ? reply.json().catch(() => ({})) : {}
}

/** Repeats the request until a server has answered. A closed handoff stays closed. */
async function insist(path: string, body: object): Promise<Done> {
  const sent = performance.now()
  for (;;) {
    const { handoff, type } = await request('POST', `handoffs${path}`, body)
    if (handoff || type === 'RelationConflict')
      return { sent, answered: performance.now(), id: handoff?.id ?? '' }
    await pause(50)
  }
}

interface Answer {
  text: string
  /** The id in the response. */
  id: string
}

/** Sends one answer after another in person, each with a key until a server has answered. */
async function answer(handoffId: string, until: number): Promise<Answer[]> {
  const answers: Answer[] = []
  while (performance.now() < until) {
    const text = `answer-${crypto.randomUUID()}`
    answers.push({ text, id: await answerOnce(handoffId, text) })
    await pause(50)
  }
  return answers
}

async function answerOnce(handoffId: string, text: string): Promise<string> {
  const body = { type: 'text', payload: { text } }
  for (;;) {
    const { message } = await request(
      'POST',
      `handoffs/${handoffId}/messages`,
      body,
      text,
    )
    // The message of an error is a text.
    if (message?.id) return message.id
    await pause(50)
  }
}

interface Held {
  answers: Answer[]
  person: Person
  requested: Done
  closed: Done
}

/** Takes and returns the conversation of one person again and again. */
async function takeTurns(person: Person, stop: AbortSignal): Promise<Held[]> {
  const held: Held[] = []
  while (!stop.aborted) {
    await pause(chance.between(50, 300))
    const requested = await insist('', {
      conversationId: person.conversationId,
      assign: true,
    })
    const until = performance.now() + chance.between(100, 600)
    const answers = await answer(requested.id, until)
    const closed = await insist(`/${requested.id}/close`, { outcome: 'returned' })
    held.push({ person, answers, requested, closed })
  }
  return held
}

/** Kills each server in turn while the other serves people. */
async function killServers() {
  for (let kill = 0; kill < kills; kill++) {
    await pause(chance.between(300, 1_200))
    const victim = entry
    await victim.stop('SIGKILL')
    entry = victim === one ? other : one
    await pause(chance.between(0, 500))
    await victim.start()
  }
  await pause(1_000)
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
  await killServers()
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
      stored: tally.stored,
      unanswered: tally.unanswered,
      handoffs: held.length,
      answers: held.flatMap(({ answers }) => answers).length,
      during: during.length,
      withheld: withheld.length,
      redelivered: tally.redelivered,
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
  const answers = held.flatMap((each) => each.answers)
  const stored = await runQuery<Answer>(
    database.settings,
    `select id, payload ->> 'text' as text from message where payload ->> 'text' like 'answer-%'`,
  )
  const sorted = (all: Answer[]) => all.map(({ id, text }) => `${text} ${id}`).sort()
  expect(sorted(stored)).toEqual(sorted(answers))
  expect(answers.length).toBeGreaterThan(5)
  const paused = await runQuery(
    database.settings,
    'select id from conversation where bot_paused',
  )
  expect(paused).toEqual([])
})

/** Returns the open handoff of the person's conversation, when a server shows one. */
async function findOpen(
  { conversationId }: Person,
  stop: AbortSignal,
): Promise<Done | null> {
  while (!stop.aborted) {
    const query = `conversationId=${conversationId}&state=open`
    const { handoffs = [] } = await request('GET', `handoffs?${query}`)
    const now = performance.now()
    if (handoffs[0]) return { sent: now, answered: now, id: handoffs[0].id }
    await pause(50)
  }
  return null
}

/** Says messages that make a rule hand over, and closes the handoff, again and again. */
async function provoke(
  talking: ChatPeople,
  person: Person,
  word: string,
  stop: AbortSignal,
) {
  const held: Held[] = []
  let count = 0
  const say = () => talking.say(person, `${word} ${count++}`)
  while (!stop.aborted) {
    // Two failed answers, or two keywords.
    for (let i = 0; i < 2; i++) await say()
    const requested = await findOpen(person, stop)
    if (!requested) break
    for (let i = 0; i < 3; i++) await say()
    const closed = await insist(`/${requested.id}/close`, { outcome: 'returned' })
    held.push({ person, answers: [], requested, closed })
  }
  return held
}

test(`rules hand over once, and lose nothing, with ${kills} kills`, {
  timeout: 120_000 + kills * 40_000,
}, async () => {
  const notice = 'A colleague will write'
  await request('PUT', 'handoff-rules', {
    keywords: ['human'],
    afterFailures: 2,
    message: notice,
  })
  bot.received.length = 0
  bot.behave(({ text }) => (text.startsWith('fail') ? 500 : 200))
  const url = () => `${entry.credentials.url}/chat/${one.credentials.webhookId}`
  const talking = await openChatPeople(url, 6)
  const stop = new AbortController()
  const provoking = talking.people.map((person, at) =>
    provoke(talking, person, at % 2 ? 'fail' : 'human', stop.signal),
  )
  await killServers()
  stop.abort()
  const held = (await Promise.all(provoking)).flat()
  await waitUntilDrained(database.settings, 30_000)

  const received = new Set(bot.received.map(({ messageId }) => messageId))
  const during = held.flatMap((each) =>
    each.person.said.filter((said) => isDuring(said, each)),
  )
  console.log(JSON.stringify({ handoffs: held.length, during: during.length }))
  expect(during.length).toBeGreaterThan(5)
  expect(during.filter(({ messageId }) => messageId && received.has(messageId))).toEqual(
    [],
  )
  expect(bot.received.filter(({ text }) => text.startsWith('human'))).toEqual([])

  // Each answered message is stored once, with one event; each handoff has one notice.
  const people = talking.people.map(({ conversationId }) => conversationId)
  const stored = await runQuery<{ id: string; text: string; events: number }>(
    database.settings,
    `select m.id, m.conversation_id || m.payload::text as text, (select count(*)::int from event e
       where e.bot_id = m.bot_id and e.message_id = m.id) as events
     from message m where m.direction = 'incoming' and m.conversation_id = any($1)`,
    [people],
  )
  const ids = new Set(stored.map(({ id }) => id))
  const said = talking.people.flatMap((person) => person.said)
  expect(said.filter(({ messageId }) => messageId && !ids.has(messageId))).toEqual([])
  expect(new Set(stored.map(({ text }) => text)).size).toBe(stored.length)
  expect(stored.filter(({ events }) => events !== 1)).toEqual([])
  const counts = await runQuery<{ handoffs: number; notices: number }>(
    database.settings,
    `select (select count(*)::int from handoff h where h.conversation_id = c.id
         and h.source = 'rule') as handoffs,
       (select count(*)::int from message m where m.conversation_id = c.id
         and m.direction = 'outgoing' and m.payload ->> 'text' = $2) as notices
     from conversation c where c.id = any($1)`,
    [people, notice],
  )
  expect(counts.filter(({ handoffs, notices }) => handoffs !== notices)).toEqual([])
  expect(counts.some(({ handoffs }) => handoffs > 0)).toBe(true)
  talking.close()
})
