// A handler that is killed and run again for the same event does not send its messages twice.
// BOTSTEAD_REPEATS=1000 kills a thousand handlers; SEED=… repeats the moments of the kills.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openChatPeople } from '../../../../test/support/chat-people.ts'
import { runQuery, waitUntilDrained } from '../../../../test/support/delivery-audit.ts'
import { skipUnlessLong } from '../../../../test/support/long-tests.ts'
import { createRandom, seed } from '../../../../test/support/random.ts'
import { runServer } from '../../../../test/support/running-server.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { newId } from '../../lib/ids.ts'

const handlerKills = Number(process.env.BOTSTEAD_REPEATS ?? 100)
const conversations = 40
const kills = Number(process.env.CRASH_KILLS ?? 2)

/**
 * Bot code. A message `<name> <probability | once> <texts…>` makes it send the texts one after the
 * other and exit after each with that probability, or, for `once`, after the first message of the
 * conversation. It does not exit before one handler has succeeded, because the server restarts a
 * process with growing delays until then. The text `random` is replaced by a random number.
 */
const code = `
let state = ${seed}
let hasAnswered = false
const chance = () =>
  (state = (Math.imul(state, 1664525) + 1013904223 + process.pid + Date.now()) >>> 0) / 4294967296
const say = (conversationId, text) => fetch(process.env.BP_API_URL + '/v1/chat/messages', {
  method: 'POST',
  headers: {
    authorization: 'Bearer ' + process.env.BP_TOKEN,
    'x-bot-id': process.env.BP_BOT_ID,
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    conversationId, userId: process.env.BP_BOT_ID, type: 'text', tags: {}, payload: { text },
  }),
}).then(async (reply) => {
  if (!reply.ok) throw new Error(await reply.text())
})
const isFirst = async (conversationId) => {
  const headers = { authorization: 'Bearer ' + process.env.BP_TOKEN, 'x-bot-id': process.env.BP_BOT_ID }
  const url = process.env.BP_API_URL + '/v1/chat/messages?conversationId=' + conversationId
  const { messages } = await (await fetch(url, { headers })).json()
  return messages.filter(({ direction }) => direction === 'outgoing').length === 1
}
exports.handler = async (req) => {
  if (req.headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const { event } = JSON.parse(req.body)
  const [name, exit, ...texts] = event.payload.message.payload.text.split(' ')
  for (const text of texts) {
    const sent = text === 'random' ? String(Math.random()) : name + text
    await say(event.conversationId, sent)
    const mustExit =
      exit === 'once' ? await isFirst(event.conversationId) : hasAnswered && chance() < Number(exit)
    if (mustExit) process.exit(1)
  }
  setTimeout(() => (hasAnswered = true), 20)
  return { status: 200 }
}`

let scene: Scene
let user: { id: string; headers: Record<string, string> }
beforeAll(async () => {
  console.log(`SEED=${seed}`)
  scene = await openScene({
    code,
    config: { retrySeconds: Array(40).fill(0.6), checkAnswers: false },
  })
  user = await scene.chatUser()
}, 60_000)
afterAll(() => scene?.close())

const db = () => scene.app.services.db
const converse = async () =>
  (
    await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
      headers: user.headers,
      body: {},
    })
  ).body.conversation.id as string
const send = (conversationId: string, text: string) =>
  scene.call('POST', `/chat/${scene.webhookId}/messages`, {
    headers: user.headers,
    body: { conversationId, payload: { type: 'text', text } },
  })
const pendingEvents = async () =>
  (await db().selectFrom('event').select('id').where('status', '=', 'pending').execute())
    .length
const answers = async () => {
  const rows = await db()
    .selectFrom('message')
    .select(['conversation_id', 'payload'])
    .where('direction', '=', 'outgoing')
    .orderBy('conversation_id')
    .orderBy('number')
    .execute()
  const texts = new Map<string, string[]>()
  for (const { conversation_id: id, payload } of rows)
    texts.set(id, [...(texts.get(id) ?? []), (payload as { text: string }).text])
  return texts
}

/** Texts that a handler sends; some repeat on purpose. */
const plans = [
  ['a'],
  ['a', 'b'],
  ['a', 'a', 'b', 'a'],
  ['a', 'b', 'c', 'd', 'e'],
  ['x', 'x', 'x'],
]

test(`${handlerKills} handlers are killed after random calls; every message is sent exactly once`, {
  timeout: 600_000,
}, async () => {
  const chance = createRandom()
  const { invoker } = scene.app.services
  const invoke = invoker.invoke.bind(invoker)
  let killed = 0
  vi.spyOn(invoker, 'invoke').mockImplementation((invocation) =>
    invoke(invocation).catch((error) => {
      if (invocation.operation === 'event_received') killed++
      throw error
    }),
  )
  const expected = new Map<string, string[]>()
  const conversationIds = await Promise.all(
    Array.from({ length: conversations }, converse),
  )
  for (let round = 0; killed < handlerKills && round < 200; round++) {
    await Promise.all(
      conversationIds.map(async (conversationId) => {
        const plan = plans[Math.floor(chance.between(0, plans.length))]!
        await send(conversationId, `${round}- 0.01 ${plan.join(' ')}`)
        expected.set(conversationId, [
          ...(expected.get(conversationId) ?? []),
          ...plan.map((text) => `${round}-${text}`),
        ])
      }),
    )
    await vi.waitFor(async () => expect(await pendingEvents()).toBe(0), {
      timeout: 200_000,
      interval: 50,
    })
  }
  vi.restoreAllMocks()
  console.log(
    JSON.stringify({
      killed,
      events: [...expected.values()].length,
      messages: [...expected.values()].flat().length,
    }),
  )
  expect(killed).toBeGreaterThanOrEqual(handlerKills)
  expect(
    await db()
      .selectFrom('event')
      .select(['status', 'failure_reason'])
      .where('status', '!=', 'processed')
      .execute(),
  ).toEqual([])
  expect(await answers()).toEqual(expected)
})

