// Code is loaded in its sandbox before it is deployed. Code that fails to load is deployed and
// reported; with BOTSTEAD_DEPLOY_CHECK=strict it is rejected, and the previous version keeps
// running. The server process itself never evaluates the code.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findLauncher } from '../../../../sandbox/src/launch.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { asAdmin, makeTenant } from '../../../test/support/tenants.ts'
import { otherWorkspacesRejected } from '../delivery/calls/hosting-trust.ts'
import { deployCode } from './bot-code.ts'

let scene: Scene
const good = 'exports.handler = async () => ({ status: 200 })'

beforeAll(async () => {
  scene = await openScene({ code: good, config: { deployCheck: 'strict' } })
}, 60_000)
afterAll(() => scene?.close())

const send = (method: 'POST' | 'PUT', path: string, body: object) =>
  scene.call(method, `/v1/admin/${path}`, { headers: scene.admin, body })
const whole = { name: 'tried', version: '1.0.0' }
let ofBot: string
let ofIntegration: string

/** Code that fails to load, with the error for its author. */
const bad: [string, string, RegExp][] = [
  ['with a syntax error', 'exports.handler = (', /SyntaxError/],
  ['that throws', `throw new Error('no such luck')`, /no such luck/],
  [
    'that throws an object without prototype',
    'throw Object.create(null)',
    /cannot be deployed/,
  ],
  [
    'that requires a module outside its bundle',
    `require('left-pad')`,
    /Cannot find module 'left-pad'/,
  ],
  ['that ends its process', 'process.exit(0)', /cannot be deployed/],
  ['that never ends', 'for (;;) {}', /longer than \d+ ms to load/],
  [
    'that takes all memory',
    'const all = []; for (;;) all.push(Buffer.alloc(16 << 20, 1))',
    /cannot be deployed/,
  ],
  [
    'that kills its process',
    'require("net"); process.kill(process.pid, "SIGKILL")',
    /cannot be deployed/,
  ],
]

describe('with the strict check, code that fails to load', () => {
  beforeAll(async () => {
    ofBot = (await send('POST', 'bots', { code: good })).body.bot.id
    ofIntegration = (await send('POST', 'integrations', { ...whole, code: good })).body
      .integration.id
  }, 60_000)
  const stored = async () => {
    const { db } = scene.app.services
    const bots = await db
      .selectFrom('bot_code')
      .select(['bot_id', 'version'])
      .orderBy('bot_id')
      .execute()
    return [
      ...bots,
      ...(await db
        .selectFrom('integration_code')
        .select(['integration_id', 'version'])
        .orderBy('integration_id')
        .execute()),
    ]
  }

  test.each(bad)(
    '%s is rejected by every deployment, and changes nothing',
    { timeout: 90_000 },
    async (_, code, reason) => {
      const before = await stored()
      const deployments = [
        ['PUT', `bots/${ofBot}`, { code, description: 'changed' }],
        ['PUT', `integrations/${ofIntegration}`, { code }],
        ['POST', 'bots', { code }],
        ['POST', `bots/${ofBot}/publish-from-bot-json`, { botJson: { code } }],
        ['POST', 'integrations', { ...whole, name: 'other', code }],
      ] as const
      // Slow code is tested with two deployments only.
      const replies = (
        code.includes('for (;;)') ? deployments.slice(0, 2) : deployments
      ).map(
        async ([method, path, body]) =>
          [`${method} ${path}`, await send(method, path, body)] as const,
      )
      for (const [name, { status, body }] of await Promise.all(replies))
        expect([status, body.type, body.message], name).toEqual([
          400,
          'InvalidPayload',
          expect.stringMatching(reason),
        ])
      expect(await stored()).toEqual(before)
      const { bot } = (
        await scene.call('GET', `/v1/admin/bots/${ofBot}`, { headers: scene.admin })
      ).body
      expect(bot.description ?? '').toBe('')
    },
  )

  test('rejects scripts of integrations with warnings', async () => {
    const warned = {
      configuration: { schema: {}, identifier: { linkTemplateScript: '.a ?? "x"' } },
    }
    const other = { ...whole, name: 'warned', ...warned }
    for (const [method, path, body] of [
      ['POST', 'integrations', other],
      ['POST', 'integrations/validate', other],
      ['PUT', `integrations/${ofIntegration}`, warned],
      ['PUT', `integrations/${ofIntegration}/validate`, warned],
    ] as const)
      expect((await send(method, path, body)).body, `${method} ${path}`).toMatchObject({
        type: 'InvalidPayload',
        message: expect.stringMatching(
          /^`configuration\.identifier\.linkTemplateScript`, line 1, column 1: unnecessary error coalescing/,
        ),
      })
  })

  test('leaves the previous version running', async () => {
    const { invoker } = scene.app.services
    const ping = {
      target: { botId: ofBot, alias: null },
      operation: 'ping',
      type: 'ping',
      body: {},
      cause: null,
    } as const
    expect((await invoker.invoke(ping)).status).toBe(200)
    expect((await send('PUT', `bots/${ofBot}`, { code: 'throw 1' })).status).toBe(400)
    expect((await invoker.invoke(ping)).status).toBe(200)
  })

  test('is never evaluated in the server process', async () => {
    const code = `globalThis.evaluated = true; process.env.EVALUATED = '1'; ${good}`
    expect((await send('POST', 'bots', { code })).status).toBe(200)
    expect([
      (globalThis as { evaluated?: true }).evaluated,
      process.env.EVALUATED,
    ]).toEqual([undefined, undefined])
  })
})

