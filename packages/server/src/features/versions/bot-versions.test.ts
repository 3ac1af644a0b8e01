// Deploying a version restores the bot's state. An exported document creates the same bot when it
// is imported, and contains no secrets.
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { telegram } from '../../../test/support/messaging-rows.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { newId } from '../../core/lib/ids.ts'

let scene: Scene
let integrationId: string
let received: { operation: string; headers: IncomingHttpHeaders; body: string }[] = []
/** The bot at its URL and the integration. */
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  received.push({
    operation: `${request.url!.slice(1)} ${request.headers['x-bp-operation']}`,
    headers: request.headers,
    body,
  })
  response.end('{}')
})
const toUrl = (path: string) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  scene = await openScene()
  integrationId = newId('integration')
  const schema = {
    type: 'object',
    properties: { key: { type: 'string' } },
    required: ['key'],
  }
  const definition = { ...telegram, configuration: { ...telegram.configuration, schema } }
  await sql`
    insert into integration (id, workspace_id, name, version, url, definition)
    values (${integrationId}, ${scene.workspaceId}, 'telegram', '1.0.0', ${toUrl('integration')},
      ${JSON.stringify(definition)}::jsonb)`.execute(scene.app.services.db)
})
afterAll(async () => {
  await scene?.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  received = []
})

const call = async (line: string, body?: unknown) => {
  const [method, path] = line.split(' ') as ['GET' | 'POST' | 'PUT', string]
  return scene.call(method, `/v1/admin/bots${path}`, {
    headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
    ...(body !== undefined && { body }),
  })
}
const good = async (line: string, body?: unknown) => {
  const reply = await call(line, body)
  expect(reply, line).toMatchObject({ status: 200 })
  return reply.body
}

const tag = { tags: { vip: { title: 'VIP' } } }
const schema = {
  type: 'object',
  properties: {
    token: { type: 'string', 'x-zui': { secret: true } },
    greeting: { type: 'string' },
  },
}
const rich = {
  code: 'exports.handler = () => {} // first',
  configuration: { data: { token: 'sesame-of-the-bot', greeting: 'hi' }, schema },
  user: tag,
  conversation: tag,
  message: tag,
  medias: [{ url: 'https://example.org/a.png', name: 'a' }],
  states: { cart: { type: 'user', schema: { type: 'object' }, expiry: 60_000 } },
  events: { ordered: { title: 'Ordered', schema: {}, attributes: { a: 'b' } } },
  recurringEvents: {
    daily: { type: 'tick', payload: { n: 1 }, schedule: { cron: '0 0 * * *' } },
  },
  actions: { sum: { title: 'Sum', input: { schema: {} }, output: { schema: {} } } },
  subscriptions: { events: { message_created: {} } },
  maxExecutionTime: 30,
  secrets: { WORD: 'a-secret-word' },
}
const settings = {
  alwaysAlive: true,
  authentication: 'hmac-sha256',
  layers: ['one', 'two'],
}
const installed = () => ({
  integrations: {
    tg: {
      integrationId,
      enabled: true,
      configuration: { key: 'key-of-telegram' },
      disabledChannels: ['dm'],
    },
  },
})

async function richBot(): Promise<string> {
  const { bot } = await good('POST ', { name: 'rich', ...rich })
  await good(`PUT /${bot.id}`, { ...settings, ...installed() })
  received = []
  return bot.id
}

/** The bot as replies show it, without timestamps and ids. */
async function findState(id: string) {
  const { bot } = await good(`GET /${id}`)
  const {
    id: _id,
    createdAt: _made,
    updatedAt: _updated,
    deployedAt: _deployed,
    integrations,
    ...rest
  } = bot
  const { layers, authentication } = await scene.app.services.db
    .selectFrom('bot')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const code = await scene.app.services.db
    .selectFrom('bot_code')
    .select('code')
    .where('bot_id', '=', id)
    .executeTakeFirst()
  const inside = Object.entries(
    integrations as Record<string, Record<string, unknown>>,
  ).map(([alias, one]) => {
    const {
      createdAt: _at,
      updatedAt: _since,
      webhookId: _webhook,
      webhookUrl: _url,
      ...shown
    } = one
    return [alias, shown] as const
  })
  return {
    ...rest,
    layers,
    authentication,
    code: code?.code,
    integrations: Object.fromEntries(inside),
  }
}

