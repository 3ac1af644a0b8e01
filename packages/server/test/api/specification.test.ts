// The statements of the published API description about listBots, deleteFile and
// configureIntegration. Those about addParticipant are tested in chat-privacy.test.ts.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '../../src/core/accounts/tokens.ts'
import { telegram } from '../support/messaging-rows.ts'
import { openScene, type Scene } from '../support/scene.ts'

let scene: Scene
let code: Server
let botKey: string
let integrationKey: string
/** Calls that the integration received, and its response. */
let calls: { headers: IncomingHttpHeaders; body: Record<string, unknown> }[] = []
let answer = { status: 200, body: '{}' }
const integrationId = 'intver_01J00000000000000SCHEDULED'

beforeAll(async () => {
  scene = await openScene()
  code = createServer(async (request, reply) => {
    let text = ''
    for await (const chunk of request) text += chunk
    calls.push({ headers: request.headers, body: JSON.parse(text) })
    reply
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(answer.body)
  })
  await new Promise<void>((resolve) => code.listen(0, '127.0.0.1', resolve))
  const { db } = scene.app.services
  const url = `http://127.0.0.1:${(code.address() as AddressInfo).port}/`
  await sql`
    insert into integration (id, workspace_id, name, version, url, definition)
    values (${integrationId}, ${scene.workspaceId}, 'scheduled', '1.0.0', ${url},
      ${JSON.stringify(telegram)}::jsonb)`.execute(db)
  const installed = {
    sch: { integrationId, enabled: true, configuration: { token: 't' } },
  }
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
    body: { integrations: installed },
  })
  integrationKey = (await createToken(db, { kind: 'iak', integrationId }, '')).value
  botKey = (
    await scene.call('POST', '/v1/admin/bots/baks', {
      headers: scene.admin,
      body: { botId: scene.botId },
    })
  ).body.value
})
afterAll(async () => {
  await scene?.close()
  code.closeAllConnections()
  await new Promise((resolve) => code.close(resolve))
})

describe('GET /v1/admin/bots', () => {
  const list = (headers: Record<string, string>, query = '') =>
    scene.call('GET', `/v1/admin/bots${query}`, { headers })

  test('returns {bots, meta: {nextToken}} with a token and a workspace', async () => {
    for (let i = 0; i < 3; i++)
      await scene.call('POST', '/v1/admin/bots', {
        headers: scene.admin,
        body: { name: `b${i}`, ...(i === 1 && { code: '' }) },
      })
    const first = await list(scene.admin, '?pageSize=3')
    expect(first).toEqual({
      status: 200,
      body: { bots: expect.any(Array), meta: { nextToken: expect.any(String) } },
    })
    const second = await list(
      scene.admin,
      `?pageSize=3&nextToken=${encodeURIComponent(first.body.meta.nextToken)}`,
    )
    expect(second.body.meta).toEqual({})
    const bots = [...first.body.bots, ...second.body.bots]
    expect(bots.map(({ name }) => name)).toEqual(['b2', 'b1', 'b0', 'scene'])
    const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    for (const { deployedAt, tags, ...bot } of bots) {
      expect(bot).toEqual({
        id: expect.stringMatching(/^bot_/),
        name: expect.any(String),
        createdAt: isoTime,
        updatedAt: isoTime,
        type: 'studio',
      })
      expect([tags, deployedAt ?? new Date().toISOString()]).toEqual([{}, isoTime])
    }
  })

  const bearer = (token: string) => ({ ...scene.admin, authorization: `Bearer ${token}` })
  const errors: [string, () => Record<string, string>, number, string][] = [
    ['no token', () => ({ 'x-workspace-id': scene.workspaceId }), 401, 'Unauthorized'],
    ['a wrong token', () => bearer('bp_pat_wrong'), 401, 'Unauthorized'],
    [
      'no workspace',
      () => ({ authorization: `Bearer ${scene.token}` }),
      401,
      'Unauthorized',
    ],
    [
      'an empty workspace',
      () => ({ ...scene.admin, 'x-workspace-id': '' }),
      401,
      'Unauthorized',
    ],
    [
      'a wrong workspace',
      () => ({ ...scene.admin, 'x-workspace-id': randomUUID() }),
      401,
      'Unauthorized',
    ],
    [
      'an invalid workspace id',
      () => ({ ...scene.admin, 'x-workspace-id': "' or 1=1" }),
      401,
      'Unauthorized',
    ],
    ['a key without the permission', () => bearer(botKey), 403, 'Forbidden'],
  ]
  test.each(errors)('rejects %s', async (_, headers, code, type) => {
    const { status, body } = await list(headers())
    expect([status, body]).toEqual([
      code,
      { id: expect.any(String), code, type, message: expect.any(String) },
    ])
  })

  test('answers 404 for an unknown bot', async () => {
    const { status, body } = await scene.call(
      'GET',
      '/v1/admin/bots/bot_01KAJ0ZP5S8V3N7Q4XW2R9TDHM',
      {
        headers: scene.admin,
      },
    )
    expect([status, body.type]).toEqual([404, 'ResourceNotFound'])
  })
})