test('loads code with the secrets after the change', async () => {
  const code = `const { SECRET_ONE, SECRET_TWO, SECRET_OLD, BP_TOKEN } = process.env
    if (SECRET_ONE + SECRET_TWO !== 'onetwo' || SECRET_OLD || !BP_TOKEN) throw 'missing'
    ${good}`
  const { bot } = (await send('POST', 'bots', { secrets: { ONE: 'one', OLD: 'old' } }))
    .body
  expect(
    (await send('PUT', `bots/${bot.id}`, { code, secrets: { TWO: 'two' } })).status,
  ).toBe(400)
  expect(
    (await send('PUT', `bots/${bot.id}`, { code, secrets: { TWO: 'two', OLD: null } }))
      .status,
  ).toBe(200)
  const { integration } = (
    await send('POST', 'integrations', {
      ...whole,
      name: 'secretive',
      secrets: { ONE: 'one' },
    })
  ).body
  expect(
    (
      await send('PUT', `integrations/${integration.id}`, {
        code,
        secrets: { TWO: 'two' },
      })
    ).status,
  ).toBe(200)
})

describe('with the default check, code that fails to load', () => {
  let lenient: Scene
  let botId: string
  beforeAll(async () => {
    lenient = await openScene({ code: good })
    botId = (await call('POST', 'admin/bots', { code: good })).body.bot.id
  }, 60_000)
  afterAll(() => lenient?.close())
  const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    lenient.call(method, `/v1/${path}`, { headers: lenient.admin, ...(body && { body }) })
  const findDeployment = async (kind: 'bots' | 'integrations', id: string) =>
    (await call('GET', `platform/${kind}/${id}/deployment`)).body.deployment

  test.each([
    ['that throws', `throw new Error('no such luck')`, /no such luck/],
    ['that ends its process', 'process.exit(0)', /ended its process/],
    [
      'without a handler',
      'exports.placeholder = true',
      /exports no function named "handler"/,
    ],
  ])(
    '%s is deployed, marked, logged, and creates an issue',
    { timeout: 60_000 },
    async (_, code, reason) => {
      const made = await call('POST', 'admin/bots', { code })
      expect(made.status).toBe(200)
      const { id } = made.body.bot
      const message = expect.stringMatching(reason)
      expect(await findDeployment('bots', id)).toEqual({
        version: expect.any(String),
        deployedAt: expect.any(String),
        loadError: message,
      })
      const { logs } = (
        await call('GET', `admin/bots/${id}/logs?timeStart=2020-01-01T00:00:00Z`)
      ).body
      expect(logs).toContainEqual(expect.objectContaining({ level: 'error', message }))
      await expect
        .poll(async () => (await call('GET', `admin/bots/${id}/issues`)).body.issues)
        .toContainEqual(expect.objectContaining({ code: 'code_not_loaded' }))
      expect((await call('PUT', `admin/bots/${id}`, { code: good })).status).toBe(200)
      expect(await findDeployment('bots', id)).not.toHaveProperty('loadError')
    },
  )

  test('replaces the previous version by every deployment', async () => {
    const code = `throw new Error('replaced')`
    const document = (await call('GET', `admin/bots/${botId}/bot-json`)).body
    for (const [method, path, body] of [
      ['PUT', `admin/bots/${botId}`, { code }],
      [
        'POST',
        `admin/bots/${botId}/publish-from-bot-json`,
        { botJson: { ...document, code } },
      ],
    ] as const) {
      expect(
        (await call('PUT', `admin/bots/${botId}`, { code: good })).status,
        path,
      ).toBe(200)
      expect((await call(method, path, body)).status, path).toBe(200)
      expect((await findDeployment('bots', botId)).loadError, path).toMatch(/replaced/)
    }
  })

  test('of an integration is marked and logged for its workspace', async () => {
    const made = await call('POST', 'admin/integrations', {
      ...whole,
      code: `throw new Error('early')`,
    })
    expect(made.status).toBe(200)
    const { id } = made.body.integration
    expect((await findDeployment('integrations', id)).loadError).toMatch(/early/)
    expect(
      (
        await call('PUT', `admin/integrations/${id}`, {
          code: `throw new Error('later')`,
        })
      ).status,
    ).toBe(200)
    expect((await findDeployment('integrations', id)).loadError).toMatch(/later/)
    const { logs } = (
      await call('GET', `admin/integrations/${id}/logs?timeStart=2020-01-01T00:00:00Z`)
    ).body
    expect(logs.map(({ message }: { message: string }) => message).join()).toMatch(
      /early.*later|later.*early/s,
    )
  })

  test('is hidden from other workspaces; without code, the deployment is null', async () => {
    const { bot } = (await call('POST', 'admin/bots', {})).body
    const { status, body } = await call('GET', `platform/bots/${bot.id}/deployment`)
    expect([status, body]).toEqual([200, { deployment: null, atUrl: false }])
    const remote = (await call('POST', 'admin/bots', { url: 'https://bot.example.org/' }))
      .body.bot
    const atUrl = await call('GET', `platform/bots/${remote.id}/deployment`)
    expect(atUrl.body).toEqual({ deployment: null, atUrl: true })
    const stranger = asAdmin(await makeTenant(lenient, 'stranger'))
    const replies = await lenient.call('GET', `/v1/platform/bots/${botId}/deployment`, {
      headers: stranger,
    })
    expect(replies.status).toBe(404)
  })
})

