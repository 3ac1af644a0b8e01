// The endpoints with which another installation brings a workspace, and requests for a workspace
// while it is neither here nor there.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { bearing, makeTenant, type Tenant } from '../../../../test/support/tenants.ts'
import { newId } from '../../../core/lib/ids.ts'
import { announceMoves } from './move-rows.ts'

let scene: Scene
let tenant: Tenant
beforeAll(async () => {
  scene = await openScene()
  tenant = await makeTenant(scene, 'arriving')
}, 60_000)
afterAll(() => scene?.close())

const base = '/v1/platform/arrivals'
const operator = () => bearing(scene.token)
const asMember = () => ({
  ...bearing(tenant.token),
  'x-workspace-id': tenant.things.workspace[0]!,
})
/** Sends what the API's contract does not describe. */
async function send(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  headers: object,
  body?: object,
) {
  const reply = await scene.app.server.inject({
    method,
    url,
    headers: headers as Record<string, string>,
    ...(body && { payload: body }),
  })
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
}
const schema = async () => {
  const { db } = scene.app.services
  const { rows } = await sql<{ schema: number }>`
    select max(number) as schema from migration`.execute(db)
  return rows[0]!.schema
}

test('admits only owners of the first workspace', async () => {
  const body = { schema: 1, version: '0', needs: [] }
  expect((await send('POST', base, {}, body)).status).toBe(401)
  expect((await send('POST', base, asMember(), body)).status).toBe(403)
  expect((await send('POST', base, bearing(tenant.botKeys[0]!), body)).status).toBe(403)
})

test('rejects another schema, missing packages and a workspace that exists', async () => {
  const right = { schema: await schema(), version: '0', needs: [] }
  const rejected = async (body: object, workspaceId?: string) => {
    const url = workspaceId ? `${base}/${workspaceId}?move=${newId('move')}` : base
    const { status, body: answer } = await send('POST', url, operator(), body)
    return `${status} ${answer.message}`
  }
  expect(await rejected({ ...right, schema: 1 })).toMatch(/^409 .*upgrade both/)
  const need = { kind: 'integration', id: 'intver_none', name: 'none', version: '1.0.0' }
  expect(await rejected({ ...right, needs: [need] })).toMatch(/^409 .*none 1.0.0/)
  expect(await rejected({ ...right, needs: [null] })).toMatch(/^400 /)
  expect(await rejected(right, tenant.things.workspace[0]!)).toMatch(/^409 .*exists/)
  expect((await send('POST', base, operator(), right)).status).toBe(200)
})

test('rejects malformed ids and numbers', async () => {
  const url = (query: string) => `${base}/none?${query}`
  expect((await send('GET', url('move=x'), operator())).status).toBe(400)
  expect((await send('GET', url(`move=${newId('move')}`), operator())).status).toBe(404)
  expect((await send('DELETE', url(`move=${newId('move')}`), operator())).status).toBe(
    404,
  )
  const live = `${base}/none/live?move=${newId('move')}&pass=-1`
  expect((await send('POST', live, operator(), {})).status).toBe(400)
})

test('rejects requests while a workspace arrives, and serves it afterwards', async () => {
  const { database, relocations } = scene.app.services
  const [workspaceId] = tenant.things.workspace
  await database.run(
    'test-arrival',
    `insert into workspace_arrival (workspace_id, move_id) values ($1, 'move')`,
    [workspaceId],
  )
  await announceMoves(database)
  await expect.poll(() => relocations.of(workspaceId!)?.state).toBe('closed')
  const headers = asMember()
  const read = () => send('GET', '/v1/admin/bots', headers)
  expect(await read()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  const bot = await send('GET', '/v1/chat/conversations', {
    ...headers,
    'x-bot-id': tenant.things.bot[0]!,
  })
  expect(bot.status).toBe(503)
  await database.run('test-live', "update workspace_arrival set state = 'live'", [])
  await announceMoves(database)
  await expect.poll(() => relocations.isEmpty).toBe(true)
  expect((await read()).status).toBe(200)
})

test('answers 503 while the installation of a workspace cannot be reached', async () => {
  const { database, relocations } = scene.app.services
  await database.run(
    'test-moved',
    `insert into workspace_move (workspace_id, id, target_url, secret, state)
       values ($1, 'move_test', 'http://127.0.0.1:1', '', 'moved')`,
    [tenant.things.workspace[0]],
  )
  await relocations.refresh()
  const response = await fetch(`${await scene.listen()}/v1/admin/bots`, {
    headers: asMember(),
  })
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ type: 'Unavailable' })
  expect(response.headers.get('retry-after')).toBe('1')
})
