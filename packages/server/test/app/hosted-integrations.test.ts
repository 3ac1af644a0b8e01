// Hosted integrations, bundled with the official SDK: one process for each version and workspace,
// with secrets and an own key. The server registers them at installation and unregisters them at
// removal.
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { serverlessNode } from '../../../sandbox/src/serverless-node.ts'
import { appendBotLogs, removeOldBotLogs } from '../../src/core/bots/logs/bot-logs.ts'
import { endForgottenRegistrations } from '../../src/core/catalog/installations/registration-rows.ts'
import { hostedIntegrationKey } from '../../src/core/catalog/integrations/hosted-code.ts'
import { deployIntegrationCode } from '../../src/core/catalog/integrations/integration-code.ts'
import {
  appendIntegrationLogs,
  removeOldIntegrationLogs,
} from '../../src/core/catalog/integrations/integration-logs.ts'
import { sealSecrets } from '../../src/core/catalog/integrations/integration-secrets.ts'
import { toLimits } from '../../src/core/config/limits.ts'
import { removeExcess } from '../../src/core/db/retention.ts'
import { newId } from '../../src/core/lib/ids.ts'
import { definition } from '../support/hosted-integration/definition.ts'
import { openScene, type Scene } from '../support/scene.ts'
import { bundled, integrationBody } from '../support/sdk-sources.ts'

/** Long enough for a busy machine. */
const soon = { interval: 50, timeout: 30_000 }
vi.setConfig({ testTimeout: 60_000 })

let scene: Scene
let source: string
let url: string
const mirror: Record<string, string> = {}

beforeAll(async () => {
  // A long time limit of calls, because processes of hosted code have the lowest priority.
  scene = await openScene({
    config: { limits: toLimits('relaxed', { integrationSeconds: 300 }) },
  })
  url = await scene.listen()
  source = await bundled('hosted-integration/integration.ts')
  mirror.v1 = await deployed('1.0.0', toEdition('first'), { WORD: 'sesame' })
  mirror.v2 = await deployed('2.0.0', toEdition('second'))
}, 60_000)
afterAll(() => scene?.close())

const toEdition = (text: string) => source.replace('EDITION', text)

/** Creates a version with code and secrets, and returns its id. */
async function deployed(
  version: string,
  code: string,
  values: Record<string, string> = {},
  name = 'mirror',
): Promise<string> {
  const { db, secrets, limits } = scene.app.services
  const [id, lineId] = [newId('integration'), randomUUID()]
  const sealed = await sealSecrets(
    secrets,
    limits,
    { id: lineId, workspaceId: scene.workspaceId, secrets: {} },
    values,
  )
  await sql`
    with line as (
      insert into package_line (id, kind, workspace_id, secrets)
      values (${lineId}, 'integration', ${scene.workspaceId}, ${JSON.stringify(sealed)}::jsonb)
    )
    insert into integration (id, workspace_id, name, version, definition, line_id, visibility)
    values (${id}, ${scene.workspaceId}, ${name}, ${version},
      ${JSON.stringify(integrationBody(definition))}::jsonb, ${lineId}, 'public')`.execute(
    db,
  )
  await deployIntegrationCode(db, id, code)
  return id
}

const toHeaders = (workspaceId: string) => ({
  ...scene.admin,
  'x-multiple-integrations': 'true',
  'x-workspace-id': workspaceId,
})

async function newBot(workspaceId = scene.workspaceId): Promise<string> {
  return (
    await scene.call('POST', '/v1/admin/bots', {
      headers: toHeaders(workspaceId),
      body: {},
    })
  ).body.bot.id
}

/** Changes the installation with the alias `mirror`, and returns it from the response. */
async function install(
  botId: string,
  change: object | null,
  workspaceId = scene.workspaceId,
) {
  const { status, body } = await scene.call('PUT', `/v1/admin/bots/${botId}`, {
    headers: toHeaders(workspaceId),
    body: { integrations: { mirror: change } },
  })
  expect([status, body]).toEqual([200, body])
  return body.bot.integrations.mirror
}

const withKey = (key: string, integrationId = mirror.v1) => ({
  integrationId,
  enabled: true,
  configuration: { key },
})
const knock = (webhookId: string, path = '', options: RequestInit = {}) =>
  fetch(`${url}/webhooks/${webhookId}${path}`, options)