describe('DELETE /v1/files/{id}', () => {
  const put = async (key: string, headers = scene.asBot) =>
    (await scene.call('PUT', '/v1/files', { headers, body: { key, size: 1 } })).body.file
      .id as string
  const remove = (id: string, headers = scene.asBot) =>
    scene.call('DELETE', `/v1/files/${encodeURIComponent(id)}`, { headers })

  test.each([
    'plain',
    'a/b/c.txt',
    '/leading',
    'with space',
    'ä%2Fö',
    'a#b?c=d',
    'file_01KAJ0ZP5S8V3N7Q4XW2R9TDHM',
  ])('deletes by id and by key %j, and returns {}', async (key) => {
    expect(await remove(await put(key))).toEqual({ status: 200, body: {} })
    await put(key)
    expect(await remove(key)).toEqual({ status: 200, body: {} })
    expect((await remove(key)).body).toMatchObject({
      code: 404,
      type: 'ResourceNotFound',
    })
  })

  test.each([
    ['x-integration-id', () => integrationId],
    ['x-integration-alias', () => 'sch'],
  ])('reads the integration from %s', async (header, value) => {
    const headers = { ...scene.asBot, [header]: value() }
    expect(await remove(await put('by an integration', headers), headers)).toEqual({
      status: 200,
      body: {},
    })
  })

  test('reads the bot from x-bot-id', async () => {
    const id = await put('for reading')
    expect((await remove(id, { ...scene.asBot, 'x-user-role': 'viewer' })).status).toBe(
      403,
    )
    expect((await remove(id, { authorization: scene.asBot.authorization! })).status).toBe(
      400,
    )
    expect((await remove(id, { 'x-bot-id': scene.botId })).status).toBe(401)
    expect(
      (await remove(id, { ...scene.asBot, authorization: `Bearer ${botKey}` })).status,
    ).toBe(200)
  })
})