test('a repeated run that sends a different text creates a new message', {
  timeout: 120_000,
}, async () => {
  const conversationId = await converse()
  await send(conversationId, 'r once random random')
  await vi.waitFor(async () => expect(await pendingEvents()).toBe(0), {
    timeout: 100_000,
    interval: 50,
  })
  const sent = (await answers()).get(conversationId)!
  expect(sent.length).toBeGreaterThanOrEqual(3)
  expect(new Set(sent).size).toBe(sent.length)
})

/** Returns a function that sends a message as a run of the event's handler. */
const sayingFor = (cause: string, conversationId: string) => {
  const as = (run?: string) => ({
    ...scene.asBot,
    'x-botstead-cause': run ? `${cause};${run}` : cause,
  })
  return async (run: string | undefined, change: object = {}) => {
    const body = {
      conversationId,
      userId: scene.botId,
      type: 'text',
      tags: {},
      payload: { text: 'hi', list: [1, { a: 'b' }] },
      ...change,
    }
    return (await scene.call('POST', '/v1/chat/messages', { headers: as(run), body }))
      .body.message.id as string
  }
}

test('finds a repeated message to which another transaction adds a row, such as its words', async () => {
  const say = sayingFor(newId('event'), await converse())
  const first = await say(undefined)
  await db()
    .transaction()
    .execute(async (trx) => {
      await sql`select from message where id = ${first} for key share`.execute(trx)
      expect(await say(newId('invocation'))).toBe(first)
    })
})

test('matches repeated messages by all their fields, each as often as sent', async () => {
  const [conversationId, other] = [await converse(), await converse()]
  const say = sayingFor(newId('event'), conversationId)
  const first = [await say(undefined), await say(undefined)]
  const [one, two] = [newId('invocation'), newId('invocation')]
  expect([await say(one), await say(one)]).toEqual(first)
  const third = await say(one)
  expect(first).not.toContain(third)
  // A run that repeats the others gets all three messages, then creates a new one.
  expect(
    (await Promise.all([say(two), say(two), say(two), say(two)])).filter((id) =>
      [...first, third].includes(id),
    ).length,
  ).toBe(3)
  for (const change of [
    { conversationId: other },
    { type: 'image' },
    { payload: { text: 'ho' } },
    { tags: { a: 'b' } },
    { userId: user.id },
    { origin: 'synthetic' },
  ]) {
    const run = newId('invocation')
    expect([...first, third], JSON.stringify(change)).not.toContain(
      await say(run, change),
    )
  }
  expect(await say(undefined)).not.toBe(first[0])
})

test(`the server is killed ${kills} times during delivery; every message is sent exactly once`, {
  timeout: 60_000 + kills * 20_000,
}, async (context) => {
  skipUnlessLong(context, 'kills a server under load')
  const chance = createRandom()
  const server = await runServer({ BOTSTEAD_RETRY_SECONDS: Array(40).fill(0.6).join() })
  const { url, token, workspaceId, botId } = server.credentials
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'content-type': 'application/json',
  }
  expect(
    (
      await fetch(`${url}/v1/admin/bots/${botId}`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ code }),
      })
    ).status,
  ).toBe(200)
  const people = await openChatPeople(() => server.credentials.chatUrl, 20)
  try {
    const stop = new AbortController()
    let count = 0
    const talking = people.people.map(async (person) => {
      while (!stop.signal.aborted)
        await people
          .say(
            person,
            `${person.conversationId}/${count++}- 0 ${plans[count % plans.length]!.join(' ')}`,
          )
          .then(() => pause(30))
    })
    for (let kill = 0; kill < kills; kill++) {
      await pause(chance.between(300, 1_200))
      await server.stop('SIGKILL')
      await server.start()
    }
    await pause(300)
    stop.abort()
    await Promise.all(talking)
    await waitUntilDrained(server.database, 60_000)
    const rows = await runQuery<{ direction: string; text: string; again: boolean }>(
      server.database,
      `select direction, payload ->> 'text' as text, said_again is not null as again
       from message order by conversation_id, number`,
    )
    const received = rows
      .filter(({ direction }) => direction === 'incoming')
      .map(({ text }) => text.split(' '))
    const expected = received.flatMap(([name, , ...texts]) =>
      texts.map((text) => `${name}${text}`),
    )
    const sent = rows.filter(({ direction }) => direction === 'outgoing')
    console.log(
      JSON.stringify({
        events: received.length,
        messages: sent.length,
        again: sent.filter(({ again }) => again).length,
      }),
    )
    expect(sent.map(({ text }) => text).sort()).toEqual(expected.sort())
    expect(sent.some(({ again }) => again)).toBe(true)
  } finally {
    people.close()
    await server.remove()
  }
})
