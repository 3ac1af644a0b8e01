// The trace of an answer: how the bot handled an event, and the effects.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { hostedBotKey } from '../../core/bots/bot-keys.ts'

const soon = { timeout: 15_000, interval: 50 }

/**
 * Fails for "fail", changes states for "remember" and "forget"; otherwise logs, calls an action,
 * creates an event and answers.
 */
const code = `
const { BP_API_URL, BP_TOKEN, BP_BOT_ID } = process.env
const headers = {
  authorization: 'Bearer ' + BP_TOKEN, 'x-bot-id': BP_BOT_ID, 'content-type': 'application/json'
}
const post = (path, body, method = 'POST') =>
  fetch(BP_API_URL + path, { method, headers, body: JSON.stringify(body) })
let stumbled = false
exports.handler = async (req) => {
  const operation = req.headers['x-bp-operation']
  if (operation === 'action_triggered') return { status: 200, body: '{"output":{"sum":3}}' }
  if (operation !== 'event_received') return { status: 200 }
  const { event } = JSON.parse(req.body)
  if (event.type !== 'message_created') return { status: 200 }
  const { conversationId } = event
  const { text } = event.payload.message.payload
  if (text === 'stumble' && !stumbled) {
    stumbled = true
    return { status: 503, body: '{"message":"stumbled"}' }
  }
  if (text === 'fail') return { status: 500, body: '{"message":"broken"}' }
  if (text.startsWith('remember ')) {
    const state = '/v1/chat/states/conversation/' + conversationId + '/profile'
    await post(state, { payload: { name: text.slice(9), visits: 1 } })
    await post(state, { visits: 2 }, 'PATCH').then(
      () => post(state, { payload: { visits: 2 } }, 'PATCH'))
    await post(state + '/get-or-set', { payload: { name: 'unused' } })
    await fetch(BP_API_URL + '/v1/chat/users/user_missing', { headers })
    return { status: 200 }
  }
  if (text === 'forget') {
    await post('/v1/chat/states/conversation/' + conversationId + '/profile', { payload: null })
    return { status: 200 }
  }
  console.log('handling ' + text)
  await post('/v1/chat/actions', { type: 'add', input: { a: 1, b: 2 } })
  await post('/v1/chat/events', { type: 'done', payload: { text }, conversationId })
  for (const answer of ['one ', 'two '])
    await post('/v1/chat/messages', {
      conversationId, userId: BP_BOT_ID, type: 'text', tags: {}, payload: { text: answer + text }
    })
  return { status: 200 }
}`

let scene: Scene
let flowBot: { headers: Record<string, string>; webhookId: string }

beforeAll(async () => {
  scene = await openScene({ code, config: { retrySeconds: [0.05, 0.05] } })
  await change({
    events: { done: { schema: { type: 'object' } } },
    actions: { add: { input: { schema: {} }, output: { schema: {} } } },
  })
  const { body: made } = await scene.call('POST', '/v1/admin/bots', {
    headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
    body: { name: 'flows' },
  })
  const { id } = made.bot
  const published = await scene.call(
    'POST',
    `/v1/admin/bots/${id}/publish-from-bot-json`,
    {
      headers: scene.admin,
      body: { botJson: document },
    },
  )
  expect(published.status).toBe(200)
  const { 'x-bot-id': _, ...token } = scene.asBot
  const { body } = await scene.call('GET', `/v1/admin/bots/${id}`, {
    headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
  })
  const { webhookId } = body.bot.integrations.chat
  flowBot = { headers: { ...token, 'x-bot-id': id }, webhookId }
}, 60_000)
afterAll(() => scene?.close())

const change = (body: object) =>
  scene.call('PUT', `/v1/admin/bots/${scene.botId}`, { headers: scene.admin, body })

const document = {
  kind: 'bot',
  version: 2,
  flows: {
    main: {
      variables: { name: { type: 'string' } },
      nodes: {
        start: {
          type: 'start',
          cards: [
            {
              type: 'capture',
              kind: 'text',
              question: 'Your name?',
              into: 'workflow.name',
            },
            { type: 'send', message: 'Hello {{ workflow.name }}' },
          ],
        },
      },
    },
  },
}