describe('POST /v1/chat/integrations/configure', () => {
  const asIntegration = () => ({
    authorization: `Bearer ${integrationKey}`,
    'x-bot-id': scene.botId,
  })
  const configure = (body: unknown, headers: Record<string, string> = asIntegration()) =>
    scene.call('POST', '/v1/chat/integrations/configure', { headers, body })
  const stored = () =>
    scene.app.services.db
      .selectFrom('installation')
      .selectAll()
      .where('bot_id', '=', scene.botId)
      .where('alias', '=', 'sch')
      .executeTakeFirstOrThrow()
  const done = { status: 200, body: {} }

  test('keeps the values of missing properties', async () => {
    expect(
      await configure({
        identifier: 'kept',
        scheduleRegisterCall: 'weekly',
        sandboxIdentifiers: {},
      }),
    ).toEqual(done)
    const before = await stored()
    expect([
      before.identifier,
      before.register_schedule,
      before.sandbox_identifiers,
    ]).toEqual(['kept', 'weekly', {}])
    for (const body of [
      {},
      undefined,
      { sandboxIdentifiers: {} },
      { identifier: 'kept' },
    ])
      expect(await configure(body), JSON.stringify(body)).toEqual(done)
    expect({ ...(await stored()), updated_at: before.updated_at }).toEqual(before)
  })

  test.each([
    { unknown: 1 },
    { identifiers: 'a' },
    { schedule: 'hourly' },
    { identifier: 'a', alias: 'b' },
    { __proto__x: 1 },
    { status: 'registered' },
  ])('rejects other properties: %j', async (body) => {
    const before = await stored()
    expect((await configure(body)).body).toMatchObject({
      code: 400,
      type: 'InvalidPayload',
    })
    expect(await stored()).toEqual(before)
  })

  test.each([
    ['201 letters', 'x'.repeat(201)],
    ['a number', 1],
    ['a list', []],
    ['an object', {}],
    ['a boolean', true],
  ])('rejects %s as identifier and keeps the previous one', async (_, identifier) => {
    expect(await configure({ identifier: 'kept' })).toEqual(done)
    expect((await configure({ identifier })).body).toMatchObject({
      code: 400,
      type: 'InvalidPayload',
    })
    expect((await stored()).identifier).toBe('kept')
  })

  test.each([
    ['one letter', 'a'],
    ['200 ASCII letters', 'x'.repeat(200)],
    ['200 letters with diacritics', 'ü'.repeat(200)],
    ['200 emoji', '🤖'.repeat(200)],
    ['null', null],
  ])('accepts %s as identifier', async (_, identifier) => {
    expect(await configure({ identifier })).toEqual(done)
    expect((await stored()).identifier).toBe(identifier)
  })

  const hour = 3_600_000
  test.each([
    ['hourly', hour, hour],
    ['daily', 24 * hour, 24 * hour],
    ['weekly', 7 * 24 * hour, 7 * 24 * hour],
    ['bi-weekly', 14 * 24 * hour, 14 * 24 * hour],
    ['monthly', 28 * 24 * hour, 31 * 24 * hour],
    ['bi-monthly', 59 * 24 * hour, 62 * 24 * hour],
    ['quarterly', 89 * 24 * hour, 92 * 24 * hour],
    ['yearly', 365 * 24 * hour, 366 * 24 * hour],
  ])('accepts the schedule %s', async (scheduleRegisterCall, minMs, maxMs) => {
    const now = Date.now()
    expect(await configure({ scheduleRegisterCall })).toEqual(done)
    const { register_schedule, register_at } = await stored()
    expect(register_schedule).toBe(scheduleRegisterCall)
    expect(register_at!.getTime() - now).toBeGreaterThanOrEqual(minMs)
    expect(register_at!.getTime() - now).toBeLessThanOrEqual(maxMs + 10_000)
  })
  test.each(['never', 'Hourly', 'biweekly', '', null, 1, ['hourly']])(
    'rejects the schedule %j',
    async (scheduleRegisterCall) => {
      expect((await configure({ scheduleRegisterCall })).body).toMatchObject({
        code: 400,
        type: 'InvalidPayload',
      })
    },
  )

  test.each([
    ['an object with a value', { a: 1 }],
    ['an object with null', { a: null }],
    ['a list', []],
    ['a text', ''],
    ['a number', 0],
    ['a boolean', true],
  ])('rejects %s as sandboxIdentifiers', async (_, sandboxIdentifiers) => {
    expect(await configure({ sandboxIdentifiers: {} })).toEqual(done)
    expect((await configure({ sandboxIdentifiers })).body).toMatchObject({
      code: 400,
      type: 'InvalidPayload',
    })
    expect((await stored()).sandbox_identifiers).toEqual({})
  })

  test('removes sandboxIdentifiers with null', async () => {
    expect(await configure({ sandboxIdentifiers: {} })).toEqual(done)
    expect((await stored()).sandbox_identifiers).toEqual({})
    expect(await configure({ sandboxIdentifiers: null })).toEqual(done)
    expect((await stored()).sandbox_identifiers).toBeNull()
  })

  test('accepts members and the integration key, with a header for the integration', async () => {
    const { authorization } = scene.asBot as { authorization: string }
    const bot = { authorization, 'x-bot-id': scene.botId }
    for (const [header, value] of Object.entries({
      'x-integration-id': integrationId,
      'x-integration-alias': 'sch',
    }))
      expect(await configure({}, { ...bot, [header]: value }), header).toEqual(done)
    expect((await configure({}, bot)).status).toBe(403)
    expect(
      (await configure({}, { ...bot, authorization: `Bearer ${botKey}` })).status,
    ).toBe(403)
    expect((await configure({}, { ...bot, 'x-integration-alias': 'none' })).status).toBe(
      403,
    )
    expect(
      (await configure({}, { authorization: `Bearer ${integrationKey}` })).body,
    ).toMatchObject({
      code: 400,
      type: 'InvalidPayload',
    })
    expect((await configure({}, { 'x-bot-id': scene.botId })).status).toBe(401)
  })

  /** Moves the scheduled time into the past. */
  const makeDue = () =>
    scene.app.services.db
      .updateTable('installation')
      .set({ register_at: new Date(Date.now() - 90_000) })
      .where('alias', '=', 'sch')
      .execute()

  test('calls register once when it is due, and again at the next time', async () => {
    await configure({ scheduleRegisterCall: 'hourly' })
    calls = []
    await makeDue()
    await expect.poll(() => calls.length, { timeout: 5_000 }).toBe(1)
    const { webhook_id } = await stored()
    expect(calls[0]!.headers).toMatchObject({
      'x-bp-operation': 'register',
      'x-bot-id': scene.botId,
      'x-integration-alias': 'sch',
      'x-webhook-id': webhook_id,
    })
    expect(
      JSON.parse(
        Buffer.from(String(calls[0]!.headers['x-bp-configuration']), 'base64').toString(),
      ),
    ).toEqual({ token: 't' })
    expect(calls[0]!.body).toEqual({
      webhookUrl: expect.stringMatching(new RegExp(`/webhooks/${webhook_id}$`)),
    })
    const { register_at, status } = await stored()
    expect([status, register_at! > new Date(Date.now() + hour - 100_000)]).toEqual([
      'registered',
      true,
    ])

    answer = {
      status: 400,
      body: JSON.stringify({
        code: 400,
        type: 'Runtime',
        id: 'err',
        message: 'The account is closed',
      }),
    }
    await makeDue()
    await expect
      .poll(async () => (await stored()).status, { timeout: 5_000 })
      .toBe('registration_failed')
    expect([calls.length, (await stored()).status_reason]).toEqual([
      2,
      'The account is closed',
    ])
    const { body } = await scene.call('GET', `/v1/admin/bots/${scene.botId}`, {
      headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
    })
    expect(body.bot.integrations.sch).toMatchObject({
      status: 'registration_failed',
      statusReason: 'The account is closed',
    })
  })
})
