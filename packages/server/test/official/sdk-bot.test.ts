// A hosted bot of the official SDK calls every method of the client in its handlers. It reports the
// events that it receives and the responses of its calls as messages.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openScene, type Scene } from '../support/scene.ts'
import { definition } from '../support/sdk-bot/definition.ts'
import { botBody, bundled, served } from '../support/sdk-sources.ts'

let scene: Scene
let apiUrl: string
let chat: string
let headers: Record<string, string>
/** Long enough for a busy machine. */
const soon = { interval: 50, timeout: 40_000 }
vi.setConfig({ testTimeout: 60_000 })

beforeAll(async () => {
  const code = await bundled('sdk-bot/bot.ts')
  scene = await openScene()
  apiUrl = await scene.listen()
  chat = `/chat/${scene.webhookId}`
  const body = botBody(definition)
  const configuration = { ...body.configuration, data: { greeting: 'hello' } }
  const { status } = await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { ...body, configuration, code },
  })
  expect(status).toBe(200)
  headers = (await scene.chatUser({ name: 'Ann' })).headers
}, 60_000)
afterAll(() => scene?.close())

const converse = async () =>
  (await scene.call('POST', `${chat}/conversations`, { headers, body: {} })).body
    .conversation.id as string
const send = (conversationId: string, text: string) =>
  scene.call('POST', `${chat}/messages`, {
    headers,
    body: { conversationId, payload: { type: 'text', text } },
  })

interface Report {
  act: string
  // biome-ignore lint/suspicious/noExplicitAny: tests only compare reports
  result: any
}

/** Returns the bot's reports in a conversation, in order. */
async function reportsIn(conversationId: string): Promise<Report[]> {
  const { body } = await scene.call(
    'GET',
    `/v1/chat/messages?conversationId=${conversationId}`,
    {
      headers: scene.asBot,
    },
  )
  const reports = body.messages.filter(
    ({ direction, payload }: { direction: string; payload: { text: string } }) =>
      direction === 'outgoing' && payload.text[0] === '{',
  )
  return reports
    .map(({ payload }: { payload: { text: string } }) => JSON.parse(payload.text))
    .reverse()
}
const hears = (conversationId: string, act: string) =>
  expect.poll(
    async () =>
      (await reportsIn(conversationId))
        .filter((one) => one.act === act)
        .map(({ result }) => result),
    soon,
  )

/** Sends a command and waits for the report about it. */
async function ask(text: string, conversationId?: string): Promise<Report['result']> {
  const id = conversationId ?? (await converse())
  const act = text.split(' ')[0]!
  await send(id, text)
  await expect
    .poll(async () => (await reportsIn(id)).map((one) => one.act), soon)
    .toContain(act)
  return (await reportsIn(id)).find((one) => one.act === act)?.result
}
const logged = async () => {
  const rows = await scene.app.services.db
    .selectFrom('bot_log')
    .select('message')
    .where('bot_id', '=', scene.botId)
    .execute()
  return rows.map(({ message }) => message)
}

const noSuch = { code: 404, type: 'ResourceNotFound', message: expect.any(String) }

test('registers at deployment and receives its context', async () => {
  expect(await ask('context')).toEqual({
    operation: 'event_received',
    type: 'message_created',
    configuration: ['bot', { greeting: 'hello' }],
    registeredAs: 'register',
    links: true,
  })
  await expect.poll(logged, soon).toContain('registered')
})

test('handles conversations, users and participants', async () => {
  expect(await ask('conversations')).toEqual({
    made: { topic: 'tea' },
    found: [true, { created: false }],
    updated: { topic: 'coffee' },
    listed: [expect.stringMatching(/^conv_/)],
    got: expect.objectContaining({
      integration: 'chat',
      channel: 'channel',
      tags: { topic: 'coffee' },
    }),
    gone: noSuch,
  })
  expect(await ask('users')).toEqual({
    made: ['Ann', { vip: 'yes' }],
    found: [true, { created: false }],
    updated: ['Bea', { vip: 'very' }],
    listed: [expect.stringMatching(/^user_/)],
    got: expect.objectContaining({
      name: 'Bea',
      pictureUrl: 'https://example.org/ann.png',
      tags: { vip: 'very' },
    }),
    gone: noSuch,
  })
  expect(await ask('participants')).toEqual({
    same: true,
    user: true,
    guest: true,
    gone: noSuch,
  })
})