/** A new user sends a text in a new conversation. Returns the message and its event. */
async function say(
  text: string,
  webhookId = scene.webhookId,
  conversation?: Conversation,
) {
  const talk = conversation ?? (await openConversation(webhookId))
  const { body } = await scene.call('POST', `/chat/${webhookId}/messages`, {
    headers: talk.headers,
    body: { conversationId: talk.id, payload: { type: 'text', text } },
  })
  return { messageId: body.message.id as string, talk }
}

type Conversation = Awaited<ReturnType<typeof openConversation>>
async function openConversation(webhookId: string) {
  const user = await scene.call('POST', `/chat/${webhookId}/users`, { body: {} })
  const headers = { 'x-user-key': user.body.key }
  const made = await scene.call('POST', `/chat/${webhookId}/conversations`, {
    headers,
    body: {},
  })
  return { id: made.body.conversation.id as string, headers }
}

const findTrace = async (messageId: string, headers = scene.asBot) =>
  (await scene.call('GET', `/v1/platform/messages/${messageId}/trace`, { headers })).body

/** Waits until the bot has handled the message and everything in the background is stored. */
async function handled(
  messageId: string,
  isComplete: (trace: Trace) => unknown,
  headers?: Headers,
) {
  await expect
    .poll(
      async () => Boolean(isComplete((await findTrace(messageId, headers)).trace)),
      soon,
    )
    .toBe(true)
  return (await findTrace(messageId, headers)).trace
}
type Headers = Record<string, string>

async function botHeaders(): Promise<Headers> {
  const { db, secrets } = scene.app.services
  const key = await hostedBotKey(db, secrets, scene.botId)
  return { ...scene.asBot, authorization: `Bearer ${key}` }
}

/** Fails with 404. */
const readAs = (headers: Headers, cause: string) =>
  scene.call('GET', '/v1/chat/users/user_missing', {
    headers: { ...headers, 'x-botstead-cause': cause },
  })
// biome-ignore lint/suspicious/noExplicitAny: the contract check covers its shape; tests assert on fields
type Trace = any

