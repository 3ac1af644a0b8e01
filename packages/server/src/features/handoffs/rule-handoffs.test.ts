// Rules of a bot that hand conversations over, and response times of handoffs.
import type { HandoffRules } from '@botstead/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Person } from '../../../test/support/chat-people.ts'
import {
  openRecordedScene,
  type RecordedScene,
} from '../../../test/support/recording-bot.ts'

let recorded: RecordedScene
beforeAll(async () => {
  recorded = await openRecordedScene({ retrySeconds: [0.01] }, 24)
}, 60_000)
afterAll(() => recorded?.close())

let person: Person
let next = 0
const anotherPerson = () => {
  person = recorded.people.people[next++]!
}
beforeEach(() => {
  recorded.bot.received.length = 0
  recorded.bot.behave(() => 200)
  anotherPerson()
})

const call = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
  recorded.scene.call(method, `/v1/platform/${path}`, {
    headers: recorded.scene.asBot,
    ...(body && { body }),
  })
async function setRules(rules: HandoffRules) {
  expect((await call('PUT', 'handoff-rules', rules)).body).toEqual({ rules })
}
const say = (text: string) => recorded.people.say(person, text)
const heard = () => recorded.bot.received.map(({ text, event }) => text || event.type)
const handoffs = async () =>
  (await call('GET', `handoffs?conversationId=${person.conversationId}`)).body.handoffs
const soon = { timeout: 10_000, interval: 20 }
/** All messages of the conversation, oldest first. */
async function transcript(): Promise<string[]> {
  const path = `/conversations/${person.conversationId}/messages`
  const { body } = await recorded.people.call('GET', path, person.key)
  return body.messages
    .map(({ payload }: { payload: { text: string } }) => payload.text)
    .reverse()
}
const allWeek = {
  days: [
    'monday',
    'tuesday',
    'wednesday',
    'thursday',
    'friday',
    'saturday',
    'sunday',
  ] as const,
  from: '00:00',
  to: '24:00',
}
const hours = { timezone: 'UTC', open: [], message: 'We are closed', handsOver: false }

test('a keyword hands over with its message, which the bot does not receive', async () => {
  await setRules({
    keywords: ['human', 'real person'],
    message: 'A colleague will write',
  })
  await say('hello')
  await vi.waitFor(() => expect(heard()).toEqual(['hello']), soon)
  await say('Ein HÚMAN bitte')
  expect(await handoffs()).toMatchObject([
    { state: 'waiting', source: 'rule', reason: 'The message contains "human"' },
  ])
  await say('a human, please')
  expect(await transcript()).toEqual([
    'hello',
    'Ein HÚMAN bitte',
    'A colleague will write',
    'a human, please',
  ])
  const [{ id }] = await handoffs()
  await call('POST', `handoffs/${id}/close`, { outcome: 'returned' })
  await say('thanks')
  await vi.waitFor(
    () => expect(heard()).toEqual(['hello', 'handoff_closed', 'thanks']),
    soon,
  )
})

test('a keyword hands over with an Idempotency-Key once', async () => {
  await setRules({ keywords: ['human'], message: 'A colleague will write' })
  const { conversationId } = person
  const body = { conversationId, payload: { type: 'text', text: 'human' } }
  const headers = { 'x-user-key': person.key, 'idempotency-key': 'once' }
  const path = `/chat/${recorded.scene.webhookId}/messages`
  const all = await Promise.all(
    [1, 2, 3].map(() => recorded.scene.call('POST', path, { headers, body })),
  )
  expect(new Set(all.map((reply) => reply.body.message?.id)).size).toBe(1)
  expect(await transcript()).toEqual(['human', 'A colleague will write'])
  expect(await handoffs()).toHaveLength(1)
})

test('a stranger cannot hand over a conversation', async () => {
  await setRules({ keywords: ['human'] })
  const { key } = recorded.people.people[next++]!
  const { conversationId } = person
  const body = { conversationId, payload: { type: 'text', text: 'human' } }
  const reply = await recorded.people.call('POST', '/messages', key, body)
  expect(reply.status).toBe(403)
  expect(await handoffs()).toEqual([])
})