/** Changes the code, the configuration, the definitions and the integrations of the bot. */
const changeEverything = async (id: string) => {
  const removed = {
    states: { cart: null, other: { type: 'bot', schema: {} } },
    events: { ordered: { schema: { a: 1 } } },
    actions: { sum: null },
  }
  const emptied = {
    user: { tags: { vip: null, x: {} } },
    recurringEvents: { daily: null },
    subscriptions: { events: null },
    medias: [],
  }
  const changed = {
    code: 'exports.handler = () => {} // second',
    configuration: { data: { token: 'other', other: 1 }, schema: {} },
    maxExecutionTime: 9,
  }
  const set = { alwaysAlive: false, authentication: 'iam', layers: [] }
  await good(`PUT /${id}`, {
    ...removed,
    ...emptied,
    ...changed,
    ...set,
    integrations: { tg: null, chat: { enabled: false } },
  })
  received = []
}

describe('a version', () => {
  test('restores the bot, and registers and unregisters the changed integrations', async () => {
    const id = await richBot()
    const before = await findState(id)
    const { version } = await good(`POST /${id}/versions`, {
      name: 'first',
      description: 'as it began',
    })
    expect(version).toEqual({
      id: expect.stringMatching(/^botver_.{26}$/),
      name: 'first',
      description: 'as it began',
    })
    await changeEverything(id)
    await good(`PUT /${id}`, {
      name: 'renamed',
      tags: { team: 'a' },
      secrets: { WORD: 'newer' },
      integrations: { other: installed().integrations.tg },
    })
    received = []
    expect(await good(`POST /${id}/versions/deploy`, { versionId: version.id })).toEqual(
      {},
    )
    expect(await findState(id)).toEqual({
      ...before,
      name: 'renamed',
      tags: { team: 'a' },
    })
    expect(received.map(({ operation }) => operation).sort()).toEqual([
      'integration register',
      'integration unregister',
    ])
    const recurring = await scene.app.services.db
      .selectFrom('recurring_event')
      .select(['key', 'cron'])
      .where('bot_id', '=', id)
      .execute()
    expect(recurring).toEqual([{ key: 'daily', cron: '0 0 * * *' }])
  })

  test('of a bot without code removes the code', async () => {
    const { bot } = await good('POST ', {})
    const { version } = await good(`POST /${bot.id}/versions`, { name: 'empty' })
    await good(`PUT /${bot.id}`, {
      code: 'exports.handler = () => {}',
      url: toUrl('bot'),
    })
    await good(`POST /${bot.id}/versions/deploy`, { versionId: version.id })
    expect(await findState(bot.id)).toMatchObject({ code: undefined })
    expect(
      await scene.app.services.db
        .selectFrom('bot')
        .select('url')
        .where('id', '=', bot.id)
        .execute(),
    ).toEqual([{ url: null }])
  })

  test('is listed newest first, and equal code is stored once', async () => {
    const id = await richBot()
    const names = ['a', 'b', 'c']
    for (const name of names) await good(`POST /${id}/versions`, { name })
    const { versions } = await good(`GET /${id}/versions`)
    const listed = versions.map(({ name }: { name: string }) => name)
    // The deployment of the code stored the first one.
    expect(listed).toEqual([...names.reverse(), 'Deployed code'])
    expect(
      await scene.app.services.db
        .selectFrom('bot_version_code')
        .select('bot_id')
        .where('bot_id', '=', id)
        .execute(),
    ).toHaveLength(1)
  })

  test('is available at a signed URL that expires, without secrets', async () => {
    const id = await richBot()
    const { version } = await good(`POST /${id}/versions`, { name: 'first' })
    const { url } = await good(`GET /${id}/versions/${version.id}`)
    const fetched = async (change: (given: URL) => void = () => {}) => {
      const address = new URL(url)
      change(address)
      const { statusCode, body } = await scene.app.server.inject({
        method: 'GET',
        url: address.pathname + address.search,
      })
      return { statusCode, body }
    }
    const { statusCode, body } = await fetched()
    expect([statusCode, JSON.parse(body)]).toMatchObject([
      200,
      { kind: 'bot', version: 2, code: rich.code, secrets: ['WORD'] },
    ])
    for (const secret of ['sesame-of-the-bot', 'a-secret-word', 'key-of-telegram'])
      expect(body).not.toContain(secret)
    const other = await good(`POST /${id}/versions`, { name: 'second' })
    const moved = (given: URL, from: string, to: string) => {
      given.pathname = given.pathname.replace(from, to)
    }
    const rejected = {
      'another expiry': (given: URL) =>
        given.searchParams.set('expires', String(Date.now() + 9e9)),
      'no signature': (given: URL) => given.searchParams.delete('signature'),
      'a second signature': (given: URL) => given.searchParams.append('signature', 'x'),
      'another version': (given: URL) => moved(given, version.id, other.version.id),
      'another bot': (given: URL) => moved(given, id, scene.botId),
      'an invalid version': (given: URL) => moved(given, version.id, '%00'),
    }
    for (const [name, change] of Object.entries(rejected))
      expect((await fetched(change)).statusCode, name).toBeOneOf([400, 403])
  })

  test('stores its configuration encrypted', async () => {
    await richBot()
    const { rows } = await sql<{
      text: string
    }>`select string_agg(v::text, '') as text from bot_version v`.execute(
      scene.app.services.db,
    )
    for (const secret of ['sesame-of-the-bot', 'key-of-telegram'])
      expect(rows[0]!.text).not.toContain(secret)
  })

  test('is rejected beyond two hundred versions', async () => {
    const { bot } = await good('POST ', {})
    await good(`POST /${bot.id}/versions`, { name: 'running' })
    await sql`
      insert into bot_version (bot_id, id, name, state, created_at)
      select ${bot.id}, 'botver_' || i, 'n', '', now() - interval '1 day'
        from generate_series(1, 199) i`.execute(scene.app.services.db)
    expect(await call(`POST /${bot.id}/versions`, { name: 'one more' })).toMatchObject({
      status: 413,
      body: { type: 'LimitExceeded' },
    })
  })

  test.each([
    [
      'an unknown version to deploy',
      'POST /{}/versions/deploy',
      { versionId: 'botver_x' },
      404,
    ],
    ['an unknown version to get', 'GET /{}/versions/botver_x', undefined, 404],
    ['an unknown bot', 'GET /bot_x/versions', undefined, 404],
    ['no name', 'POST /{}/versions', { name: '' }, 400],
  ])('rejects %s', async (_, line, body, status) => {
    expect(await call(line.replace('{}', scene.botId), body)).toMatchObject({ status })
  })
})

