// An integration of the official SDK in its own process: messages of third parties reach the bot,
// messages of the bot reach third parties, and its handlers call every method of their client.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../support/scene.ts'
import { definition } from '../support/sdk-integration/definition.ts'
import { bundled, integrationBody, served } from '../support/sdk-sources.ts'

const integrationId = 'intver_01J0000000000000000HELPDESK'
/** Long enough for a busy machine. */
const soon = { interval: 50, timeout: 40_000 }
vi.setConfig({ testTimeout: 60_000 })

let scene: Scene
let url: string
let helpdesk: Awaited<ReturnType<typeof served>>
/** Webhook ids of the two installations of the integration. */
let webhookIds: { desk: string; second: string }

const getHeaders = () => ({ ...scene.admin, 'x-multiple-integrations': 'true' })
const update = (body: object) =>
  scene.call('PUT', `/v1/admin/bots/${scene.botId}`, { headers: getHeaders(), body })
const installed = (key: string) => ({
  integrationId,
  enabled: true,
  configuration: { key },
})

beforeAll(async () => {
  scene = await openScene()
  url = await scene.listen()
  helpdesk = await served('sdk-integration/integration.ts', {
    apiUrl: url,
    token: scene.token,
  })
  await sql`
    insert into integration (id, workspace_id, name, version, url, definition)
    values (${integrationId}, ${scene.workspaceId}, 'helpdesk', '1.0.0', ${helpdesk.url},
      ${JSON.stringify(integrationBody(definition))}::jsonb)`.execute(
    scene.app.services.db,
  )
  const code = await bundled('sdk-integration/bot.ts')
  const message = { tags: { mood: {} } }
  const { status, body } = await update({
    code,
    message,
    integrations: { desk: installed('open sesame'), second: installed('another') },
  })
  expect([
    status,
    body.bot?.integrations.desk.status,
    body.bot?.integrations.second.status,
  ]).toEqual([200, 'registered', 'registered'])
  const { desk, second } = body.bot.integrations
  expect([desk.identifier, second.identifier]).toEqual([
    'desk of open sesame',
    'desk of another',
  ])
  webhookIds = { desk: desk.webhookId, second: second.webhookId }
}, 60_000)
afterAll(async () => {
  await scene?.close()
  await helpdesk?.close()
})

/** Calls a webhook as the third party. */
const knock = (path: string, body?: object, alias: 'desk' | 'second' = 'desk') =>
  fetch(
    `${url}/webhooks/${webhookIds[alias]}/${path}`,
    body && { method: 'POST', body: JSON.stringify(body) },
  )
async function ask(path: string, body?: object, alias?: 'desk' | 'second') {
  const answer = await knock(path, body, alias)
  const text = await answer.text()
  expect([answer.status, text]).toEqual([200, text])
  return JSON.parse(text)
}
const desk = async (room: string) =>
  (
    (await ask('desk')).desk as {
      room: string
      messageId: string
      payload: { text: string }
    }[]
  ).filter((one) => one.room === room)
const heard = (room: string) => expect.poll(() => desk(room), soon)
const asBot = async (path: string) =>
  (await scene.call('GET', `/v1/chat/${path}`, { headers: scene.asBot })).body
const asDesk = async (path: string) =>
  (
    await scene.call('GET', `/v1/chat/${path}`, {
      headers: { ...scene.asBot, 'x-integration-alias': 'desk' },
    })
  ).body

test('registers under each alias, and receives the alias with each call', async () => {
  const { registrations } = await ask('desk')
  expect(registrations).toEqual(
    expect.arrayContaining(
      (['desk', 'second'] as const).map((alias) => ({
        operation: 'register',
        alias,
        webhookUrl: expect.stringMatching(`/${webhookIds[alias]}$`),
      })),
    ),
  )
  const known = {
    botId: scene.botId,
    botUserId: scene.botId,
    integrationId,
    configurationType: null,
    operation: 'webhook_received',
  }
  for (const [alias, key] of [
    ['desk', 'open sesame'],
    ['second', 'another'],
  ] as const) {
    const context = {
      ...known,
      integrationAlias: alias,
      webhookId: webhookIds[alias],
      configuration: { key },
      login: key,
    }
    expect(await ask('act/context', undefined, alias)).toEqual(context)
  }
})