test('handles messages with hooks', async () => {
  expect(await ask('messages')).toEqual({
    direction: 'outgoing',
    payload: { text: 'second' },
    found: [true, { created: false }],
    updated: { mood: 'better' },
    listed: true,
    texts: ['second', 'messages'],
    gone: noSuch,
  })
  const conversationId = await converse()
  await ask('analytics', conversationId)
  const { body } = await scene.call(
    'GET',
    `/v1/chat/messages?conversationId=${conversationId}`,
    {
      headers: scene.asBot,
    },
  )
  expect(body.messages[0].tags).toEqual({ mood: 'hooked' })
})

test('creates, schedules and cancels events', async () => {
  const conversationId = await converse()
  expect(await ask('events', conversationId)).toEqual({
    type: 'reminder',
    payload: { about: 'tea' },
    links: true,
    doomed: ['scheduled', 'canceled'],
    listed: true,
  })
  await hears(conversationId, 'reminder').toEqual(['tea!', 'later!'])
})

test('receives recurring events', async () => {
  await sql`update recurring_event set next_at = now() where bot_id = ${scene.botId}`.execute(
    scene.app.services.db,
  )
  await expect.poll(logged, soon).toContain('ticked every month')
})

test('reads and writes states, and receives their expiry', async () => {
  const conversationId = await converse()
  const { missing, ...result } = await ask('states', conversationId)
  expect(missing).toEqual({
    code: 404,
    type: 'ResourceNotFound',
    message: expect.stringContaining('No State found'),
  })
  expect(result).toEqual({
    wrong: {
      code: 400,
      type: 'InvalidDataFormat',
      message: expect.stringContaining('step'),
    },
    undeclared: {
      code: 400,
      type: 'InvalidPayload',
      message: expect.stringContaining('nobodyDeclaredIt'),
    },
    deleted: noSuch,
    payloads: [
      { step: 1 },
      { step: 1 },
      { step: 1, note: 'a' },
      { language: 'fr' },
      { length: 3 },
    ],
    cached: false,
  })
  await hears(conversationId, 'stateExpired').toEqual([['fleeting', { word: 'gone' }]])
})

test('calls its own actions and those of integrations, and runs actions for API callers', async () => {
  const conversationId = await converse()
  await ask('hooks', await converse())
  expect(await ask('actions', conversationId)).toEqual({
    sum: { output: { sum: 3 }, meta: { cached: false } },
    event: { output: {}, meta: { cached: false } },
    wrong: { code: 400, type: 'InvalidPayload', message: expect.any(String) },
    refused: { code: 400, type: 'Runtime', message: 'I would rather not' },
    unknown: { code: 400, type: 'ReferenceNotFound', message: expect.any(String) },
  })
  expect(await ask('hooks', conversationId)).toEqual(
    expect.arrayContaining([
      'before outgoing add',
      'before incoming action',
      'after incoming action',
      'after outgoing action',
      'after incoming message',
    ]),
  )
  const { body } = await scene.call('POST', '/v1/chat/actions', {
    headers: scene.asBot,
    body: { type: 'add', input: { a: 20, b: 22 } },
  })
  expect(body).toEqual({ output: { sum: 42 }, meta: { cached: false } })
})

test('hands over by an action, and its answer continues', async () => {
  const conversationId = await converse()
  expect(await ask('handoff', conversationId)).toMatchObject({
    conversationId,
    reason: 'refund',
    state: 'waiting',
    source: 'request',
  })
})

test('handles files and analytics', async () => {
  expect(await ask('files')).toEqual({
    content: 'soup',
    status: 'upload_completed',
    listed: true,
    changed: [{}, { day: 'Monday' }],
    announced: [true, 'upload_pending'],
    gone: noSuch,
  })
  const { body } = await scene.call('GET', '/v1/platform/analytics?name=orders', {
    headers: scene.asBot,
  })
  const counted = body.analytics[0].count
  expect(await ask('analytics')).toEqual({})
  const { body: after } = await scene.call('GET', '/v1/platform/analytics?name=orders', {
    headers: scene.asBot,
  })
  expect(after.analytics).toMatchObject([{ name: 'orders', count: counted + 2 }])
})

test('searches files', async () => {
  const found = ['Soups\nOnions are in the soup of the day.', 'dishes.md', 1]
  expect(await ask('search')).toEqual({
    status: 'indexing_completed',
    found: [found],
    gone: [],
  })
})