const shown = async (webhookId: string, path?: string) =>
  (await knock(webhookId, path)).json()
const listLogged = async (botId: string) =>
  (
    await scene.app.services.db
      .selectFrom('bot_log')
      .select(['level', 'message'])
      .where('bot_id', '=', botId)
      .orderBy('id')
      .execute()
  ).map(({ level, message }) => `${level}: ${message}`)
const logged = (botId: string) => expect.poll(() => listLogged(botId), soon)

test('registers in the update, with its own key and secrets, and receives webhooks unchanged', async () => {
  const botId = await newBot()
  const installed = await install(botId, withKey('k'))
  expect(installed).toMatchObject({
    status: 'registered',
    statusReason: null,
    identifier: 'mirror of k',
  })
  await logged(botId).toEqual([
    `info: first registers mirror with k at ${url}/webhooks/${installed.webhookId}`,
  ])

  const body = '{ "ünï": "\\ud83d\\ude00 😀" }\r\n'
  const answer = await knock(installed.webhookId, '/a/b?c=d&c=%20', {
    method: 'PUT',
    headers: { 'x-signature': 'abc', 'content-type': 'text/odd' },
    body,
  })
  expect([answer.status, answer.headers.get('x-mirror')]).toEqual([203, 'first'])
  const seen = await answer.json()
  expect(seen.req).toMatchObject({
    method: 'PUT',
    path: '/a/b',
    query: 'c=d&c=%20',
    headers: { 'x-signature': 'abc', 'content-type': 'text/odd' },
    body,
  })
  expect(seen.ctx).toMatchObject({
    botId,
    integrationId: mirror.v1,
    integrationAlias: 'mirror',
    configuration: { key: 'k' },
    webhookId: installed.webhookId,
  })
  expect(seen.environment).toEqual({
    ...serverlessNode,
    BP_API_URL: url,
    BP_WEBHOOK_URL: `${url}/webhooks`,
    BP_LOG_FORMAT: 'json',
    BP_TOKEN: 'bp_iak_',
    SECRET_WORD: 'sesame',
  })
})

test('receives messages of the bot in order, and is the cause of what it creates', async () => {
  const botId = await newBot()
  const { webhookId } = await install(botId, withKey('k'))
  const { conversationId } = await shown(webhookId, '/bring')
  const asBot = { ...scene.asBot, 'x-bot-id': botId }
  const ids: string[] = []
  for (const text of ['one', 'two', 'three']) {
    const body = {
      conversationId,
      userId: botId,
      type: 'text',
      payload: { text },
      tags: {},
    }
    ids.push(
      (await scene.call('POST', '/v1/chat/messages', { headers: asBot, body })).body
        .message.id,
    )
  }
  const events = async () => {
    const rows = await scene.app.services.db
      .selectFrom('event')
      .select(['payload', 'cause'])
      .where('bot_id', '=', botId)
      .where('type', '=', 'mirror:seen')
      .orderBy('id')
      .execute()
    return rows.map(({ payload, cause }) => [(payload as { text: string }).text, cause])
  }
  await expect
    .poll(events, soon)
    .toEqual(['one', 'two', 'three'].map((text, i) => [text, ids[i]]))
  const { body } = await scene.call('GET', `/v1/chat/messages/${ids[0]}`, {
    headers: asBot,
  })
  expect(body.message.tags).toEqual({ 'mirror:id': 'out of first' })
})

test('calls actions, and reports runtime errors but not the message of other errors', async () => {
  const botId = await newBot()
  await install(botId, withKey('k'))
  const call = async (text: string) => {
    const body = { type: 'mirror:reverse', input: { text } }
    return (
      await scene.call('POST', '/v1/chat/actions', {
        headers: { ...scene.asBot, 'x-bot-id': botId },
        body,
      })
    ).body
  }
  expect(await call('abc')).toEqual({ output: { text: 'cba' }, meta: { cached: false } })
  expect(await call('refuse')).toMatchObject({
    code: 400,
    type: 'Runtime',
    message: 'Not this one',
  })
  expect(await call('break')).toMatchObject({
    code: 400,
    type: 'Runtime',
    message: expect.not.stringContaining('secret'),
  })
})