test('brings a webhook message to the bot, and the answer of the bot to the third party', async () => {
  const message = await ask('message', {
    from: 'ann',
    room: 'lobby',
    id: 'in-1',
    text: 'hello',
  })
  expect(message).toMatchObject({
    direction: 'incoming',
    payload: { text: 'hello' },
    tags: { id: 'in-1' },
  })
  await heard('lobby').toHaveLength(1)
  const out = (await desk('lobby'))[0]!
  expect(JSON.parse(out.payload.text)).toEqual({
    said: 'hello',
    message: { 'desk:id': 'in-1' },
    conversation: { 'desk:id': 'lobby' },
    user: { 'desk:id': 'ann' },
    name: 'ann',
  })
  const common = {
    type: 'text',
    channel: 'dm',
    alias: 'desk',
    isBot: true,
    direction: 'outgoing',
  }
  expect(out).toMatchObject({
    ...common,
    tags: { conversation: { id: 'lobby' }, message: {}, user: {} },
  })

  // The integration sets the third party's message id while it handles the message.
  const path = `messages/${out.messageId}`
  await expect
    .poll(async () => (await asBot(path)).message.tags, soon)
    .toEqual({ 'desk:id': expect.stringMatching(/^out-/), mood: 'good' })
  expect((await asDesk(path)).message.tags).toEqual({
    id: expect.stringMatching(/^out-/),
  })
})

test('creates one message for a repeated webhook', async () => {
  const arrived = { from: 'bea', room: 'hall', id: 'in-2', text: 'again' }
  const [first, second] = [
    await ask('message-at-once', arrived),
    await ask('message-at-once', arrived),
  ]
  expect(second.id).toBe(first.id)
  await ask('message-at-once', { ...arrived, id: 'in-3', text: 'and again' })
  await heard('hall').toHaveLength(2)
  expect(
    (await desk('hall')).map(({ payload }) => JSON.parse(payload.text).said),
  ).toEqual(['again', 'and again'])
})

test('sends an event to the bot, which calls an action in response', async () => {
  const { event } = await ask('ticket', { room: 'counter', ticket: '7' })
  expect(event).toMatchObject({ type: 'desk:ticketOpened', payload: { ticket: '7' } })
  await heard('counter').toMatchObject([
    {
      payload: {
        text: JSON.stringify({
          output: { title: 'lookUp 7 for desk' },
          meta: { cached: false },
        }),
      },
    },
  ])
  await ask('ticket', { room: 'counter', ticket: 'lost' })
  await heard('counter').toMatchObject([
    {},
    { payload: { text: JSON.stringify({ type: 'Runtime', message: 'No such ticket' }) } },
  ])
})

test('logs a message that it cannot send, and continues with the next', async () => {
  const { conversationId } = await ask('message', {
    from: 'cid',
    room: 'stage',
    id: 'in-4',
    text: 'sing',
  })
  await heard('stage').toMatchObject([{ type: 'text' }])
  const log = scene.app.services.db
    .selectFrom('bot_log')
    .select(['level', 'message'])
    .where('bot_id', '=', scene.botId)
  const lines = () => log.where('conversation_id', '=', conversationId).execute()
  await expect.poll(lines, soon).toEqual([
    {
      level: 'error',
      message: expect.stringContaining(
        'could not be sent through desk: An unexpected error',
      ),
    },
  ])
})

