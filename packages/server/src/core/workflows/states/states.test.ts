// States over HTTP: permissions, errors and results.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { telegram } from '../../../../test/support/messaging-rows.ts'
import {
  openRuntimeScene,
  type RuntimeCaller,
  type RuntimeScene,
} from '../../../../test/support/runtime-scene.ts'
import { readConfig } from '../../config/config.ts'
import { newId } from '../../lib/ids.ts'

const { limits } = readConfig({ BOTSTEAD_LIMIT_STATE_BYTES: '131072' })
const { stateBytes: maxStateBytes } = limits

let scene: RuntimeScene
const ids: Record<string, string> = {}

const call = (as: RuntimeCaller, line: string, body?: unknown) => {
  const [method, path] = line.split(' ') as ['GET', string]
  const url = `/v1/chat/${path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name]!)}`
  return scene.call(method, url, {
    headers: scene.headersOf(as),
    ...(body !== undefined && { body }),
  })
}
const state = async (as: RuntimeCaller, line: string, body?: unknown) => {
  const reply = await call(as, line, body)
  return reply.status === 200
    ? reply.body.state.payload
    : `${reply.status} ${reply.body.type}`
}

const object = {
  type: 'object',
  properties: { step: { type: 'number' }, note: { type: 'string' } },
  additionalProperties: false,
}
const declared = {
  session: {
    type: 'conversation',
    schema: { ...object, required: ['step'] },
    expiry: 60_000,
  },
  profile: { type: 'user', schema: object },
  settings: { type: 'bot', schema: {} },
  broken: { type: 'bot', schema: { type: 'nonsense' } },
}

beforeAll(async () => {
  scene = await openRuntimeScene({ config: { limits } })
  const { status } = await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { states: declared },
  })
  expect(status).toBe(200)
  ids.bot = scene.botId
  ids.user = (await call('tg', 'POST users', { tags: {} })).body.user.id
  ids.conversation = (
    await call('tg', 'POST conversations', { channel: 'dm', tags: {} })
  ).body.conversation.id
  ids.noUser = newId('user')
  ids.noConversation = newId('conversation')
})
afterAll(() => scene.close())

/**
 * For each operation: a valid call on the state `{ step: 1 }`, the payload in its response, and an
 * invalid body.
 */
const operations: [
  name: string,
  line: string,
  good: unknown,
  payload: unknown,
  bad: unknown,
][] = [
  [
    'getState',
    'GET states/conversation/{conversation}/session',
    undefined,
    { step: 1 },
    undefined,
  ],
  [
    'setState',
    'POST states/conversation/{conversation}/session',
    { payload: { step: 2 } },
    { step: 2 },
    { payload: 'text' },
  ],
  [
    'patchState',
    'PATCH states/conversation/{conversation}/session',
    { payload: { note: 'a' }, expiry: 5_000 },
    { step: 1, note: 'a' },
    { payload: null },
  ],
  [
    'getOrSetState',
    'POST states/conversation/{conversation}/session/get-or-set',
    { payload: { step: 3 } },
    { step: 1 },
    { payload: {}, expiry: 0 },
  ],
  [
    'setStateExpiry',
    'POST states/conversation/{conversation}/session/expiry',
    { expiry: 2_592_000_000 },
    { step: 1 },
    { expiry: 2_592_000_001 },
  ],
]

