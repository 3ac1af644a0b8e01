// Prepared statements of the hot path, against PostgreSQL: the first run describes the result, later
// ones rely on that.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { PreparedQuery } from './prepared-query.ts'

let scene: Scene
let client: pg.Client
beforeAll(async () => {
  scene = await openScene()
  client = new pg.Client(scene.connection)
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await scene?.close()
})

const run = (name: string, text: string, values: unknown[]) =>
  new Promise<unknown[]>((resolve, reject) => {
    const query = new PreparedQuery(name, text, values)
    query.callback = (error, rows) => (error ? reject(error) : resolve(rows!))
    client.query(query as never)
  })

const kinds = `select $1::text as text, $2::bigint as number, $3::jsonb as json, $4::text[] as list,
  null::text as nothing, true as flag, '2020-01-02T03:04:05Z'::timestamptz as at`
const values = ['é"\\', 7, '{"a":[1]}', ['x', null, '{"}']]

test('returns equal rows the first time and later, and those of the driver', async () => {
  const first = await run('kinds', kinds, values)
  expect(first).toEqual((await client.query(kinds, values)).rows)
  expect(await run('kinds', kinds, values)).toEqual(first)
  expect(first).toMatchObject([
    { text: 'é"\\', json: { a: [1] }, nothing: null, flag: true },
  ])
})

test('asks PostgreSQL once for the columns of a result', async () => {
  const sent: number[] = []
  const { connection } = client as unknown as {
    connection: { describe(portal: object): void }
  }
  const describe = connection.describe.bind(connection)
  connection.describe = (portal) => {
    sent.push(1)
    describe(portal)
  }
  for (const value of ['a', 'b', 'c'])
    expect(await run('once', 'select $1::text as a', [value])).toEqual([{ a: value }])
  expect(sent).toHaveLength(1)
})

test.each([
  ['no rows', 'select 1 as a where false', []],
  ['no result', 'set local work_mem = 100', []],
  ['several rows', 'select generate_series(1, 2) as a', [{ a: 1 }, { a: 2 }]],
])('runs a statement with %s twice', async (name, text, rows) => {
  expect(await run(name, text, [])).toEqual(rows)
  expect(await run(name, text, [])).toEqual(rows)
})

test.each([
  ['a text that does not parse', 'select from from', []],
  ['a value that PostgreSQL rejects', 'select $1::int as a', ['x']],
])(
  'fails for %s, each time, and the connection stays usable',
  async (name, text, wrong) => {
    for (const _ of ['first', 'later'])
      await expect(run(name, text, wrong)).rejects.toBeInstanceOf(pg.DatabaseError)
    expect(await run('afterwards', 'select 1 as a', [])).toEqual([{ a: 1 }])
  },
)

test('a statement that failed once succeeds with other values', async () => {
  const text = 'select 6 / $1::int as a'
  expect(await run('divide', text, [2])).toEqual([{ a: 3 }])
  await expect(run('divide', text, [0])).rejects.toThrow('division by zero')
  expect(await run('divide', text, [3])).toEqual([{ a: 2 }])
})

test('rejects a name that belongs to a different statement', async () => {
  await run('name', 'select 1 as a', [])
  await expect(run('name', 'select 2 as a', [])).rejects.toThrow('The name name belongs')
})

test('throws before it sends anything when a value cannot be sent', () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  expect(() => new PreparedQuery('circular', 'select $1', [circular])).toThrow()
})

test('fails when the connection ends meanwhile', async () => {
  const other = new pg.Client(scene.connection)
  other.on('error', () => {})
  await other.connect()
  const query = new PreparedQuery(
    'terminate',
    'select pg_terminate_backend(pg_backend_pid())',
    [],
  )
  const answer = new Promise((resolve) => {
    query.callback = resolve
  })
  other.query(query as never)
  expect(await answer).toBeInstanceOf(Error)
})