describe('below isolation tier 2', () => {
  let low: Scene
  let stranger: { authorization: string; 'x-workspace-id': string }
  const open = (sandboxTrust: 'owners' | 'all') =>
    openScene({
      config: { sandboxTrust },
      findLauncher: (options) => findLauncher({ ...options, minTier: 1, maxTier: 1 }),
    })
  beforeAll(async () => {
    low = await open('owners')
    const tenant = await makeTenant(low, 'stranger')
    stranger = asAdmin(tenant) as typeof stranger
  }, 60_000)
  afterAll(() => low?.close())
  const deploy = (headers: Record<string, string>, path = 'bots') =>
    low.call('POST', `/v1/admin/${path}`, {
      headers,
      body: path === 'bots' ? { code: good } : { ...whole, code: good },
    })

  test("runs code of the operator's workspaces and rejects code of others", async () => {
    const { id } = (
      await low.call('POST', '/v1/admin/workspaces', {
        headers: low.admin,
        body: { name: 'Second' },
      })
    ).body
    expect((await deploy(low.admin, 'integrations')).status).toBe(200)
    expect((await deploy(low.admin)).status).toBe(200)
    expect((await deploy({ ...low.admin, 'x-workspace-id': id })).status).toBe(200)
    for (const path of ['bots', 'integrations'])
      expect(await deploy(stranger, path), path).toMatchObject({
        status: 403,
        body: {
          type: 'Forbidden',
          message: expect.stringContaining('BOTSTEAD_SANDBOX_TRUST'),
        },
      })
    expect((await low.app.services.health.read()).sandbox.protections).toContain(
      otherWorkspacesRejected,
    )
  })

  test('postpones events of code of others that was deployed before', async () => {
    const { bot } = (
      await low.call('POST', '/v1/admin/bots', { headers: stranger, body: {} })
    ).body
    await deployCode(low.app.services.db, bot.id, good)
    const ping = {
      target: { botId: bot.id, alias: null },
      operation: 'ping',
      type: 'ping',
      body: {},
      cause: null,
    } as const
    await expect(low.app.services.invoker.invoke(ping)).rejects.toMatchObject({
      name: 'InvocationFailed',
      retryAfterMs: 60_000,
    })
  })

  test('runs code of all workspaces with sandboxTrust "all"', {
    timeout: 60_000,
  }, async () => {
    const trusting = await open('all')
    const tenant = await makeTenant(trusting, 'friend')
    expect(
      (
        await trusting.call('POST', '/v1/admin/bots', {
          headers: asAdmin(tenant),
          body: { code: good },
        })
      ).status,
    ).toBe(200)
    expect((await trusting.app.services.health.read()).sandbox.protections).not.toContain(
      otherWorkspacesRejected,
    )
    await trusting.close()
  })
})

test('rejects callers without permission before it runs any code', async () => {
  expect((await send('PUT', 'bots/bot_none', { code: 'throw 1' })).status).toBe(404)
  expect((await send('PUT', 'integrations/none', { code: 'throw 1' })).status).toBe(404)
  expect(
    (await scene.call('POST', '/v1/admin/bots', { body: { code: 'throw 1' } })).status,
  ).toBe(401)
})