describe.each(operations)('%s', (name, line, good, payload, bad) => {
  test('returns the state', async () => {
    const { body } = await call(
      'bot',
      'POST states/conversation/{conversation}/session',
      {
        payload: { step: 1 },
      },
    )
    const reply = await call('bot', line, good)
    expect(reply.status).toBe(200)
    expect(reply.body.state).toMatchObject({
      id: body.state.id,
      botId: scene.botId,
      conversationId: ids.conversation,
      name: 'session',
      payload,
    })
    expect(reply.body.meta).toEqual(
      ['getState', 'getOrSetState'].includes(name) ? { cached: false } : undefined,
    )
  })
  test('requires a token', async () =>
    expect(await call('nobody', line, good)).toMatchObject({
      status: 401,
      body: { type: 'Unauthorized' },
    }))
  if (bad !== undefined)
    test('rejects a body that violates the contract', async () => {
      expect(await call('bot', line, bad)).toMatchObject({
        status: 400,
        body: { type: 'InvalidPayload' },
      })
      expect(await call('bot', line, { ...(good as object), more: 1 })).toMatchObject({
        status: 400,
        body: { type: 'InvalidPayload' },
      })
    })
  test('answers another bot as if the conversation did not exist', async () => {
    await call('bot', 'POST states/conversation/{conversation}/session', {
      payload: { step: 1 },
    })
    const { status, body } = await call('strangers bot', line, good)
    const usual = await call(
      'strangers bot',
      line.replace('{conversation}', '{noConversation}'),
      good,
    )
    expect([status, body.type]).toEqual(
      name === 'getState' || name === 'setStateExpiry'
        ? [404, 'ResourceNotFound']
        : [400, 'ReferenceNotFound'],
    )
    expect(body.message.replace(ids.conversation!, ids.noConversation!)).toBe(
      usual.body.message,
    )
  })
})

test.each<[string, RuntimeCaller, string, unknown, string]>([
  [
    'a missing state',
    'bot',
    'GET states/user/{user}/nothing',
    undefined,
    '404 ResourceNotFound',
  ],
  [
    'the expiry of a missing state',
    'bot',
    'POST states/user/{user}/nothing/expiry',
    { expiry: null },
    '404 ResourceNotFound',
  ],
  [
    'an unknown type',
    'bot',
    'GET states/planet/{user}/profile',
    undefined,
    '400 InvalidPayload',
  ],
  [
    'a name that is too long',
    'bot',
    `GET states/bot/{bot}/${'x'.repeat(201)}`,
    undefined,
    '400 InvalidPayload',
  ],
  [
    'an undeclared state',
    'bot',
    'POST states/user/{user}/nothing',
    { payload: {} },
    '400 InvalidPayload',
  ],
  [
    'a state declared for another type',
    'bot',
    'POST states/user/{user}/session',
    { payload: { step: 1 } },
    '400 InvalidPayload',
  ],
  [
    'a name that every object inherits',
    'bot',
    'POST states/user/{user}/constructor',
    { payload: {} },
    '400 InvalidPayload',
  ],
  [
    'a payload that violates the schema',
    'bot',
    'POST states/user/{user}/profile',
    { payload: { step: 'one' } },
    '400 InvalidDataFormat',
  ],
  [
    'a patch whose result lacks a required property',
    'bot',
    'PATCH states/conversation/{room}/session',
    { payload: { note: 'a' } },
    '400 InvalidDataFormat',
  ],
  [
    'an initial value that violates the schema',
    'bot',
    'POST states/user/{user}/profile/get-or-set',
    { payload: { step: 'one' } },
    '400 InvalidDataFormat',
  ],
  [
    'an invalid schema',
    'bot',
    'POST states/bot/{bot}/broken',
    { payload: {} },
    '400 InvalidJsonSchema',
  ],
  [
    'an unknown conversation',
    'bot',
    'POST states/conversation/{noConversation}/session',
    { payload: { step: 1 } },
    '400 ReferenceNotFound',
  ],
  [
    'an unknown user',
    'bot',
    'PATCH states/user/{noUser}/profile',
    { payload: {} },
    '400 ReferenceNotFound',
  ],
  [
    'deletion of a state of an unknown user',
    'bot',
    'POST states/user/{noUser}/profile',
    { payload: null },
    '400 ReferenceNotFound',
  ],
  [
    'an unknown workflow',
    'bot',
    'POST states/workflow/wrkflow_01J0000000000000NOWHERE00/any',
    { payload: {} },
    '400 ReferenceNotFound',
  ],
  [
    "another integration's conversation",
    'other',
    'POST states/conversation/{conversation}/memory',
    { payload: {} },
    '400 ReferenceNotFound',
  ],
  [
    "another integration's user",
    'other',
    'POST states/user/{user}/profile',
    { payload: {} },
    '400 ReferenceNotFound',
  ],
  [
    'a state that the integration does not declare',
    'tg',
    'POST states/user/{user}/session',
    { payload: {} },
    '400 InvalidPayload',
  ],
  [
    'an integration that sets a state of the bot',
    'tg',
    'POST states/bot/{bot}/settings',
    { payload: {} },
    '400 InvalidPayload',
  ],
  [
    'an integration that sets a state of a workflow',
    'tg',
    'POST states/workflow/{conversation}/any',
    { payload: {} },
    '400 ReferenceNotFound',
  ],
  [
    "a payload that violates the integration's schema",
    'tg',
    'POST states/integration/me/login',
    { payload: {} },
    '400 InvalidDataFormat',
  ],
  ['NUL in a name', 'bot', 'GET states/bot/{bot}/a%00', undefined, '400 InvalidPayload'],
])('rejects %s', async (_, as, line, body, answer) => {
  ids.room ??= (
    await call('tg', 'POST conversations', { channel: 'dm', tags: {} })
  ).body.conversation.id
  expect(await state(as, line, body)).toBe(answer)
})

