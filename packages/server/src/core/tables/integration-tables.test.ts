// An integration accesses only the tables that it created; all other tables of the bot are 404 for
// it.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { requestFor, toAddress } from '../../../test/support/operation-requests.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  type ServedOperation,
  servedOperations,
} from '../../../test/support/served-operations.ts'
import {
  asBot,
  bearing,
  digestTenant,
  type Headers,
  makeTenant,
  type Tenant,
} from '../../../test/support/tenants.ts'

let scene: Scene
let tenant: Tenant
/**
 * Headers of the integration with its key, of another alias with a personal token, and of the bot.
 */
let asKey: Headers
let asOther: Headers
let asTheBot: Headers
let before: Record<string, string>

beforeAll(async () => {
  scene = await openScene()
  tenant = await makeTenant(scene, 'caller')
  asTheBot = asBot(tenant)
  asKey = { ...bearing(tenant.integrationKey), 'x-bot-id': tenant.things.bot[0]! }
  asOther = { ...asTheBot, 'x-integration-alias': 'chat' }
  before = await digestTenant(scene, tenant)
}, 60_000)
afterAll(() => scene?.close())

const tables = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  headers: Headers,
  body?: object,
) => scene.call(method, `/v1/tables${path}`, { headers, ...(body && { body }) })

const tableOperations = servedOperations.filter(
  ({ family, url }) => family === 'tables' && url.includes('{'),
)

async function send(operation: ServedOperation, table: string, headers: Headers) {
  const valid = requestFor(operation, tenant)
  const [param] = Object.keys(valid.params)
  const request = { ...valid, params: { [param!]: table }, headers }
  const { method, body } = request
  const { status, body: answer } = await scene.call(
    method,
    toAddress(operation, request),
    {
      headers,
      ...(body && { body }),
    },
  )
  return { status, type: answer.type, message: answer.message }
}

test.each(tableOperations.map((operation) => [operation.name, operation] as const))(
  '%s answers an integration for a table of the bot as for a missing table',
  async (name, operation) => {
    // Names are unique within the bot, so creating a table reveals a name that is in use.
    const expected =
      name === 'tables.getOrCreateTable'
        ? { status: 409, type: 'AlreadyExists' }
        : await send(operation, 'NoSuchTable', asKey)
    const [id, byName] = [
      tenant.things.table[0]!,
      await findName(tenant.things.table[0]!),
    ]
    const named = (table: string) => ({
      ...expected,
      ...('message' in expected && {
        message: expected.message.replace('NoSuchTable', table),
      }),
    })
    if (name !== 'tables.getOrCreateTable')
      expect(await send(operation, id, asKey)).toEqual(named(id))
    expect(await send(operation, byName, asKey)).toMatchObject(named(byName))
    expect(expected).toMatchObject(
      name === 'tables.getOrCreateTable' ? {} : { status: 404 },
    )
  },
)

test("the bot's tables are unchanged after these calls", async () => {
  expect(await digestTenant(scene, tenant)).toEqual(before)
})

const findName = async (id: string) =>
  (await tables('GET', `/${id}`, asTheBot)).body.table.name as string
const listNames = async (headers: Headers) =>
  (await tables('GET', '', headers)).body.tables.map(
    ({ name }: { name: string }) => name,
  ) as string[]

test('an integration uses its own tables, visible to the bot but not to other integrations', async () => {
  const schema = { title: { type: 'string' } }
  const { body } = await tables('POST', '/ProductsTable', asKey, { schema })
  expect(body).toMatchObject({ created: true, table: { name: 'ProductsTable' } })
  expect((await tables('POST', '/ProductsTable', asKey, { schema })).body.created).toBe(
    false,
  )
  await tables('POST', '/ProductsTable/rows', asKey, { rows: [{ title: 'Kettle' }] })
  await tables('POST', '/ProductsTable/duplicate', asKey, {
    tableName: 'SpareTable',
    schemaOnly: true,
  })
  expect(await listNames(asKey)).toEqual(['ProductsTable', 'SpareTable'])
  expect(await listNames(asOther)).toEqual([])
  expect(await listNames(asTheBot)).toEqual(
    expect.arrayContaining(['ProductsTable', 'SpareTable']),
  )

  const found = await tables('POST', `/${body.table.id}/rows/find`, asTheBot, {})
  expect(found.body.rows).toMatchObject([{ title: 'Kettle' }])
  expect((await tables('GET', `/${body.table.id}`, asOther)).body).toMatchObject({
    code: 404,
  })
  expect(
    (await tables('POST', '/ProductsTable', asOther, { schema })).body,
  ).toMatchObject({
    code: 409,
  })

  expect((await tables('DELETE', '/SpareTable', asKey)).status).toBe(200)
  expect(await listNames(asKey)).toEqual(['ProductsTable'])
})

test('the exported file of an integration table belongs to the integration', async () => {
  await tables('POST', '/StockTable', asKey, { schema: { title: { type: 'string' } } })
  await tables('GET', '/StockTable/export', asKey)
  const jobs = async () => (await tables('GET', '/StockTable/jobs', asKey)).body.jobs
  await vi.waitFor(
    async () => expect(await jobs()).toMatchObject([{ status: 'completed' }]),
    20_000,
  )
  const [{ outputFileId }] = await jobs()
  const read = (headers: Headers) =>
    scene.call('GET', `/v1/files/${outputFileId}`, { headers })
  expect((await read(asKey)).body.file.owner).toMatchObject({
    type: 'integration',
    alias: 'tg',
  })
  expect((await read(asTheBot)).status).toBe(200)
  expect((await read(asOther)).body).toMatchObject({ code: 404 })
})
