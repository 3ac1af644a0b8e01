// The Admin API over HTTP: its errors and its responses.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstWorkspaceId } from '../../src/core/accounts/bootstrap.ts'
import { createToken } from '../../src/core/accounts/tokens.ts'
import { chatIntegrationId } from '../../src/core/catalog/integrations/hub.ts'
import { openScene, type Scene } from '../support/scene.ts'

let scene: Scene
const credentials: Record<'owner' | 'developer' | 'viewer' | 'stranger', string> = {
  owner: '',
  developer: '',
  viewer: '',
  stranger: '',
}
type CallerName = keyof typeof credentials | 'anonymous' | 'bot'
let botId = ''
let botKey = ''
let strangersBot = ''
let strangersWorkspace = ''

interface Call {
  as?: CallerName
  workspace?: string | null
  headers?: Record<string, string>
  body?: unknown
}
async function call(
  line: string,
  { as = 'owner', workspace = firstWorkspaceId, headers = {}, body }: Call = {},
) {
  const [method, url] = line.split(' ') as ['GET', string]
  const token = { ...credentials, bot: botKey, anonymous: undefined }[as]
  return scene.call(method, url, {
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(workspace && { 'x-workspace-id': workspace }),
      ...headers,
    },
    body,
  })
}
const create = async (body: unknown = {}, more: Call = {}) =>
  (await call('POST /v1/admin/bots', { ...more, body })).body.bot

beforeAll(async () => {
  scene = await openScene()
  const { db } = scene.app.services
  credentials.owner = scene.token
  for (const role of ['developer', 'viewer', 'stranger'] as const) {
    const accountId = `accnt_${role}`
    await db
      .insertInto('account')
      .values({
        id: accountId,
        email: `${role}@example.com`,
        name: null,
        picture_url: null,
      })
      .execute()
    if (role !== 'stranger')
      await db
        .insertInto('workspace_member')
        .values({ workspace_id: firstWorkspaceId, account_id: accountId, role })
        .execute()
    credentials[role] = (await createToken(db, { kind: 'pat', accountId }, '')).value
  }
  botId = (await create({ name: 'Ours' })).id
  botKey = (await call('POST /v1/admin/bots/baks', { body: { botId } })).body.value
  strangersWorkspace = (
    await call('POST /v1/admin/workspaces', { as: 'stranger', body: { name: 'Theirs' } })
  ).body.id
  strangersBot = (await create({}, { as: 'stranger', workspace: strangersWorkspace })).id
})
afterAll(() => scene?.close())

const withoutToken = [
  'GET /v1/admin/account/me',
  'PUT /v1/admin/account/me',
  'GET /v1/admin/account/pats',
  'POST /v1/admin/account/pats',
  'DELETE /v1/admin/account/pats/x',
  'GET /v1/admin/account/preferences/x',
  'POST /v1/admin/account/preferences/x',
  'POST /v1/admin/workspaces',
  'GET /v1/admin/workspaces',
  'GET /v1/admin/workspaces/x',
  'PUT /v1/admin/workspaces/x',
  'PUT /v1/admin/workspaces/handle-availability',
  'POST /v1/admin/bots',
  'GET /v1/admin/bots',
  'GET /v1/admin/bots/x',
  'PUT /v1/admin/bots/x',
  'DELETE /v1/admin/bots/x',
  'GET /v1/admin/bots/baks?botId=x',
  'POST /v1/admin/bots/baks',
  'DELETE /v1/admin/bots/baks/x',
  'POST /v1/admin/introspect',
]
test.each(withoutToken)('%s requires a token', async (line) => {
  expect(await call(line, { as: 'anonymous' })).toMatchObject({
    status: 401,
    body: { code: 401, type: 'Unauthorized', id: expect.stringMatching(/^err_/) },
  })
})

