// Nobody sets what is not theirs to set: whatever else a body says, in the name of any column that a table has, is refused or comes to nothing.
// Bodies come from the contract and names from the database, so that a new operation, or a new column, is tried from its first day.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addressOf,
  alwaysRefused,
  isClosed,
  propertiesOf,
  requestFor,
  type ServedOperation,
  servedOperations,
} from '../support/operation-requests.ts'
import { openScene, type Scene } from '../support/scene.ts'
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
    select distinct column_name as name from information_schema.columns where table_schema = 'public' order by name`.execute(
    scene.app.services.db,
  )
  columns = rows.map(({ name }) => name)
}, 30_000)
afterAll(() => scene?.close())

const takers = servedOperations.filter(({ body, name }) => body && !Object.hasOwn(alwaysRefused, name))
const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Names that a body might have and that this one does not know: of columns, as the API and as the database writes them, and a few more. */
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
  return [...new Set(names)].filter((name) => !Object.hasOwn(propertiesOf(operation, 'body'), name))
}

/** As text, as a time, as an object and as a list, since what takes one may pass over the others. */
const values = [planted, moment, { [planted]: planted }, [planted], 7_777_777, true, null]

/** There is one of a number only. */
const numbered = ['admin.createInterface', 'admin.createPlugin']
let count = 0

async function ask(operation: ServedOperation, more: Record<string, unknown>) {
  const given = requestFor(operation, tenant, numbered.includes(operation.name) ? count++ : 0)
  const body = { ...given.body, ...more }
  const { statusCode, body: text } = await scene.app.server.inject({
    method: given.method,
    url: addressOf(operation, given),
    headers: given.headers,
    payload: body,
  })
  return { status: statusCode, text }
}

test('there is something to try', () => {
  expect(takers.length).toBeGreaterThan(20)
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

test.each(takers.filter(isClosed).map((operation) => [operation.name, operation] as const))(
  '%s refuses what it does not know',
  async (_, operation) => {
    const answers = await Promise.all(
      foreignNames(operation).map(async (name) => ({ name, ...(await ask(operation, { [name]: planted })) })),
    )
    expect(answers.filter(({ status, text }) => status !== 400 || !text.includes('InvalidPayload'))).toEqual(
      [],
    )
  },
)

test.each(
  takers.filter((operation) => !isClosed(operation)).map((operation) => [operation.name, operation] as const),
)('%s does nothing with what it does not know', async (_, operation) => {
  const usual = await ask(operation, {})
  expect(usual.status).toBe(operation.status ?? 200)
  const names = foreignNames(operation)
  const all = values.map((value) => Object.fromEntries(names.map((name) => [name, value])))
  const single = ['id', 'fid', 'properties', 'tags', 'integration', 'ownerId', 'createdAt'].filter((name) =>
    names.includes(name),
  )
  const bodies = [...all, ...single.flatMap((name) => values.map((value) => ({ [name]: value })))]
  for (const body of bodies) {
    const { status, text } = await ask(operation, body)
    expect(
      [status, text.includes(planted), text.includes(moment)],
      JSON.stringify(body).slice(0, 300),
    ).toEqual([usual.status, false, false])
  }
})

test('and nothing of it is anywhere in the database', async () => {
  const { db } = scene.app.services
  const { rows: tables } = await sql<{
    name: string
  }>`select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`
        select t::text as row from ${sql.table(name)} t where t::text like any(${[`%${planted}%`, '%1999-09-09%', '%7777777%']}) limit 3`.execute(
        db,
      )
      return rows.map(({ row }) => `${name} ${row}`)
    }),
  )
  expect(found.flat()).toEqual([])
})