describe('a document', () => {
  test('creates the same bot when it is imported', async () => {
    const id = await richBot()
    const document = await good(`GET /${id}/bot-json`)
    expect(document).toMatchObject({
      $schema: expect.stringMatching(/\/v1\/schemas\/bot\.json$/),
      kind: 'bot',
      version: 2,
    })
    for (const secret of ['sesame-of-the-bot', 'a-secret-word', 'key-of-telegram'])
      expect(JSON.stringify(document)).not.toContain(secret)
    const before = await findState(id)
    const { version } = await good(`POST /${id}/publish-from-bot-json`, {
      botJson: document,
    })
    expect(await findState(id)).toEqual(before)
    await changeEverything(id)
    await good(`POST /${id}/versions/deploy`, { versionId: version.id })
    expect(await findState(id)).toEqual(before)
  })

  test('can be imported into another bot that has the secrets and configurations', async () => {
    const document = await good(`GET /${await richBot()}/bot-json`)
    const { bot } = await good('POST ', { name: 'other' })
    expect(
      await call(`POST /${bot.id}/publish-from-bot-json`, { botJson: document }),
    ).toMatchObject({
      status: 400,
      body: {
        type: 'InvalidPayload',
        metadata: { problems: [{ pointer: '/secrets/0' }] },
      },
    })
    await good(`PUT /${bot.id}`, { secrets: { WORD: 'its own' } })
    const withKey = {
      ...document,
      integrations: {
        ...document.integrations,
        tg: { ...document.integrations.tg, configuration: { key: 'its own' } },
      },
    }
    await good(`POST /${bot.id}/publish-from-bot-json`, { botJson: withKey })
    const [was, is] = [document, await good(`GET /${bot.id}/bot-json`)]
    expect(is).toEqual(was)
    expect((await good(`GET /${bot.id}`)).bot).toMatchObject({
      name: 'other',
      integrations: { tg: { configuration: { key: 'its own' }, status: 'registered' } },
    })
  })

  test('is rejected with the pointers of all errors, without any effect', async () => {
    const id = await richBot()
    const before = await findState(id)
    const wrong = {
      kind: 'bot',
      version: 3,
      wires: {},
      layers: [1],
      states: { 'a/b': { type: 'nobody', schema: {} } },
      integrations: { x: { name: 'x', version: '1', enabled: true, odd: 1 } },
    }
    const { status, body } = await call(`POST /${id}/publish-from-bot-json`, {
      botJson: wrong,
    })
    expect(status).toBe(400)
    const pointers = body.metadata.problems
      .map(({ pointer }: { pointer: string }) => pointer)
      .sort()
    expect(pointers).toEqual([
      '/integrations/x/odd',
      '/layers/0',
      '/states/a~1b/type',
      '/version',
      '/wires',
    ])
    const unknown = {
      kind: 'bot',
      version: 1,
      integrations: { 'my/x': { name: 'nobody', version: '1.0.0', enabled: true } },
    }
    expect(
      (await call(`POST /${id}/publish-from-bot-json`, { botJson: unknown })).body
        .metadata.problems,
    ).toMatchObject([{ pointer: '/integrations/my~1x' }])
    expect(
      (await call(`POST /${id}/publish-from-bot-json`, { botJson: {} })).body.metadata
        .problems,
    ).toHaveLength(2)
    expect(await findState(id)).toEqual(before)
    expect((await good(`GET /${id}/versions`)).versions).toMatchObject([
      { name: 'Deployed code' },
    ])
  })

  test('with flows creates their bot, and is exported as it was imported', async () => {
    const { bot } = await good('POST ', { name: 'flows' })
    const start = {
      type: 'start',
      cards: [{ type: 'tag', of: 'user', tags: { seen: 'yes' } }],
    }
    const written = {
      kind: 'bot',
      version: 2,
      flows: { main: { nodes: { start } } },
      settings: { nodeRepetitionLimit: 5 },
      states: { cart: { type: 'user', schema: {} } },
      variables: {
        configuration: {
          key: { type: 'string', secret: true },
          tone: { type: 'string' },
        },
      },
      triggers: {
        daily: { type: 'schedule', cron: '0 9 * * *', flow: 'main', payload: { n: 1 } },
      },
      actions: {
        sum: {
          input: { schema: {} },
          output: { schema: {} },
          code: 'return { sum: input.a + input.b }',
        },
      },
    }
    await good(`PUT /${bot.id}`, {
      configuration: { data: { key: 'sesame', tone: 'dry' } },
    })
    const { version } = await good(`POST /${bot.id}/publish-from-bot-json`, {
      botJson: written,
    })
    const state = await findState(bot.id)
    expect(state).toMatchObject({
      code: expect.stringContaining('botsteadFlows'),
      recurringEvents: {
        'flows.schedule.daily': { schedule: { cron: '0 9 * * *' }, payload: { n: 1 } },
      },
      user: { tags: { seen: {} } },
      configuration: { data: { key: 'sesame', tone: 'dry' } },
      integrations: { chat: { name: 'chat', enabled: true } },
    })
    expect(Object.keys(state.states).sort()).toEqual([
      'cart',
      'flows.activity',
      'flows.bot',
      'flows.conversation',
      'flows.user',
    ])
    expect(state.actions.sum).not.toHaveProperty('code')
    const document = await good(`GET /${bot.id}/bot-json`)
    expect(document).toMatchObject({
      ...written,
      recurringEvents: {},
      configuration: { data: { tone: 'dry' } },
    })
    expect([
      document.code,
      Object.keys(document.states),
      document.configuration.data.key,
    ]).toEqual([undefined, ['cart'], undefined])
    await changeEverything(bot.id)
    await good(`POST /${bot.id}/versions/deploy`, { versionId: version.id })
    expect(await findState(bot.id)).toEqual(state)
    const wrong = {
      ...written,
      flows: { main: { nodes: { start: { ...start, next: 'nowhere' } } } },
      hooks: [{ kind: 'beforeIncoming', code: '(' }],
    }
    const refused = await call(`POST /${bot.id}/publish-from-bot-json`, {
      botJson: wrong,
    })
    expect(refused).toMatchObject({
      status: 400,
      body: { metadata: { problems: [{ pointer: '/flows/main/nodes/start/next' }] } },
    })
    expect(await good(`GET /${bot.id}/bot-json`)).toEqual(document)
  })

  test('has a published schema', async () => {
    for (const name of ['bot.json', 'bot-2.json'])
      expect((await scene.call('GET', `/v1/schemas/${name}`)).body, name).toMatchObject({
        $id: expect.stringMatching(`/v1/schemas/${name}$`),
        type: 'object',
        required: ['kind', 'version'],
        additionalProperties: false,
      })
  })
})