test.each([
  ['does not know the key', 'first', 'wrong', 'The mirror does not know this key'],
  ['has a syntax error', 'module.exports = {', 'k', /cannot be loaded: SyntaxError/],
  [
    'throws at once',
    "throw new Error('not today')",
    'k',
    /cannot be loaded: Error: not today/,
  ],
  ['exports nothing', 'exports.nothing = 1', 'k', /exports no function named "handler"/],
  ['ends its process', 'process.exit(3)', 'k', /exit code 3/],
])(
  'one that %s fails to register with a reason, and the bot can still be updated',
  async (_name, code, key, reason) => {
    const botId = await newBot()
    const id = await deployed(
      '1.0.0',
      code === 'first' ? toEdition(code) : code,
      {},
      `broken-${newId('integration')}`,
    )
    const installed = await install(botId, withKey(key, id))
    expect(installed).toMatchObject({
      status: 'registration_failed',
      statusReason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    })
    expect(await install(botId, null)).toBeUndefined()
  },
)

test('reports why code is broken on every attempt, and registers at once after a fix', async () => {
  const { db, invalidate } = scene.app.services
  const id = await deployed('1.0.0', 'exports.handler = oops', {}, 'mended')
  for (let i = 0; i < 3; i++) {
    const { statusReason } = await install(await newBot(), withKey('k', id))
    expect(statusReason).toContain('ReferenceError: oops is not defined')
  }
  await deployIntegrationCode(db, id, toEdition('mended'))
  await invalidate({ integrationId: id })
  expect(await install(await newBot(), withKey('k', id))).toMatchObject({
    status: 'registered',
  })
})