test('failed answers in a row hand over', async () => {
  await setRules({ afterFailures: 2, message: 'A colleague will write' })
  const statuses = [400, 200, 500, 500, 400]
  recorded.bot.behave(() => statuses.shift() ?? 200)
  for (const text of ['one', 'two', 'three']) {
    await say(text)
    const ended = async () =>
      (
        await recorded.scene.app.services.db
          .selectFrom('event')
          .select('status')
          .where('conversation_id', '=', person.conversationId)
          .where('status', '=', 'pending')
          .execute()
      ).length
    await expect.poll(ended, soon).toBe(0)
  }
  expect(await handoffs()).toEqual([])
  await say('four')
  await expect
    .poll(handoffs, soon)
    .toMatchObject([{ source: 'rule', reason: 'The bot failed to answer 2 messages' }])
  await expect
    .poll(transcript, soon)
    .toEqual(['one', 'two', 'three', 'four', 'A colleague will write'])
  expect(heard()).toEqual(['one', 'two', 'three', 'three', 'four'])
})

/** Returns a function that ends the failure. */
async function failHandoffs() {
  const { db } = recorded.scene.app.services
  await sql`create function fail_handoff() returns trigger language plpgsql as
    'begin raise exception ''broken''; end'`.execute(db)
  await sql`create trigger fail_handoff before insert on handoff for each row
    execute function fail_handoff()`.execute(db)
  return () => sql`drop function fail_handoff cascade`.execute(db)
}

test('answers that say so, and bad ratings, count as failed', async () => {
  await setRules({ afterFailures: 2 })
  const { scene } = recorded
  const unanswered = { text: 'I do not know', metadata: { unanswered: true } }
  recorded.bot.behave(async ({ eventId, conversationId, text }) => {
    const payload = text === 'easy' ? { text: 'I know' } : unanswered
    await scene.call('POST', '/v1/chat/messages', {
      headers: { ...scene.asBot, 'x-botstead-cause': eventId },
      body: { conversationId, userId: scene.botId, type: 'text', payload, tags: {} },
    })
    return 200
  })
  const ask = async (text: string, answers: number) => {
    await say(text)
    const all = async () =>
      (await transcript()).filter((one) => one.startsWith('I ')).length
    await expect.poll(all, soon).toBe(answers)
  }
  await ask('hard', 1)
  await ask('easy', 2)
  await ask('hard', 3)
  expect(await handoffs()).toEqual([])
  await ask('hard', 4)
  const reason = 'The bot failed to answer 2 messages'
  await expect.poll(handoffs, soon).toMatchObject([{ source: 'rule', reason }])

  anotherPerson()
  await ask('hard', 1)
  await ask('easy', 2)
  const { conversationId, key } = person
  const path = `/conversations/${conversationId}/messages`
  const { messages } = (await recorded.people.call('GET', path, key)).body
  const rate = (rating: string | number) =>
    recorded.people.call('PUT', `/messages/${messages[0].id}/feedback`, key, { rating })
  await rate('positive')
  expect(await handoffs()).toEqual([])
  const restore = await failHandoffs()
  expect(await rate(1)).toMatchObject({ status: 500 })
  await restore()
  expect(
    (await call('GET', `feedback?conversationId=${conversationId}`)).body.feedback,
  ).toMatchObject([{ rating: 'positive' }])
  expect(await rate(1)).toMatchObject({ status: 200 })
  const [handoff] = await handoffs()
  expect(handoff).toMatchObject({ source: 'rule', reason })
  await call('POST', `handoffs/${handoff.id}/close`, { outcome: 'returned' })
  expect(await rate(1)).toMatchObject({ status: 200 })
  expect(await handoffs()).toHaveLength(1)
})

test('outside the opening hours, sends a message instead of the handoff or beside it', async () => {
  const rules = { keywords: ['human'], message: 'A colleague will write' }
  await setRules({ ...rules, hours })
  await say('human')
  expect(await transcript()).toEqual(['human', 'We are closed'])
  expect(await handoffs()).toEqual([])
  await vi.waitFor(() => expect(heard()).toEqual(['human']), soon)

  await setRules({ ...rules, hours: { ...hours, handsOver: true } })
  await say('human')
  expect((await transcript()).slice(2)).toEqual(['human', 'We are closed'])
  expect(await handoffs()).toMatchObject([{ state: 'waiting' }])

  anotherPerson()
  await setRules({
    ...rules,
    hours: { ...hours, open: [{ ...allWeek, days: [...allWeek.days] }] },
  })
  await say('human')
  expect(await transcript()).toEqual(['human', 'A colleague will write'])
})