const ours = () => botId
const theirs = () => strangersBot
const errors: [string, string, () => string, Call, number, string][] = [
  [
    'another workspace in the header',
    'GET /v1/admin/bots/{}',
    ours,
    { as: 'stranger' },
    401,
    'Unauthorized',
  ],
  [
    'no workspace',
    'GET /v1/admin/bots/{}',
    ours,
    { workspace: null },
    401,
    'Unauthorized',
  ],
  [
    "a bot's key on the Admin API",
    'GET /v1/admin/bots/{}',
    ours,
    { as: 'bot' },
    403,
    'Forbidden',
  ],
  ["another's bot", 'GET /v1/admin/bots/{}', theirs, {}, 404, 'ResourceNotFound'],
  [
    "changing another's bot",
    'PUT /v1/admin/bots/{}',
    theirs,
    { body: { name: 'x' } },
    404,
    'ResourceNotFound',
  ],
  [
    "deleting another's bot",
    'DELETE /v1/admin/bots/{}',
    theirs,
    {},
    404,
    'ResourceNotFound',
  ],
  [
    "keys of another's bot",
    'GET /v1/admin/bots/baks?botId={}',
    theirs,
    {},
    404,
    'ResourceNotFound',
  ],
  [
    'a viewer who creates',
    'POST /v1/admin/bots',
    ours,
    { as: 'viewer', body: {} },
    403,
    'Forbidden',
  ],
  [
    'a viewer who changes',
    'PUT /v1/admin/bots/{}',
    ours,
    { as: 'viewer', body: {} },
    403,
    'Forbidden',
  ],
  [
    'a viewer who deletes',
    'DELETE /v1/admin/bots/{}',
    ours,
    { as: 'viewer' },
    403,
    'Forbidden',
  ],
  [
    "a developer who deletes another's bot",
    'DELETE /v1/admin/bots/{}',
    ours,
    { as: 'developer' },
    403,
    'Forbidden',
  ],
  [
    "another's workspace",
    'GET /v1/admin/workspaces/{}',
    () => strangersWorkspace,
    {},
    404,
    'ResourceNotFound',
  ],
  [
    "changing another's workspace",
    'PUT /v1/admin/workspaces/{}',
    () => strangersWorkspace,
    { body: { name: 'x' } },
    404,
    'ResourceNotFound',
  ],
  [
    'a developer who renames the workspace',
    'PUT /v1/admin/workspaces/{}',
    () => firstWorkspaceId,
    { as: 'developer', body: { name: 'x' } },
    403,
    'Forbidden',
  ],
  [
    'an unknown token id',
    'DELETE /v1/admin/account/pats/{}',
    () => 'pat_x',
    {},
    404,
    'ResourceNotFound',
  ],
  [
    'an unknown key id',
    'DELETE /v1/admin/bots/baks/{}',
    () => 'bak_x',
    {},
    404,
    'ResourceNotFound',
  ],
  [
    'a token without a note',
    'POST /v1/admin/account/pats',
    ours,
    { body: {} },
    400,
    'InvalidPayload',
  ],
  [
    'an unknown property',
    'PUT /v1/admin/account/me',
    ours,
    { body: { id: 'other' } },
    400,
    'InvalidPayload',
  ],
  [
    'a workspace without a name',
    'POST /v1/admin/workspaces',
    ours,
    { body: {} },
    400,
    'InvalidPayload',
  ],
  [
    'an invalid handle',
    'PUT /v1/admin/workspaces/handle-availability',
    ours,
    { body: { handle: 'No!' } },
    400,
    'InvalidPayload',
  ],
  [
    'tags that are not text',
    'POST /v1/admin/bots',
    ours,
    { body: { tags: { a: 1 } } },
    400,
    'InvalidPayload',
  ],
  [
    'an unknown sort field',
    'GET /v1/admin/bots?sortField=secret',
    ours,
    {},
    400,
    'InvalidQuery',
  ],
  [
    'an invalid page token',
    'GET /v1/admin/bots?nextToken=x',
    ours,
    {},
    400,
    'InvalidQuery',
  ],
  [
    'an unknown plugin',
    'PUT /v1/admin/bots/{}',
    ours,
    { body: { plugins: { p: { id: 'plugver_x' } } } },
    400,
    'ReferenceNotFound',
  ],
  [
    "introspection of another's bot",
    'POST /v1/admin/introspect',
    ours,
    { body: { botId: 'bot_x' } },
    403,
    'Forbidden',
  ],
]
test.each(errors)('rejects %s', async (_, line, id, more, status, type) => {
  expect(await call(line.replace('{}', id()), more)).toMatchObject({
    status,
    body: { code: status, type },
  })
})

test.each([
  ['GET', undefined],
  ['PUT', {}],
  ['DELETE', undefined],
])(
  "rejects %s of another's bot with the message for a missing bot",
  async (method, body) => {
    const unknown = 'bot_01KAJ0ZP5S8V3N7Q4XW2R9TDHM'
    const [foreign, none] = [
      await call(`${method} /v1/admin/bots/${strangersBot}`, { body }),
      await call(`${method} /v1/admin/bots/${unknown}`, { body }),
    ]
    expect({ ...foreign.body, id: '' }).toEqual({
      ...none.body,
      id: '',
      message: none.body.message.replace(unknown, strangersBot),
    })
  },
)