test('creates, updates and deletes workflows', async () => {
  expect(await ask('workflows')).toEqual({
    input: { dish: 'soup' },
    found: true,
    updated: { tags: { stage: 'old' }, output: { served: 'soup' } },
    listed: true,
    gone: noSuch,
  })
})

test.each([
  [
    'soup',
    'completed',
    {
      workflowContinue: {
        status: 'completed',
        output: { served: 'soup' },
        tags: { stage: 'cooking' },
        listed: true,
      },
    },
  ],
  ['poison', 'failed', {}],
  ['air', 'cancelled', {}],
  ['nothing', 'failed', { workflowTimeout: ['timedout', true] }],
])('runs the workflow for %s until it is %s', async (dish, status, more) => {
  const conversationId = await converse()
  expect(await ask(`order ${dish}`, conversationId)).toEqual({
    status: 'pending',
    tags: { stage: 'ordered' },
    input: { dish },
  })
  await hears(conversationId, 'workflowStart').toEqual([[dish, 'in_progress']])
  for (const [act, result] of Object.entries(more))
    await hears(conversationId, act).toEqual([result])
  const path = `/v1/chat/workflows?conversationId=${conversationId}`
  await expect
    .poll(
      async () =>
        (await scene.call('GET', path, { headers: scene.asBot })).body.workflows,
      soon,
    )
    .toMatchObject([{ status, input: { dish } }])
})

test('continues a workflow after its child workflows', async () => {
  const conversationId = await converse()
  const { menu, courses } = await ask('menu', conversationId)
  expect(courses).toBe(2)
  await hears(conversationId, 'workflowContinue').toEqual([
    {
      status: 'completed',
      output: { served: 'menu' },
      tags: { stage: 'cooking' },
      listed: true,
    },
  ])
  const { body } = await scene.call('GET', `/v1/chat/events?workflowId=${menu}`, {
    headers: scene.asBot,
  })
  const updates = body.events
    .map(({ payload }: { payload: { type: string } }) => payload.type)
    .reverse()
  expect(updates).toContain('child_workflow_deleted')
  expect(updates).toContain('workflow_continued')
})

test('writes and finds table rows', async () => {
  const schema = { name: { type: 'string' }, seats: { type: 'number' } }
  expect(
    (
      await scene.call('POST', '/v1/tables', {
        headers: scene.asBot,
        body: { name: 'GuestTable', schema },
      })
    ).status,
  ).toBe(200)
  expect(await ask('rows')).toEqual({
    added: [
      ['Ann', null],
      ['Bea', 2],
    ],
    first: 'Ann',
    found: [['Bea', 2]],
    changed: [['Ann', 4]],
    inserted: [['Cy', null]],
    updated: [['Ann', 5]],
    deletedRows: 2,
  })
})

test('calls every method of the client', async () => {
  const { methods, performed } = await ask('report')
  expect(methods.length).toBeGreaterThan(45)
  expect(performed.sort()).toEqual(methods.sort())
  const events = await scene.call('GET', '/v1/chat/events?status=failed', {
    headers: scene.asBot,
  })
  expect(events.body.events).toEqual([])
})

// After the test that expects no failed events.
test('an unexpected error fails the event with its own text', async () => {
  const conversationId = await converse()
  await send(conversationId, 'fails')
  const url = `/v1/chat/events?conversationId=${conversationId}&status=failed`
  const failed = async () =>
    (await scene.call('GET', url, { headers: scene.asBot })).body.events
  await expect
    .poll(failed, soon)
    .toMatchObject([
      { type: 'message_created', failureReason: 'RangeError: It went boom' },
    ])
})

test('works the same at a URL', async () => {
  const server = await served('sdk-bot/serve.ts', { apiUrl, token: scene.token })
  onTestFinished(server.close)
  const { status } = await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { url: server.url },
  })
  expect(status).toBe(200)
  expect(await ask('context')).toMatchObject({
    configuration: ['bot', { greeting: 'hello' }],
    registeredAs: 'register',
    links: true,
  })
  // The new process has made only these calls.
  expect((await ask('report')).performed.sort()).toEqual([
    'createMessage',
    'getState',
    'setState',
  ])
  expect(await ask('actions')).toMatchObject({
    sum: { output: { sum: 3 } },
    refused: { type: 'Runtime', message: 'I would rather not' },
  })
  const table = await converse()
  await ask('order soup', table)
  await hears(table, 'workflowContinue').toMatchObject([
    { status: 'completed', output: { served: 'soup' } },
  ])
})