test.each([
  ['GET states/user/{user}/profile', 'user "user_'],
  ['GET states/integration/me/credentials', 'integration "me"'],
])(
  '%s: the error for a missing state contains the words that integrations search for',
  async (line, subject) => {
    const { status, body } = await call('tg', line)
    expect([status, body.type, body.code]).toEqual([404, 'ResourceNotFound', 404])
    for (const words of ['No State found', 'not found', subject])
      expect(body.message).toContain(words)
  },
)

test('a state is set, changed and deleted', async () => {
  const first = (
    await call('bot', 'POST states/user/{user}/profile', {
      payload: { step: 1, note: 'a' },
    })
  ).body.state
  const second = (
    await call('bot', 'POST states/user/{user}/profile', { payload: { step: 2 } })
  ).body.state
  expect(second).toMatchObject({
    id: first.id,
    createdAt: first.createdAt,
    userId: ids.user,
    type: 'user',
    payload: { step: 2 },
  })
  expect(
    await state('bot', 'PATCH states/user/{user}/profile', { payload: { note: 'b' } }),
  ).toEqual({
    step: 2,
    note: 'b',
  })
  const deleted = (
    await call('bot', 'POST states/user/{user}/profile', { payload: null, expiry: 5 })
  ).body.state
  expect(deleted).toMatchObject({ id: first.id, payload: {} })
  expect(await state('bot', 'GET states/user/{user}/profile')).toBe(
    '404 ResourceNotFound',
  )
  expect(
    await state('bot', 'POST states/user/{user}/profile', { payload: null }),
  ).toEqual({})
  expect(
    (await call('bot', 'PATCH states/user/{user}/profile', { payload: { note: 'c' } }))
      .body.state,
  ).toMatchObject({ payload: { note: 'c' } })
  expect((await call('bot', 'GET states/user/{user}/profile')).body.state.id).not.toBe(
    first.id,
  )
})

test('a patch sets top keys only, and null is a value', async () => {
  const line = 'states/bot/{bot}/settings'
  await state('bot', `POST ${line}`, { payload: { a: { b: 1, c: 2 }, d: 1 } })
  expect(
    await state('bot', `PATCH ${line}`, { payload: { a: { b: 2 }, d: null } }),
  ).toEqual({
    a: { b: 2 },
    d: null,
  })
})

test('the bot and each of its integrations have separate states', async () => {
  const line = 'states/conversation/{conversation}/memory'
  await state('tg', `POST ${line}`, { payload: { of: 'tg' } })
  expect(await state('bot', `GET ${line}`)).toBe('404 ResourceNotFound')
  expect(await state('other', `GET ${line}`)).toBe('404 ResourceNotFound')
  await state('bot', 'POST states/conversation/{conversation}/session', {
    payload: { step: 9 },
  })
  expect(await state('tg', 'GET states/conversation/{conversation}/session')).toBe(
    '404 ResourceNotFound',
  )
  expect(await state('tg', `GET ${line}`)).toEqual({ of: 'tg' })
  for (const as of ['tg', 'other', 'stranger'] as const)
    await state(as, 'POST states/integration/me/login', { payload: { key: as } })
  for (const as of ['tg', 'other', 'stranger'] as const)
    expect(await state(as, 'GET states/integration/me/login')).toEqual({ key: as })
})