describe('a bot', () => {
  test('is returned with every map, and with its secret only at creation', async () => {
    const made = await create({ secrets: { KEY: 'hidden' }, description: 'A bot' })
    expect(made.signingSecret).not.toBe('')
    const { bot } = (await call(`GET /v1/admin/bots/${made.id}`)).body
    expect(bot).toMatchObject({
      signingSecret: '',
      secrets: ['KEY'],
      description: 'A bot',
      dev: false,
      status: 'active',
      plugins: {},
      medias: [],
      states: {},
      events: {},
      actions: {},
      recurringEvents: {},
      user: { tags: {} },
      conversation: { tags: {} },
      message: { tags: {} },
      configuration: { data: {}, schema: { type: 'object', properties: {} } },
      subscriptions: { events: null },
      tags: {},
    })
    expect(JSON.stringify(bot)).not.toContain('hidden')
  })

  test('lists its integrations by alias with x-multiple-integrations, else by id', async () => {
    const [old, now] = [
      await call(`GET /v1/admin/bots/${botId}`),
      await call(`GET /v1/admin/bots/${botId}`, {
        headers: { 'x-multiple-integrations': 'true' },
      }),
    ]
    const chat = now.body.bot.integrations.chat
    expect(chat).toMatchObject({
      id: chatIntegrationId,
      name: 'chat',
      version: '0.99.0',
      enabled: true,
      status: 'registered',
      configuration: {},
    })
    expect(chat.webhookUrl).toMatch(new RegExp(`^http://.+/chat/${chat.webhookId}$`))
    expect(old.body.bot.integrations).toEqual({ [chatIntegrationId]: chat })
  })

  test('accepts all fields of deployments', async () => {
    const made = await create()
    const body = {
      name: 'Deployed',
      layers: [],
      shouldMergePlugins: true,
      sdkVersion: '7.2.2',
      plugins: { gone: null },
      events: {
        order: {
          schema: { type: 'object', 'x-zui': {} },
          attributes: { a: 'b', c: null },
          extra: 1,
        },
      },
      recurringEvents: {
        tick: { schedule: { cron: '* * * * *' }, type: 'tick', payload: { n: 1 } },
      },
      states: { cart: { type: 'user', schema: {}, extra: 1 } },
      subscriptions: { events: { order: {} } },
    }
    const { status, body: answer } = await call(`PUT /v1/admin/bots/${made.id}`, { body })
    expect(status).toBe(200)
    expect(answer.bot).toMatchObject({
      name: 'Deployed',
      events: {
        order: { schema: { type: 'object', 'x-zui': {} }, attributes: { a: 'b' } },
      },
      states: { cart: { type: 'user', schema: {} } },
      recurringEvents: {
        tick: { type: 'tick', failedAttempts: 0, lastFailureReason: null },
      },
      subscriptions: { events: { order: {} } },
    })
  })

  test('is deleted by its developer, and its keys stop working', async () => {
    const made = await create({}, { as: 'developer' })
    const key = (await call('POST /v1/admin/bots/baks', { body: { botId: made.id } }))
      .body.value
    expect(
      await call(`DELETE /v1/admin/bots/${made.id}`, { as: 'developer', body: {} }),
    ).toEqual({
      status: 200,
      body: {},
    })
    expect(await call(`GET /v1/admin/bots/${made.id}`)).toMatchObject({ status: 404 })
    expect(
      await call('POST /v1/admin/introspect', {
        headers: { authorization: `Bearer ${key}` },
        body: { botId: made.id },
      }),
    ).toMatchObject({ status: 401 })
  })

  test('is listed page by page', async () => {
    const tag = { group: 'pages' }
    const made = []
    for (let i = 0; i < 5; i++) made.push((await create({ tags: tag })).id)
    const seen: string[] = []
    let nextToken = ''
    do {
      const after = nextToken && `&nextToken=${encodeURIComponent(nextToken)}`
      const { body } = await call(
        `GET /v1/admin/bots?tags.group=pages&pageSize=2${after}`,
      )
      seen.push(...body.bots.map((bot: { id: string }) => bot.id))
      nextToken = body.meta.nextToken ?? ''
    } while (nextToken)
    expect(seen).toEqual(made.toReversed())
    const first = await call('GET /v1/admin/bots?tags.group=pages&pageSize=2')
    const token = encodeURIComponent(first.body.meta.nextToken)
    expect(await call(`GET /v1/admin/bots?pageSize=2&nextToken=${token}`)).toMatchObject({
      status: 400,
      body: { type: 'InvalidQuery' },
    })
    expect(
      await call(`GET /v1/admin/bots?tags.group=pages&pageSize=2&nextToken=${token}`, {
        as: 'stranger',
        workspace: strangersWorkspace,
      }),
    ).toMatchObject({
      status: 400,
    })
  })
})

