// Unknown properties of a body, with the name of any column of the database, are rejected or
// ignored. Bodies come from the contract and names from the database, so new operations and columns
// are covered automatically.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alwaysRejected, requestFor, toAddress } from '../support/operation-requests.ts'
import { openScene, type Scene } from '../support/scene.ts'
import {
  getProperties,
  isClosed,
  type ServedOperation,
  servedOperations,
} from '../support/served-operations.ts'
import { makeTenant, type Tenant } from '../support/tenants.ts'

let scene: Scene
let tenant: Tenant
let columns: string[]

const planted = 'planted-by-a-caller'
const moment = '1999-09-09T09:09:09.999Z'

beforeAll(async () => {
  scene = await openScene()
  tenant = await makeTenant(scene, 'setter')
  const { rows } = await sql<{ name: string }>`
    select distinct column_name as name from information_schema.columns
    where table_schema = 'public' order by name`.execute(scene.app.services.db)
  columns = rows.map(({ name }) => name)
}, 30_000)
afterAll(() => scene?.close())

const withBody = servedOperations.filter(
  ({ body, name }) => body && !Object.hasOwn(alwaysRejected, name),
)
const camel = (name: string) =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/**
 * Returns names that the operation's body does not have: of columns, in both spellings, and some
 * others.
 */
function foreignNames(operation: ServedOperation): string[] {
  const names = [
    ...columns,
    ...columns.map(camel),
    'roles',
    'permissions',
    'isAdmin',
    'isBot',
    'token',
    'fids',
    'caller',
    'services',
    'mustParticipate',
  ]
  return [...new Set(names)].filter(
    (name) => !Object.hasOwn(getProperties(operation, 'body'), name),
  )
}

/** Values of different types, because code may accept only one of them. */
const values = [planted, moment, { [planted]: planted }, [planted], 7_777_777, true, null]

/** Operations with requests that need a new number each time. */
const numbered = ['admin.createInterface', 'admin.createPlugin']
let count = 0

async function ask(operation: ServedOperation, more: Record<string, unknown>) {
  const request = requestFor(
    operation,
    tenant,
    numbered.includes(operation.name) ? count++ : 0,
  )
  const body = { ...request.body, ...more }
  const { statusCode, body: text } = await scene.app.server.inject({
    method: request.method,
    url: toAddress(operation, request),
    headers: request.headers,
    payload: body,
  })
  return { status: statusCode, text }
}

test('covers many operations and columns', () => {
  expect(withBody.length).toBeGreaterThan(20)
  for (const name of [
    'id',
    'workspace_id',
    'created_at',
    'role',
    'owner_id',
    'bot_id',
    'direction',
    'integration',
    'fid',
    'properties',
  ])
    expect(columns).toContain(name)
})

test.each(
  withBody.filter(isClosed).map((operation) => [operation.name, operation] as const),
)('%s rejects unknown properties', async (_, operation) => {
  const answers = await Promise.all(
    foreignNames(operation).map(async (name) => ({
      name,
      ...(await ask(operation, { [name]: planted })),
    })),
  )
  expect(
    answers.filter(
      ({ status, text }) => status !== 400 || !text.includes('InvalidPayload'),
    ),
  ).toEqual([])
})

test.each(
  withBody
    // The Model Context Protocol rejects unknown properties.
    .filter((operation) => !isClosed(operation) && operation.family !== 'mcp')
    .map((operation) => [operation.name, operation] as const),
)('%s ignores unknown properties', async (_, operation) => {
  const usual = await ask(operation, {})
  expect(usual.status).toBe(operation.status ?? 200)
  const names = foreignNames(operation)
  const all = values.map((value) =>
    Object.fromEntries(names.map((name) => [name, value])),
  )
  const single = [
    'id',
    'fid',
    'properties',
    'tags',
    'integration',
    'ownerId',
    'createdAt',
  ].filter((name) => names.includes(name))
  const bodies = [
    ...all,
    ...single.flatMap((name) => values.map((value) => ({ [name]: value }))),
  ]
  for (const body of bodies) {
    const { status, text } = await ask(operation, body)
    expect(
      [status, text.includes(planted), text.includes(moment)],
      JSON.stringify(body).slice(0, 300),
    ).toEqual([usual.status, false, false])
  }
})

test('stores none of the values in the database', async () => {
  const { db } = scene.app.services
  const { rows: tables } = await sql<{
    name: string
  }>`select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
    db,
  )
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`
        select t::text as row from ${sql.table(name)} t
        where t::text like any(${[`%${planted}%`, '%1999-09-09%', '%7777777%']}) limit 3`.execute(
        db,
      )
      return rows.map(({ row }) => `${name} ${row}`)
    }),
  )
  expect(found.flat()).toEqual([])
})