test('a bot without declarations sets any state, and every bot sets states of its plugins', async () => {
  expect(
    await state('strangers bot', 'POST states/bot/free/constructor', {
      payload: { a: 1 },
    }),
  ).toEqual({
    a: 1,
  })
  expect(
    await state('bot', 'POST states/bot/any%2Fword/files%23queue', { payload: { a: 1 } }),
  ).toEqual({
    a: 1,
  })
  expect(await state('bot', 'GET states/bot/any%2Fword/files%23queue')).toEqual({ a: 1 })
  expect(
    (await call('bot', 'GET states/bot/any%2Fword/files%23queue')).body.state,
  ).toMatchObject({
    name: 'files#queue',
    type: 'bot',
  })
})

test('accepts ids and names of 200 characters in any script', async () => {
  const word = () =>
    Array.from({ length: 200 }, () =>
      String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000)),
    ).join('')
  const [id, name] = [word(), word()]
  const line = `states/bot/${encodeURIComponent(id)}/${encodeURIComponent(name)}`
  expect(
    (await call('strangers bot', `POST ${line}`, { payload: { a: 1 } })).body.state,
  ).toMatchObject({
    name,
    payload: { a: 1 },
  })
  expect(await state('strangers bot', `GET ${line}`)).toEqual({ a: 1 })
})

test('a new version of an integration finds the states of the version before', async () => {
  const versions = ['2.0.0', '3.0.0'].map((version) => ({
    version,
    id: newId('integration'),
  }))
  for (const { id, version } of versions)
    await sql`
      insert into integration (id, workspace_id, name, version, url, definition)
      values (${id}, ${scene.workspaceId}, 'remembering', ${version}, 'http://127.0.0.1:9/',
        ${JSON.stringify(telegram)}::jsonb)`.execute(scene.app.services.db)
  const install = (entry: unknown) =>
    scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
      body: { integrations: { rem: entry } },
    })
  const login = (id: string, payload?: object) =>
    scene.call(payload ? 'POST' : 'GET', `/v1/chat/states/integration/${id}/login`, {
      headers: { ...scene.asBot, 'x-integration-alias': 'rem', 'x-integration-id': id },
      ...(payload && { body: { payload } }),
    })
  const [before, after] = versions as [
    (typeof versions)[number],
    (typeof versions)[number],
  ]
  await install({ integrationId: before.id, enabled: true })
  expect((await login(before.id, { key: 'k' })).status).toBe(200)
  await install({ integrationId: after.id, enabled: true })
  expect((await login(after.id)).body.state.payload).toEqual({ key: 'k' })
  await install(null)
  await install({ integrationId: after.id, enabled: true })
  expect((await login(after.id)).body.type).toBe('ResourceNotFound')
})

test('deletes states with their conversation or user', async () => {
  ids.guest = (await call('tg', 'POST users', { tags: {} })).body.user.id
  ids.talk = (
    await call('tg', 'POST conversations', { channel: 'dm', tags: {} })
  ).body.conversation.id
  await state('bot', 'POST states/user/{guest}/profile', { payload: { note: 'secret' } })
  await state('tg', 'POST states/user/{guest}/profile', { payload: { lang: 'fr' } })
  await state('bot', 'POST states/conversation/{talk}/session', { payload: { step: 1 } })
  const remaining = () =>
    scene.app.services.db
      .selectFrom('state')
      .select('id')
      .where('subject_id', 'in', [ids.guest!, ids.talk!])
      .execute()
  expect(await remaining()).toHaveLength(3)
  await call('tg', 'DELETE users/{guest}')
  await call('tg', 'DELETE conversations/{talk}')
  expect(await remaining()).toEqual([])
})