test('opening hours alone hand over each message at other times, and say so once', async () => {
  const closed = { ...hours, handsOver: true }
  await setRules({
    hours: { ...closed, open: [{ ...allWeek, days: [...allWeek.days] }] },
  })
  await say('by day')
  await vi.waitFor(() => expect(heard()).toEqual(['by day']), soon)
  await setRules({ hours: closed })
  await say('hello?')
  await say('anybody?')
  expect(await transcript()).toEqual(['by day', 'hello?', 'We are closed', 'anybody?'])
  expect(await handoffs()).toMatchObject([
    { state: 'waiting', reason: 'The message came outside the opening hours' },
  ])
  anotherPerson()
  await setRules({ afterFailures: 2, hours: closed })
  await say('bot?')
  await vi.waitFor(() => expect(heard()).toEqual(['by day', 'bot?']), soon)
  expect(await handoffs()).toEqual([])
})

test('without rules, nothing is handed over; messages of bots and synthetic ones fire no rule', async () => {
  await setRules({ keywords: ['human'] })
  const { asBot, botId } = recorded.scene
  const { conversationId } = person
  const text = { conversationId, type: 'text', payload: { text: 'human' }, tags: {} }
  const path = `/v1/chat/conversations/${conversationId}/participants`
  const { body: listed } = await recorded.scene.call('GET', path, { headers: asBot })
  const [{ id: userId }] = listed.participants
  for (const author of [{ userId: botId }, { userId, origin: 'synthetic' }]) {
    const body = { ...text, ...author }
    const { status } = await recorded.scene.call('POST', '/v1/chat/messages', {
      headers: asBot,
      body,
    })
    expect(status).toBe(201)
  }
  expect(await handoffs()).toEqual([])
  await setRules({})
  expect((await call('GET', 'handoff-rules')).body).toEqual({ rules: {} })
  await say('human')
  expect(await handoffs()).toEqual([])
})

test.each([
  [{ keywords: ['...'] }, '`keywords[0]` "..." has no letter or digit'],
  [
    { hours: { ...hours, handsOver: true, timezone: 'Mars' } },
    '`hours.timezone` "Mars" is not an IANA time zone',
  ],
  [
    {
      afterFailures: 1,
      hours: { ...hours, open: [{ days: ['monday'], from: '10:00', to: '09:00' }] },
    },
    '`hours.open[0].to` "09:00" must be after `from` "10:00"',
  ],
  [{ hours: { ...hours, open: [{ days: ['someday'], from: '9', to: '10' }] } }, 'hours'],
  [{ hours }, '`hours` need `keywords` or `afterFailures`, or `hours.handsOver: true`'],
  [{ afterFailures: 0 }, 'afterFailures'],
  [{ keywords: Array(101).fill('x') }, 'keywords'],
  [{ pattern: '(a+)+$' }, 'pattern'],
])('rejects the rules %j', async (rules, message) => {
  const { status, body } = await call('PUT', 'handoff-rules', rules)
  expect([status, body.type]).toEqual([400, 'InvalidPayload'])
  expect(body.message).toContain(message)
})

test('shows how long handoffs take', async () => {
  const { scene } = recorded
  const { db } = scene.app.services
  await db.deleteFrom('handoff').execute()
  const at = (seconds: number) =>
    new Date(Date.parse('2026-01-10T12:00:00Z') + seconds * 1000)
  const row = (id: number, more: object) => ({
    bot_id: scene.botId,
    id: `handoff_${id}`,
    conversation_id: person.conversationId,
    bot_receives: 'nothing' as const,
    requested_at: at(0),
    closed_at: at(100),
    outcome: 'solved' as const,
    ...more,
  })
  await db
    .insertInto('handoff')
    .values([
      ...[10, 20, 30].map((s, id) =>
        row(id, { answered_at: at(s), closed_at: at(s * 10) }),
      ),
      row(3, { outcome: 'returned' }),
      row(4, { requested_at: at(-86_400) }),
    ])
    .execute()
  const times = async (query: string) =>
    (await call('GET', `handoff-times?${query}`)).body
  expect(await times('from=2026-01-10T12:00:00Z&to=2026-01-10T12:00:01Z')).toEqual({
    requested: 4,
    firstAnswer: { count: 3, medianSeconds: 20, p95Seconds: 29 },
    solution: { count: 3, medianSeconds: 200, p95Seconds: 290 },
    return: { count: 1, medianSeconds: 100, p95Seconds: 100 },
  })
  expect(await times('to=2020-01-01T00:00:00Z')).toEqual({
    requested: 0,
    firstAnswer: { count: 0 },
    solution: { count: 0 },
    return: { count: 0 },
  })
  expect((await times('from=2020-01-01T00:00:00Z')).type).toBe('InvalidQuery')
})