describe('a bot with code', () => {
  test('shows attempts, calls, events, log lines and answers, in order', async () => {
    const { messageId } = await say('hello')
    const trace = await handled(
      messageId,
      ({ run, logs, actions }) => run && logs.length > 0 && actions.length > 0,
    )
    expect(trace.event).toMatchObject({
      messageId,
      type: 'message_created',
      status: 'processed',
    })
    expect(trace.run.attempts).toBe(1)
    expect(trace.run.ms).toBeGreaterThan(0)
    expect(Date.parse(trace.run.startedAt)).toBeGreaterThanOrEqual(
      Date.parse(trace.event.createdAt) - 50,
    )
    expect(trace.messages.map(({ payload }: Trace) => payload.text)).toEqual([
      'one hello',
      'two hello',
    ])
    expect(trace.actions).toMatchObject([{ actionType: 'add', output: { sum: 3 } }])
    expect(trace.events).toMatchObject([{ type: 'done' }])
    expect(trace.logs).toMatchObject([{ level: 'info', message: 'handling hello' }])
    expect(trace.failedAttempts).toEqual([])
  })

  test('is the same from an answer, and from the event', async () => {
    const { messageId } = await say('again')
    const isComplete = ({ run, logs }: Trace) => run && logs.length > 0
    const trace = await handled(messageId, isComplete)
    const answer = await findTrace(trace.messages[1].id)
    expect(answer.message.payload.text).toBe('two again')
    expect(answer.trace).toEqual(trace)
    const path = `/v1/platform/events/${trace.event.id}/trace`
    const { body } = await scene.call('GET', path, { headers: scene.asBot })
    expect(body.trace).toEqual(trace)
  })

  test('shows the failed attempts of a dead letter', async () => {
    const { messageId } = await say('fail')
    const trace = await handled(messageId, ({ event }) => event.status === 'failed')
    expect(trace.run.attempts).toBe(3)
    expect(
      trace.failedAttempts.map(({ number, error }: Trace) => [number, error]),
    ).toEqual([
      [1, 'broken'],
      [2, 'broken'],
      [3, 'broken'],
    ])
  })

  test('keeps the failed attempts of a delivery that succeeds later', async () => {
    const { messageId } = await say('stumble')
    const { failedAttempts, run } = await handled(
      messageId,
      ({ event }) => event.status === 'processed',
    )
    expect(run.attempts).toBe(2)
    expect(failedAttempts).toMatchObject([{ number: 1, error: 'stumbled' }])
  })

  test('keeps the failed attempts of a discarded dead letter', async () => {
    const { messageId } = await say('fail')
    const { event } = await handled(messageId, ({ event }) => event.status === 'failed')
    const platform = (method: 'GET' | 'POST' | 'DELETE', path: string) =>
      scene.call(method, `/v1/platform/dead-letters${path}`, { headers: scene.asBot })
    const { body } = await platform('GET', `?conversationId=${event.conversationId}`)
    expect((await platform('DELETE', `/${body.deadLetters[0].id}`)).status).toBe(200)
    expect((await findTrace(messageId)).trace.failedAttempts).toHaveLength(3)
  })

  test('shows changed states with their former values, and calls with their errors', async () => {
    await change({
      states: { profile: { type: 'conversation', schema: { type: 'object' } } },
    })
    const { talk, messageId } = await say('remember Ana')
    const trace = await handled(messageId, ({ run, calls }) => run && calls.length === 5)
    const shown = (changes: Trace[]) =>
      changes.map(({ key, from, to }) => [key, from, to])
    expect(shown(trace.changes)).toEqual([
      ['name', null, '"Ana"'],
      ['visits', null, '1'],
      ['visits', '1', '2'],
    ])
    expect(trace.changes[0].state).toBe(`conversation profile ${talk.id}`)
    expect(
      trace.calls.map(({ operation, status }: Trace) => [operation, status]),
    ).toEqual([
      ['setState', 200],
      ['patchState', 400],
      ['patchState', 200],
      ['getOrSetState', 200],
      ['getUser', 404],
    ])
    expect(trace.calls[1].error).toContain('payload')
    expect(trace.calls[4]).toMatchObject({ subject: 'user_missing' })
    expect(trace.calls[4].error).toContain('user_missing')

    const again = await say('remember Bo', scene.webhookId, talk)
    const second = await handled(again.messageId, ({ calls }) => calls.length === 5)
    expect(shown(second.changes)).toEqual([
      ['name', '"Ana"', '"Bo"'],
      ['visits', '2', '1'],
      ['visits', '1', '2'],
    ])
    const last = await say('forget', scene.webhookId, talk)
    const third = await handled(last.messageId, ({ calls }) => calls.length === 1)
    expect(shown(third.changes)).toEqual([
      ['name', '"Bo"', null],
      ['visits', '2', null],
    ])
  })

  test('stores nothing for a call of a member, or with a cause that is no event', async () => {
    const { messageId } = await say('plain')
    const trace = await handled(messageId, ({ run }) => run)
    const bot = await botHeaders()
    await readAs(scene.asBot, trace.event.id)
    await readAs(bot, 'evt_é')
    await readAs(bot, messageId)
    // Written after those above.
    await readAs(bot, trace.event.id)
    const complete = await handled(messageId, ({ calls }) => calls.length > 0)
    expect(complete.calls).toHaveLength(1)
    const { db } = scene.app.services
    const { rows } = await sql`select from event_trace
      where event_id in ('evt_é', ${messageId})`.execute(db)
    expect(rows).toEqual([])
  })

  test('contains nothing of another event of the conversation', async () => {
    const { talk, messageId } = await say('first')
    const second = await say('second', scene.webhookId, talk)
    const isComplete = ({ run, logs, actions }: Trace) =>
      run && logs.length && actions.length
    const trace = await handled(second.messageId, isComplete)
    await handled(messageId, isComplete)
    expect(JSON.stringify(trace.messages)).not.toContain('first')
    expect(trace.messages).toHaveLength(2)
    expect(trace.logs).toMatchObject([{ message: 'handling second' }])
    expect(trace.actions).toHaveLength(1)
  })
})