describe('signing secrets', () => {
  test('the new and the previous secrets sign requests for a day', async () => {
    const { bot } = await good('POST ', { name: 'signed' })
    const secrets = [bot.signingSecret]
    for (let i = 0; i < 2; i++)
      secrets.unshift(
        (await good(`POST /${bot.id}/signing-secrets/rotate`)).newSigningSecret,
      )
    expect(new Set(secrets).size).toBe(3)
    const signatures = async () => {
      received = []
      await good(`PUT /${bot.id}`, { url: toUrl('bot') })
      const { headers, body } = received[0]!
      const [time, ...given] = String(headers['x-bp-signature']).split(',')
      return {
        given,
        signed: (secret: string) =>
          `v1=${createHmac('sha256', secret)
            .update(`${time!.slice(2)}.${body}`)
            .digest('hex')}`,
      }
    }
    const now = await signatures()
    expect(now.given).toEqual(secrets.map(now.signed))

    const { db } = scene.app.services
    const row = () =>
      db.selectFrom('bot').selectAll().where('id', '=', bot.id).executeTakeFirstOrThrow()
    for (const secret of secrets)
      expect(JSON.stringify(await row())).not.toContain(secret)
    const expired = new Date(Date.now() - 1).toISOString()
    const retired = (await row()).retired_signing_secrets.map((one) => ({
      ...one,
      until: expired,
    }))
    await db
      .updateTable('bot')
      .set({ retired_signing_secrets: JSON.stringify(retired) as never })
      .where('id', '=', bot.id)
      .execute()
    const later = await signatures()
    expect(later.given).toEqual([later.signed(secrets[0])])
    expect((await good(`GET /${bot.id}`)).bot.signingSecret).toBe('')
    for (let i = 0; i < 12; i++) await good(`POST /${bot.id}/signing-secrets/rotate`)
    expect((await signatures()).given).toHaveLength(9)
  })
})
