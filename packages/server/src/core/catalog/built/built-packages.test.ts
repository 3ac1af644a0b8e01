// Built packages: publishing all or nothing, and exporting code only to those who own it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { createToken } from '../../accounts/tokens.ts'

let scene: Scene
/** Another workspace of other people, with the handle `acme`. */
let acme: Record<string, string>

const path = '/v1/platform/packages'
const code = 'exports.handler = () => ({})'
const schema = { type: 'object', properties: { a: { type: 'string' } } }

beforeAll(async () => {
  scene = await openScene()
  const { db } = scene.app.services
  const accountId = 'accnt_01J00000000000000000STRANGE'
  await db
    .insertInto('account')
    .values({ id: accountId, email: 'stranger@example.org' })
    .execute()
  const { value } = await createToken(db, { kind: 'pat', accountId }, '')
  const account = { authorization: `Bearer ${value}` }
  const made = await scene.call('POST', '/v1/admin/workspaces', {
    headers: account,
    body: { name: 'Acme' },
  })
  acme = { ...account, 'x-workspace-id': made.body.id }
  await scene.call('PUT', `/v1/admin/workspaces/${made.body.id}`, {
    headers: acme,
    body: { handle: 'acme' },
  })
}, 60_000)
afterAll(() => scene?.close())

const publish = (body: object, headers = scene.admin) =>
  scene.call('POST', path, {
    headers,
    body: { interfaces: [], integrations: [], ...body },
  })
const exported = (id: string, headers = scene.admin) =>
  scene.call('GET', `/v1/platform/integrations/${id}/package`, { headers })
const names = async (kind: 'integrations' | 'interfaces', headers = scene.admin) =>
  (await scene.call('GET', `/v1/admin/${kind}`, { headers })).body[kind].map(
    ({ name }: { name: string }) => name,
  )
const findId = async (name: string, headers = scene.admin) =>
  (
    await scene.call('GET', `/v1/admin/integrations/${encodeURIComponent(name)}/latest`, {
      headers,
    })
  ).body.integration.id

test('publishes nothing if one of several packages fails', async () => {
  const good = { name: 'first', version: '1.0.0', code }
  const interfaces = { x: { name: 'none', version: '1.0.0' } }
  const failed = await publish({
    interfaces: [{ name: 'lonely', version: '1.0.0' }],
    integrations: [good, { ...good, name: 'second', interfaces }],
  })
  expect(failed).toMatchObject({
    status: 400,
    body: { type: 'ReferenceNotFound', message: expect.stringContaining('"none@1.0.0"') },
  })
  expect([await names('integrations'), await names('interfaces')]).toEqual([[], []])
})

test('returns what it was given, and finds the same content again', async () => {
  const interfaces = [
    {
      name: 'ledger',
      version: '1.0.0',
      actions: { record: { input: { schema }, output: { schema } } },
    },
  ]
  const integration = {
    name: 'courier',
    version: '1.0.0',
    title: 'Courier',
    code,
    readme: Buffer.from('# Courier').toString('base64'),
    attributes: { team: 'north' },
    secrets: { KEY: 'brass' },
    configuration: { schema },
    actions: { save: { input: { schema }, output: { schema } } },
    interfaces: {
      ledger: { name: 'ledger', version: '1.0.0', actions: { record: { name: 'save' } } },
    },
  }
  const states = async (body: object) => {
    const { status, body: reply } = await publish(body)
    expect(status, JSON.stringify(reply)).toBe(200)
    return reply.packages.map(({ state }: { state: string }) => state)
  }
  expect(await states({ interfaces, integrations: [integration] })).toEqual([
    'created',
    'created',
  ])
  const { secrets: _, ...same } = integration
  const { code: sent, ...definition } = same
  expect(await states({ interfaces, integrations: [same] })).toEqual(['found', 'found'])

  const { body } = await exported(await findId('courier'))
  expect(body).toMatchObject({
    code: sent,
    integration: { ...definition, secretNames: ['KEY'] },
    interfaces,
  })
  expect(JSON.stringify(body)).not.toMatch(/brass|ifver_|intver_/)
  const { secretNames: __, ...again } = body.integration
  expect(
    await states({
      interfaces: body.interfaces,
      integrations: [{ ...again, code: body.code }],
    }),
  ).toEqual(['found', 'found'])

  const other = { ...same, title: 'Other', attributes: {} }
  expect(await publish({ integrations: [other] })).toMatchObject({
    status: 409,
    body: { type: 'AlreadyExists' },
  })
  expect(await states({ integrations: [other], replace: true })).toEqual(['updated'])
  expect((await exported(await findId('courier'))).body.integration).toMatchObject({
    title: 'Other',
    attributes: {},
    secretNames: ['KEY'],
  })
  expect(await states({ integrations: [other], visibility: 'public' })).toEqual([
    'updated',
  ])
})

test('exports code to the workspace that owns it and to operators', async () => {
  const mine = await findId('courier')
  expect(await exported(mine, acme)).toMatchObject({
    status: 403,
    body: { type: 'Forbidden' },
  })
  await publish({ integrations: [{ name: 'secret', version: '1.0.0', code }] })
  expect((await exported(await findId('secret'), acme)).status).toBe(404)

  const theirs = { name: 'acme/public', version: '1.0.0', code }
  expect((await publish({ integrations: [theirs] })).body.type).toBe('Forbidden')
  await publish({ integrations: [theirs], visibility: 'public' }, acme)
  await publish({ integrations: [{ ...theirs, name: 'acme/private' }] }, acme)
  expect((await exported(await findId('acme/public', acme))).body.code).toBe(code)
  expect((await exported(await findId('acme/private', acme))).status).toBe(404)
})

test('uses an interface of the hub, and does not take over its name', async () => {
  const shared = {
    name: 'shared',
    version: '1.0.0',
    actions: { keep: { input: { schema }, output: { schema } } },
  }
  await publish({ interfaces: [shared], visibility: 'public' })
  const statement = {
    name: 'shared',
    version: '1.0.0',
    actions: { keep: { name: 'hold' } },
  }
  const integration = {
    name: 'acme/user',
    version: '1.0.0',
    code,
    interfaces: { shared: statement },
  }
  const { body } = await publish(
    { interfaces: [shared], integrations: [integration] },
    acme,
  )
  expect(body.packages.map(({ state }: { state: string }) => state)).toEqual([
    'found',
    'created',
  ])
  expect(await names('interfaces', acme)).toEqual([])
})