test('receives webhooks unchanged, and returns its response unchanged', async () => {
  const body = '{ "ünï": "\\ud83d\\ude00 😀" }\r\n'
  const headers = {
    'x-signature': 'sha256=abc',
    'content-type': 'application/vnd.desk+json',
  }
  const answer = await fetch(
    `${url}/webhooks/${webhookIds.desk}/echo/deep%20er?a=1&b=%20&a=2`,
    {
      method: 'PUT',
      headers,
      body,
    },
  )
  expect([answer.status, answer.headers.get('x-desk')]).toEqual([418, 'yes'])
  expect(await answer.json()).toMatchObject({
    method: 'PUT',
    path: expect.stringMatching(/^\/echo\/deep(%20| )er$/),
    query: 'a=1&b=%20&a=2',
    headers,
    body,
  })
  const rejected = await knock('refuse')
  expect([rejected.status, await rejected.json()]).toMatchObject([
    400,
    { code: 400, type: 'Runtime', message: 'The desk is closed' },
  ])
  const failed = await knock('whatever')
  expect([failed.status, await failed.json()]).toMatchObject([
    400,
    { type: 'Runtime', message: expect.stringContaining('unexpected error') },
  ])
})

const noSuch = { code: 404, type: 'ResourceNotFound', message: expect.any(String) }
const invalid = { code: 400, type: 'InvalidPayload', message: expect.any(String) }
const mismatch = { code: 400, type: 'InvalidDataFormat', message: expect.any(String) }
const foundAgain = [true, { created: false }]

test.each<[string, object]>([
  [
    'users',
    {
      found: [true, { id: 'u1', lang: 'fr' }, { created: false }],
      updated: ['Bea', { id: 'u1' }],
      listed: true,
      got: expect.objectContaining({ name: 'Bea', tags: { id: 'u1' } }),
      gone: noSuch,
    },
  ],
  [
    'conversations',
    {
      found: foundAgain,
      integration: 'desk',
      channel: 'dm',
      tags: { id: 'c1', room: 's' },
      updated: { id: 'c1', room: 's' },
      listed: true,
      undeclared: invalid,
      joined: [true, true],
      left: noSuch,
      gone: noSuch,
    },
  ],
  [
    'messages',
    {
      found: foundAgain,
      direction: 'incoming',
      payload: { text: 'quiet, please' },
      updated: { id: 'm2' },
      listed: true,
      same: [true, true, true],
      imported: '2020-01-01T00:00:00.000Z',
      tags: expect.arrayContaining(['m0', 'm2']),
      gone: noSuch,
    },
  ],
  [
    'events',
    {
      type: 'desk:ticketOpened',
      payload: { ticket: '7' },
      listed: true,
      wrong: invalid,
      undeclared: invalid,
    },
  ],
  [
    'states',
    {
      missing: noSuch,
      wrong: mismatch,
      payloads: [
        { step: 1 },
        { step: 1, note: 'a' },
        { step: 2 },
        { step: 2 },
        { key: 'open sesame' },
      ],
    },
  ],
  [
    'files',
    {
      content: 'help',
      status: 'upload_completed',
      listed: true,
      changed: { by: 'Ann' },
      announced: true,
      gone: noSuch,
    },
  ],
  [
    'settings',
    {
      configured: {},
      tracked: {},
      observed: {},
      forbidden: { code: 403, type: 'Forbidden', message: expect.any(String) },
    },
  ],
])('calls the client in its handlers: %s', async (act, expected) => {
  expect(await ask(`act/${act}`)).toEqual(expected)
})

test('calls every method of the client', async () => {
  const { methods, performed } = await ask('act/report')
  expect(methods.length).toBeGreaterThan(35)
  expect(performed.sort()).toEqual(methods.sort())
  expect((await asBot('events?status=failed')).events).toEqual([])
})

test('reports why a registration fails, and unregisters a removed installation', async () => {
  const failing = await update({ integrations: { second: installed('wrong') } })
  expect(failing.body.bot.integrations.second).toMatchObject({
    status: 'registration_failed',
    statusReason: 'The desk does not know this key',
  })
  expect(
    (await update({ integrations: { second: installed('good') } })).body.bot.integrations
      .second,
  ).toMatchObject({
    status: 'registered',
    statusReason: null,
  })
  const { body } = await update({ integrations: { second: null } })
  expect(Object.keys(body.bot.integrations).sort()).toEqual(['chat', 'desk'])
  expect((await ask('desk')).registrations.at(-1)).toMatchObject({
    operation: 'unregister',
    alias: 'second',
  })
  expect((await knock('desk', undefined, 'second')).status).toBe(404)
})