test('signs calls to an integration at a URL with the secret of its creation', async () => {
  const calls: { signature: string; body: string }[] = []
  const server = createServer(async (request, reply) => {
    calls.push({
      signature: String(request.headers['x-bp-signature']),
      body: await text(request),
    })
    reply.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { body } = await scene.call('POST', '/v1/admin/integrations', {
    headers: scene.admin,
    body: { name: 'elsewhere', version: '1.0.0', url: at },
  })
  expect(
    await install(await newBot(), { integrationId: body.integration.id, enabled: true }),
  ).toMatchObject({
    status: 'registered',
  })
  server.closeAllConnections()
  server.close()
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(calls[0]!.signature)!
  expect(signature).toBe(
    createHmac('sha256', body.integration.signingSecret)
      .update(`${seconds}.${calls[0]!.body}`)
      .digest('hex'),
  )
})

describe('a large webhook', () => {
  const code = `exports.handler = async ({ headers, body }) => {
    if (headers['x-bp-operation'] !== 'webhook_received') return {}
    const { req } = JSON.parse(body)
    if (typeof req.body !== 'string') throw new TypeError('no string')
    if (req.path === '/answer') return { body: 'x'.repeat(Number(req.body)) }
    const hash = require('node:crypto').createHash('sha256')
    const bytes = req.bodyBase64 ? Buffer.from(req.bodyBase64, 'base64') : req.body
    return { body: hash.update(bytes).digest('hex') }
  }`
  const megabyte = 1_048_576
  const sha256 = (body: Buffer | string) =>
    createHash('sha256').update(body).digest('hex')
  let webhookId: string
  beforeAll(async () => {
    const integrationId = await deployed('1.0.0', code, {}, 'large')
    webhookId = (await install(await newBot(), withKey('k', integrationId))).webhookId
  })
  const post = async (body: Buffer | string, path = '') => {
    const answer = await knock(webhookId, path, {
      method: 'POST',
      body: body as BodyInit,
    })
    return [answer.status, await answer.text()] as const
  }

  test('of some megabytes reaches the running process', async () => {
    const body = '"ünï\u0001😀'.repeat(200_000)
    expect(await post(body)).toEqual([200, sha256(body)])
  })

  test('of exactly 100 MB arrives unchanged, and one byte more is rejected', async () => {
    const body = Buffer.alloc(100 * megabyte + 1, '{"text": "line\\n"}\n')
    const whole = body.subarray(0, 100 * megabyte)
    expect(await post(whole)).toEqual([200, sha256(whole)])
    const [status, text] = await post(body)
    expect([status, JSON.parse(text).type]).toEqual([413, 'PayloadTooLarge'])
  }, 180_000)

  test('of random bytes arrives unchanged', async () => {
    const body = randomBytes(12 * megabyte)
    expect(await post(body)).toEqual([200, sha256(body)])
  })

  test('is handled concurrently with others, each in its own process', async () => {
    const bodies = ['a', 'b', 'c'].map((letter) => Buffer.alloc(20 * megabyte, letter))
    const small = post('small')
    expect(await Promise.all(bodies.map((body) => post(body)))).toEqual(
      bodies.map((body) => [200, sha256(body)]),
    )
    expect(await small).toEqual([200, sha256('small')])
    // Their processes have ended; the one for small requests remains.
    const { health } = scene.app.services
    await expect
      .poll(async () => (await health.read()).sandbox.processes, soon)
      .toBeLessThan(8)
  })

  test('accepts a response of 1 MB and rejects one byte more', async () => {
    expect(await post(String(megabyte), '/answer')).toEqual([200, 'x'.repeat(megabyte)])
    const [status, text] = await post(String(megabyte + 1), '/answer')
    expect([status, JSON.parse(text).message]).toEqual([
      400,
      'The response has 1048577 bytes; the limit is 1048576',
    ])
  })
})

test('hides errors of the code from webhook callers, and logs the cause with the error id', async () => {
  const code = `exports.handler = async ({ headers, body }) => {
    if (headers['x-bp-operation'] !== 'webhook_received') return {}
    const crash = () => { throw new Error('a secret of the process') }
    if (JSON.parse(body).req.path === '/crash') setImmediate(crash)
    else throw new Error('a secret of the handler')
    await new Promise(() => {})
  }`
  const integrationId = await deployed('1.0.0', code, {}, 'throwing')
  const { webhookId } = await install(await newBot(), withKey('k', integrationId))
  const thrown = await knock(webhookId, '/throws', { method: 'POST' })
  const text = await thrown.text()
  expect(text).not.toContain('secret')
  expect([thrown.status, JSON.parse(text)]).toEqual([
    500,
    {
      id: expect.stringMatching(/^err_\d{14}x[0-9A-F]{8}$/),
      code: 500,
      type: 'Internal',
      message: 'The integration failed to handle the request',
    },
  ])
  const dead = await knock(webhookId, '/crash', { method: 'POST' })
  expect([dead.status, await dead.text()]).toEqual([
    503,
    expect.not.stringContaining('secret'),
  ])
  const { db } = scene.app.services
  const messages = async () =>
    (
      await db
        .selectFrom('integration_log')
        .select('message')
        .where('integration_id', '=', integrationId)
        .execute()
    ).map(({ message }) => message)
  const { id } = JSON.parse(text)
  await expect
    .poll(messages, soon)
    .toEqual(
      expect.arrayContaining([
        `A webhook request failed (${id}): Error: a secret of the handler`,
        expect.stringMatching(
          /^The code ended its process: uncaught: Error: a secret of the process/,
        ),
      ]),
    )
})

test('keeps alias, webhook, identifier and state in an upgrade; unregisters the old version', async () => {
  const botId = await newBot()
  const before = await install(botId, withKey('old'))
  const first = await shown(before.webhookId)
  const after = await install(botId, withKey('new', mirror.v2))
  expect(after).toMatchObject({
    id: mirror.v2,
    version: '2.0.0',
    status: 'registered',
    webhookId: before.webhookId,
    identifier: 'mirror of new',
  })
  const second = await shown(before.webhookId)
  expect([first.edition, second.edition, second.ctx.integrationId]).toEqual([
    'first',
    'second',
    mirror.v2,
  ])
  await logged(botId).toEqual([
    expect.stringContaining('first registers mirror with old'),
    'info: first unregisters mirror with old, known as old',
    expect.stringContaining('second registers mirror with new'),
  ])
})

test('stops calls after it is disabled, and removes it even if `unregister` fails', async () => {
  const botId = await newBot()
  const { webhookId } = await install(botId, withKey('k'))
  expect(await install(botId, { enabled: false })).toMatchObject({
    enabled: false,
    status: 'unregistered',
  })
  expect((await knock(webhookId)).status).toBe(404)
  expect(await install(botId, withKey('sticky'))).toMatchObject({
    status: 'registered',
    webhookId,
  })
  expect(await install(botId, null)).toBeUndefined()
  expect(await listLogged(botId)).toContainEqual(
    'error: unregister of mirror failed: The mirror holds on',
  )
})

test('runs changed code or secrets in a new process; the next bot update registers the code', async () => {
  const { db, secrets, limits, invalidate } = scene.app.services
  const botId = await newBot()
  const id = await deployed('1.0.0', toEdition('early'), {}, 'changing')
  const { webhookId } = await install(botId, withKey('k', id))
  const early = await shown(webhookId)
  expect((await shown(webhookId)).life).toBe(early.life)

  await deployIntegrationCode(db, id, toEdition('late'))
  await invalidate({ integrationId: id })
  const late = await shown(webhookId)
  expect([late.edition, late.life === early.life]).toEqual(['late', false])
  await install(botId, { configuration: { key: 'k' } })
  await install(botId, { configuration: { key: 'k' } })
  await logged(botId).toEqual([
    expect.stringContaining('early registers'),
    expect.stringContaining('late registers'),
  ])

  const { line_id } = await db
    .selectFrom('integration')
    .select('line_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const sealed = await sealSecrets(
    secrets,
    limits,
    { id: line_id!, workspaceId: scene.workspaceId, secrets: {} },
    { WORD: 'changed' },
  )
  await db
    .updateTable('package_line')
    .set({ secrets: JSON.stringify(sealed) as never })
    .where('id', '=', line_id)
    .execute()
  await invalidate({ integrationId: id })
  const later = await shown(webhookId)
  expect([later.environment.SECRET_WORD, later.life === late.life]).toEqual([
    'changed',
    false,
  ])
})

test('shares a process between bots of a workspace; its key is not valid in other workspaces', async () => {
  const { db, secrets } = scene.app.services
  const other = (
    await scene.call('POST', '/v1/admin/workspaces', {
      headers: scene.admin,
      body: { name: 'Other' },
    })
  ).body.id
  const [ours, too, theirs] = [await newBot(), await newBot(), await newBot(other)]
  const lives = []
  for (const [botId, workspaceId] of [
    [ours, scene.workspaceId],
    [too, scene.workspaceId],
    [theirs, other],
  ]) {
    const { webhookId } = await install(botId!, withKey(`of ${botId}`), workspaceId)
    lives.push((await shown(webhookId)).life)
  }
  expect([lives[0] === lives[1], lives[0] === lives[2]]).toEqual([true, false])

  const key = await hostedIntegrationKey(db, secrets, mirror.v1!, scene.workspaceId)
  const asMirror = (botId: string) => ({
    authorization: `Bearer ${key}`,
    'x-bot-id': botId,
    'x-integration-alias': 'mirror',
    'x-integration-id': mirror.v1!,
  })
  const listed = async (botId: string) =>
    (await scene.call('GET', '/v1/chat/users', { headers: asMirror(botId) })).status
  expect([
    await listed(ours),
    await listed(too),
    await listed(theirs),
    await listed(scene.botId),
  ]).toEqual([200, 200, 403, 403])
  const introspected = async (botId: string) =>
    (
      await scene.call('POST', '/v1/admin/introspect', {
        headers: { authorization: `Bearer ${key}` },
        body: { botId },
      })
    ).status
  expect([await introspected(ours), await introspected(theirs)]).toEqual([200, 403])
})

test('shows log lines to authors of the integration, the owner of the bot, or both, as coded', async () => {
  const botId = await newBot()
  const id = await deployed('1.0.0', toEdition('chatty'), {}, 'chatty')
  const { webhookId } = await install(botId, withKey('k', id))
  const since = new Date(Date.now() - 60_000).toISOString()
  await shown(webhookId, '/log')
  const read = async (query: string, headers = scene.admin) =>
    scene.call('GET', `/v1/admin/integrations/${id}/logs?timeStart=${since}&${query}`, {
      headers,
    })
  /** Sorted, because standard output and standard error are read separately. */
  const messages = async (query = '') =>
    (await read(query)).body.logs
      .map(({ message }: { message: string }) => message)
      .sort()
  const all = [
    expect.stringContaining('chatty registers'),
    'for both',
    'for its makers',
    'lines',
    'two',
  ]
  await expect.poll(() => messages(), soon).toEqual(all)
  await expect
    .poll(async () => (await listLogged(botId)).sort(), soon)
    .toEqual([
      'error: for both',
      expect.stringContaining('chatty registers'),
      'info: for the bot only',
    ])

  expect(await messages('level=error')).toEqual(['for both', 'for its makers'])
  expect(await messages('conversationId=conv_1')).toEqual(['for its makers'])
  expect(await messages('userId=user_1')).toEqual(['for both'])
  expect(await messages('messageContains=FOR')).toEqual(['for both', 'for its makers'])
  expect(await messages(`timeEnd=${since}`)).toEqual([])
  const page = (await read('pageSize=2')).body
  const [first, rest] = [
    page.logs.map(({ message }: { message: string }) => message),
    await messages(`pageSize=4&nextToken=${page.nextToken}`),
  ]
  expect([first.length, [...first, ...rest].sort()]).toEqual([2, all])
  const rows = await scene.app.services.db
    .selectFrom('integration_log')
    .select('bot_id')
    .where('integration_id', '=', id)
    .execute()
  expect(new Set(rows.map(({ bot_id }) => bot_id))).toEqual(new Set([botId]))

  const other = (
    await scene.call('POST', '/v1/admin/workspaces', {
      headers: scene.admin,
      body: { name: 'Curious' },
    })
  ).body.id
  expect((await read('', toHeaders(other))).status).toBe(404)
})

test('removes log lines that are too old, and the oldest of an integration over its maximum', async () => {
  const { db } = scene.app.services
  const [few, many] = [
    await deployed('1.0.0', '', {}, 'few'),
    await deployed('1.0.0', '', {}, 'many'),
  ]
  const line = (daysAgo: number) => ({
    at: new Date(Date.now() - daysAgo * 86_400_000),
    level: 'info' as const,
    message: `${daysAgo}`,
  })
  const remaining = async (id: string) =>
    (
      await db
        .selectFrom('integration_log')
        .select('message')
        .where('integration_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ message }) => message)
  await appendIntegrationLogs(scene.app.services, few, [
    line(40),
    line(31),
    line(29),
    line(0),
  ])
  await appendIntegrationLogs(scene.app.services, many, [
    line(29),
    line(3),
    line(2),
    line(1),
  ])
  await removeOldIntegrationLogs(db, 30)
  expect([await remaining(few), await remaining(many)]).toEqual([
    ['29', '0'],
    ['29', '3', '2', '1'],
  ])
  await removeExcess(db, { table: 'integration_log', owner: 'integration_id', max: 2 })
  expect([await remaining(few), await remaining(many)]).toEqual([
    ['29', '0'],
    ['2', '1'],
  ])
  const botId = await newBot()
  await appendBotLogs(scene.app.services, botId, [line(31), line(1)])
  await removeOldBotLogs(db, 30)
  expect(await listLogged(botId)).toEqual(['info: 1'])
})

test('fails or removes a registration that was pending when its server stopped', async () => {
  const { db } = scene.app.services
  const botId = await newBot()
  await install(botId, withKey('k'))
  const forgotten = async (leaves: boolean, age: string) => {
    await sql`
      update installation
      set attempt = 'lost', status = 'registration_pending', leaves = ${leaves},
        updated_at = now() - ${age}::interval
      where bot_id = ${botId} and alias = 'mirror'`.execute(db)
    await endForgottenRegistrations(db)
    const row = await db
      .selectFrom('installation')
      .select(['status', 'status_reason'])
      .where('bot_id', '=', botId)
      .where('alias', '=', 'mirror')
      .executeTakeFirst()
    return row && [row.status, row.status_reason]
  }
  expect(await forgotten(false, '1 minute')).toEqual(['registration_pending', null])
  expect(await forgotten(false, '1 hour')).toEqual([
    'registration_failed',
    'The server stopped before it received a response',
  ])
  expect(await forgotten(true, '1 hour')).toBeUndefined()
})