describe('tokens and keys', () => {
  test('work from their creation until they are revoked', async () => {
    const { pat } = (
      await call('POST /v1/admin/account/pats', { workspace: null, body: { note: 'ci' } })
    ).body
    const me = () =>
      call('GET /v1/admin/account/me', {
        workspace: null,
        headers: { authorization: `Bearer ${pat.value}` },
      })
    expect((await me()).status).toBe(200)
    expect((await call('GET /v1/admin/account/pats')).body.pats).toContainEqual({
      id: pat.id,
      createdAt: pat.createdAt,
      note: 'ci',
    })
    expect(
      await call(`DELETE /v1/admin/account/pats/${pat.id}`, { as: 'stranger' }),
    ).toMatchObject({
      status: 404,
    })
    expect(await call(`DELETE /v1/admin/account/pats/${pat.id}`, { body: {} })).toEqual({
      status: 200,
      body: {},
    })
    expect((await me()).status).toBe(401)
  })

  test('are listed for their bot', async () => {
    const key = (
      await call('POST /v1/admin/bots/baks', { body: { botId, note: 'listed' } })
    ).body
    expect(
      (await call(`GET /v1/admin/bots/baks?botId=${botId}`)).body.baks,
    ).toContainEqual({
      id: key.id,
      createdAt: key.createdAt,
      note: 'listed',
    })
    expect(
      await call(`DELETE /v1/admin/bots/baks/${key.id}`, {
        as: 'stranger',
        workspace: strangersWorkspace,
      }),
    ).toMatchObject({ status: 404 })
    expect(await call(`DELETE /v1/admin/bots/baks/${key.id}`)).toEqual({
      status: 200,
      body: {},
    })
  })

  test('are introspected to their account or bot', async () => {
    const account = (await call('GET /v1/admin/account/me')).body.account.id
    const ask = (as: CallerName, id = botId) =>
      call('POST /v1/admin/introspect', { as, workspace: null, body: { botId: id } })
    expect(await ask('owner')).toEqual({
      status: 200,
      body: { workspaceId: firstWorkspaceId, botId, userId: account },
    })
    expect(await ask('bot')).toEqual({
      status: 200,
      body: { workspaceId: firstWorkspaceId, botId, userId: botId },
    })
    expect(await ask('stranger')).toMatchObject({ status: 403 })
    expect(await ask('bot', strangersBot)).toMatchObject({ status: 403 })
  })
})

describe('accounts and workspaces', () => {
  test('an account reads and changes itself', async () => {
    await call('PUT /v1/admin/account/me', {
      as: 'viewer',
      workspace: null,
      body: { displayName: 'Vi', refresh: true },
    })
    expect(
      (await call('GET /v1/admin/account/me', { as: 'viewer', workspace: null })).body
        .account,
    ).toMatchObject({
      displayName: 'Vi',
      email: 'viewer@example.com',
      emailVerified: false,
    })
  })

  test('preferences are stored, and deleted without a value', async () => {
    const path = '/v1/admin/account/preferences/a%2Fb'
    expect((await call(`GET ${path}`)).body).toEqual({})
    await call(`POST ${path}`, { body: { value: { open: [1, null] } } })
    expect((await call(`GET ${path}`)).body).toEqual({ value: { open: [1, null] } })
    await call(`POST ${path}`, { body: {} })
    expect((await call(`GET ${path}`)).body).toEqual({})
  })

  test('workspaces are listed without a header, with the number of bots', async () => {
    const { body } = await call('GET /v1/admin/workspaces', {
      as: 'stranger',
      workspace: null,
    })
    expect(body).toMatchObject({
      workspaces: [
        {
          id: strangersWorkspace,
          name: 'Theirs',
          botCount: 1,
          ownerId: 'accnt_stranger',
        },
      ],
      meta: {},
    })
  })

  test('a workspace is changed by its owner', async () => {
    const path = `/v1/admin/workspaces/${strangersWorkspace}`
    const more: Call = { as: 'stranger', workspace: strangersWorkspace }
    const { status, body } = await call(`PUT ${path}`, {
      ...more,
      body: { handle: 'theirs', about: 'us', socialAccounts: ['a'], isPublic: true },
    })
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        handle: 'theirs',
        about: 'us',
        socialAccounts: ['a'],
        isPublic: true,
      }),
    ])
    expect((await call(`GET ${path}`, more)).body).toEqual(body)
    expect(
      await call(`PUT /v1/admin/workspaces/${firstWorkspaceId}`, {
        body: { handle: 'theirs' },
      }),
    ).toMatchObject({
      status: 409,
      body: { type: 'AlreadyExists' },
    })
    const check = await call('PUT /v1/admin/workspaces/handle-availability', {
      body: { handle: 'theirs' },
    })
    expect(check.body).toEqual({
      available: false,
      suggestions: ['theirs-1', 'theirs-2', 'theirs-3'],
    })
  })
})