test('a workflow has states with any name and content, which are deleted with it', async () => {
  const made = await call('bot', 'POST workflows', {
    name: 'onboard',
    status: 'listening',
  })
  ids.workflow = made.body.workflow.id
  const line = 'states/workflow/{workflow}/workflowSteps'
  expect(
    (await call('bot', `POST ${line}`, { payload: { steps: [1] } })).body.state,
  ).toMatchObject({
    type: 'workflow',
    payload: { steps: [1] },
  })
  expect(await state('bot', `PATCH ${line}`, { payload: { done: true } })).toEqual({
    steps: [1],
    done: true,
  })
  expect(await state('bot', `GET ${line}`)).toEqual({ steps: [1], done: true })
  expect(await state('strangers bot', `POST ${line}`, { payload: {} })).toBe(
    '400 ReferenceNotFound',
  )
  expect(await state('tg', `POST ${line}`, { payload: {} })).toBe('400 ReferenceNotFound')
  expect((await call('bot', 'DELETE workflows/{workflow}')).status).toBe(200)
  expect(
    await scene.app.services.db
      .selectFrom('state')
      .select('id')
      .where('subject_id', '=', ids.workflow!)
      .execute(),
  ).toEqual([])
})

test('rejects a state one byte over 128 KiB, also as the result of a patch', async () => {
  const line = 'states/bot/{bot}/settings'
  const text = (bytes: number) => ({
    text: 'é'.repeat((bytes - '{"text":""}'.length) >> 1) + 'x'.repeat((bytes - 11) & 1),
  })
  expect(await state('bot', `POST ${line}`, { payload: text(maxStateBytes + 1) })).toBe(
    '413 LimitExceeded',
  )
  expect(await state('bot', `POST ${line}`, { payload: text(maxStateBytes) })).toEqual(
    text(maxStateBytes),
  )
  expect(await state('bot', `PATCH ${line}`, { payload: { a: 1 } })).toBe(
    '413 LimitExceeded',
  )
  expect(
    await state('bot', `POST ${line}/get-or-set`, { payload: text(maxStateBytes + 1) }),
  ).toEqual(text(maxStateBytes))
})

test('fifty concurrent get-or-set calls create one state and return the same', async () => {
  for (let round = 0; round < 5; round++) {
    ids.race = (
      await call('tg', 'POST conversations', { channel: 'dm', tags: {} })
    ).body.conversation.id
    const line = 'POST states/conversation/{race}/session/get-or-set'
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, step) => call('bot', line, { payload: { step } })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    // A read renews the expiry, if the calls take some seconds.
    const states = answers.map(({ body: { state, ...rest } }) => [
      rest,
      { ...state, expiresAt: 0 },
    ])
    expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(1)
    const { rows } = await sql<{
      n: string
    }>`select count(*) as n from state where subject_id = ${ids.race}`.execute(
      scene.app.services.db,
    )
    expect(rows[0]!.n).toBe('1')
  }
})

test('concurrent get-or-set calls with idempotency keys replace an expired state once', async () => {
  ids.race = (
    await call('tg', 'POST conversations', { channel: 'dm', tags: {} })
  ).body.conversation.id
  const url = `/v1/chat/states/conversation/${ids.race}/session`
  const { body: old } = await scene.call('POST', url, {
    headers: scene.asBot,
    body: { payload: { step: 100 } },
  })
  await sql`update state set expires_at = now() where subject_id = ${ids.race}`.execute(
    scene.app.services.db,
  )
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, step) =>
      scene.call('POST', `${url}/get-or-set`, {
        headers: { ...scene.asBot, 'idempotency-key': `race-${step}` },
        body: { payload: { step } },
      }),
    ),
  )
  expect(
    new Set(
      answers.map(
        ({ status, body }) =>
          `${status} ${body.state?.payload.step < 20} ${body.state?.id}`,
      ),
    ).size,
  ).toBe(1)
  expect(answers[0]).toMatchObject({ status: 200 })
  const expiryEvents = () =>
    scene.invoked.filter(
      ({ body }) =>
        body?.event?.type === 'state_expired' &&
        body.event.payload.state.id === old.state.id,
    )
  await expect.poll(() => expiryEvents().length, { timeout: 10_000 }).toBe(1)
})

test('concurrent patches all take effect', async () => {
  const line = 'states/bot/{bot}/settings'
  await state('bot', `POST ${line}`, { payload: { whole: true } })
  await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      call('bot', `PATCH ${line}`, { payload: { [`k${i}`]: i } }),
    ),
  )
  expect(await state('bot', `GET ${line}`)).toEqual({
    whole: true,
    ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, i])),
  })
})