test('a flow bot shows nodes, cards and changed variables', async () => {
  const { webhookId, headers } = flowBot
  const { talk } = await say('hi', webhookId)
  await expect
    .poll(async () => {
      const path = `/v1/chat/messages?conversationId=${talk.id}`
      return (await scene.call('GET', path, { headers })).body.messages.length
    }, soon)
    .toBe(2)
  const { messageId } = await say('Robin', webhookId, talk)
  const trace = await handled(messageId, ({ run, turn }) => run && turn, headers)
  const code = await say('hello')
  const { event } = await handled(code.messageId, ({ run }) => run)
  await readAs(await botHeaders(), event.id)
  await handled(code.messageId, ({ calls }) => calls.length > 0)
  const { db } = scene.app.services
  const { rows } =
    await sql`select from event_trace where bot_id = ${headers['x-bot-id']}`.execute(db)
  expect(rows).toEqual([])
  const kinds = trace.turn.steps.map(({ kind }: Trace) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['card', 'said', 'set']))
  const set = trace.turn.steps.find(({ kind }: Trace) => kind === 'set')
  expect(set).toMatchObject({ variable: 'workflow.name', to: '"Robin"' })
  expect(trace.messages.map(({ payload }: Trace) => payload.text)).toEqual([
    'Hello Robin',
  ])
})

test('an observation of an integration is not the turn of a bot', async () => {
  const { messageId } = await say('plain')
  const trace = await handled(messageId, ({ run }) => run)
  const { db } = scene.app.services
  await sql`insert into observation (bot_id, id, given_id, name, integration, data)
    values (${scene.botId}, 'obs_1', ${trace.event.id}, 'flows.turn', 'chat', '{}')`.execute(
    db,
  )
  expect((await findTrace(messageId)).trace.turn).toBeUndefined()
})

test('a message without an event has no trace', async () => {
  const { talk } = await say('hello')
  const { body } = await scene.call('POST', '/v1/chat/messages', {
    headers: scene.asBot,
    body: {
      conversationId: talk.id,
      userId: scene.botId,
      type: 'text',
      tags: {},
      payload: { text: 'by hand' },
    },
  })
  expect(await findTrace(body.message.id)).toMatchObject({
    message: body.message,
    trace: null,
  })
})

test.each(['msg_01KAJ0ZP5S8V3N7Q4XW2R9TDHM', '__proto__', "' or 1=1", 'é'.repeat(200)])(
  'rejects the unknown id %s',
  async (id) => {
    for (const kind of ['messages', 'events']) {
      const path = `/v1/platform/${kind}/${encodeURIComponent(id)}/trace`
      expect((await scene.call('GET', path, { headers: scene.asBot })).status).toBe(404)
    }
  },
)

test('names the version that the bot ran then, also after further deployments', async () => {
  const save = async (name: string) =>
    (
      await scene.call('POST', `/v1/admin/bots/${scene.botId}/versions`, {
        headers: scene.admin,
        body: { name },
      })
    ).body.version.id as string
  const findVersion = async (text: string) => {
    const { messageId } = await say(text)
    await handled(messageId, ({ run }) => run)
    return async () => (await findTrace(messageId)).trace.version
  }
  const first = await save('one')
  const ofFirst = await findVersion('of one')
  const isFirst = { id: first, number: expect.any(Number), name: 'one' }
  expect(await ofFirst()).toEqual(isFirst)
  await change({ code: `${code} // two` })
  // As with a server that stored no versions of deployments.
  await sql`delete from bot_version where bot_id = ${scene.botId} and automatic`.execute(
    scene.app.services.db,
  )
  const ofNone = await findVersion('of code without a version')
  expect(await ofNone()).toBeUndefined()
  const second = await save('two')
  expect(await (await findVersion('of two'))()).toMatchObject({ id: second, name: 'two' })
  await scene.call('POST', `/v1/admin/bots/${scene.botId}/versions/deploy`, {
    headers: scene.admin,
    body: { versionId: first },
  })
  expect(await (await findVersion('of one again'))()).toEqual(isFirst)
  expect(await ofFirst()).toEqual(isFirst)
  expect(await ofNone()).toBeUndefined()
})
