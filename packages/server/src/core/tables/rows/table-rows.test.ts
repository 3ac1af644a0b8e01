// Rows of tables through the whole app, with the official client.
import type { Client } from '@botpress/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { fillTable } from '../../../../test/support/table-rows.ts'

let scene: Scene
let client: Client
beforeAll(async () => {
  scene = await openScene()
  client = await scene.openClient({ botId: scene.botId })
})
afterAll(() => scene?.close())

const schema = {
  type: 'object',
  properties: {
    sku: { type: 'string' },
    name: { type: 'string', 'x-zui': { index: 1, searchable: true } },
    price: { type: 'number' },
    status: { type: 'string', enum: ['open', 'closed'] },
    sold: { type: 'boolean', nullable: false },
    since: { type: 'string', format: 'date-time' },
    more: { type: 'object', properties: { color: { type: 'string' } } },
    tags: { type: 'array', items: { type: 'string' } },
  },
}
let made = 0
const makeTable = async (keyColumn?: string, factor?: number) => {
  const name = `Item${++made}Table`
  await client.createTable({
    name,
    schema,
    ...(keyColumn && { keyColumn }),
    ...(factor && { factor }),
  })
  return name
}
const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)

/** Creates a table with three rows by the official client. */
async function makeShop() {
  const table = await makeTable()
  const { rows } = await client.createTableRows({
    table,
    rows: [
      {
        sku: 'a',
        name: 'Red shoe',
        price: 10,
        sold: true,
        since: '2026-01-31T08:00:00+01:00',
        more: { color: 'red', size: { eu: 42 } },
        tags: ['x', 'y'],
      },
      {
        sku: 'b',
        name: 'Blue shoe',
        price: 20.5,
        status: 'open',
        sold: false,
        more: { color: 'blue' },
      },
      { sku: 'c', price: 30, status: 'open' },
    ],
  })
  return { table, rows }
}

test('the official client creates, gets and finds rows', async () => {
  const { table, rows } = await makeShop()
  expect(rows[0]).toMatchObject({
    id: 1,
    sku: 'a',
    since: '2026-01-31T07:00:00.000Z',
    status: null,
    computed: {},
    stale: [],
  })
  expect(ids(rows)).toEqual([1, 2, 3])
  expect((await client.getTableRow({ table, id: 2 })).row).toEqual(rows[1])

  const find = async (request: Record<string, unknown>) =>
    client.findTableRows({ table, ...request })
  expect(await find({ filter: { status: 'open' }, limit: 1 })).toEqual({
    rows: [rows[1]],
    hasMore: true,
    offset: 0,
    limit: 1,
  })
  expect(
    ids((await find({ filter: { status: 'open' }, limit: 1, offset: 1 })).rows),
  ).toEqual([3])
  expect(
    ids(
      (
        await find({
          filter: { 'more.color': { $in: ['blue', null] }, price: { $gte: 20 } },
        })
      ).rows,
    ),
  ).toEqual([2, 3])
  expect(
    ids(
      (
        await find({
          filter: {
            tags: 'x',
            'more.size.eu': { $gt: 40 },
            name: { $regex: '^red', $options: 'i' },
          },
        })
      ).rows,
    ),
  ).toEqual([1])
  expect(ids((await find({ orderBy: 'price', orderDirection: 'desc' })).rows)).toEqual([
    3, 2, 1,
  ])
  const { rows: chosen, warnings } = await find({
    select: ['sku', 'more.size.eu', 'nothing'],
    limit: 1,
  })
  expect(chosen[0]).toEqual({
    id: 1,
    sku: 'a',
    more: { size: { eu: 42 } },
    createdAt: rows[0]!.createdAt,
    updatedAt: rows[0]!.updatedAt,
    computed: {},
    stale: [],
  })
  expect(warnings).toEqual(['Unknown column "nothing"'])
})

test('the official client updates and deletes rows', async () => {
  const { table } = await makeShop()
  const { rows: changed } = await client.updateTableRows({
    table,
    rows: [
      { id: 2, price: 25, status: null },
      { id: 3, name: 'Sock' },
    ],
  })
  expect(changed).toMatchObject([
    { id: 2, price: 25, status: null, name: 'Blue shoe' },
    { id: 3, price: 30, name: 'Sock' },
  ])
  expect(await client.deleteTableRows({ table, ids: [1, 99] })).toEqual({
    deletedRows: 1,
  })
  expect(await client.deleteTableRows({ table, filter: { price: { $lt: 30 } } })).toEqual(
    {
      deletedRows: 1,
    },
  )
  expect((await client.getTable({ table })).rows).toBe(1)
  expect(await client.deleteTableRows({ table, deleteAllRows: true })).toEqual({
    deletedRows: 1,
  })
  // Row ids are never reused.
  expect(ids((await client.createTableRows({ table, rows: [{}] })).rows)).toEqual([4])
  await expect(client.getTableRow({ table, id: 1 })).rejects.toMatchObject({
    code: 404,
    type: 'ResourceNotFound',
  })
})

test('deletes more rows than one batch holds, and no others', async () => {
  const table = await makeTable()
  await fillTable(scene, table, 10_400, (n) => ({ c3: n < 10_400 ? 0 : 1 }))
  expect(await client.deleteTableRows({ table, filter: { price: 0 } })).toEqual({
    deletedRows: 10_399,
  })
  expect(ids((await client.findTableRows({ table })).rows)).toEqual([10_400])
})

test('converts values to column types, reports invalid rows by index and writes the others', async () => {
  const table = await makeTable()
  const { rows, errors, warnings } = await client.createTableRows({
    table,
    rows: [
      { price: '12.5', sold: 'true', sku: 7, since: '2026-01-31' },
      { price: 'dear' },
      { status: 'lost', sold: null },
      { more: 'x', tags: {} },
      { since: '2026-02-30', unknown: 1 },
      { name: 'x'.repeat(5000) },
      { price: null },
    ],
  })
  expect(rows).toMatchObject([
    { id: 1, price: 12.5, sold: true, sku: '7', since: '2026-01-31T00:00:00.000Z' },
    { id: 2, price: null },
  ])
  expect(errors).toEqual([
    'rows[1]: "price" must be a number, not "dear"',
    'rows[2]: "status" must be one of "open", "closed", not "lost"; "sold" must not be null',
    'rows[3]: "more" must be an object, not "x"; "tags" must be an array, not an object',
    'rows[4]: "since" must be a date, or a date and time, such as 2026-01-31 18:30, not "2026-02-30"',
    'rows[5]: exceeds 4096 bytes',
  ])
  expect(warnings).toEqual(['Ignored the values of unknown columns: "unknown"'])
  const large = await makeTable(undefined, 2)
  expect(
    (await client.createTableRows({ table: large, rows: [{ name: 'x'.repeat(5000) }] }))
      .errors,
  ).toBeUndefined()
  const late = await client.updateTableRows({
    table,
    rows: [
      { id: 1, name: 'x'.repeat(5000) },
      { id: 77, name: 'y' },
      { id: 2, name: 'z' },
    ],
  })
  expect(late).toMatchObject({
    rows: [{ id: 2, name: 'z' }],
    errors: ['rows[0]: exceeds 4096 bytes', 'rows[1]: row 77 does not exist'],
  })
})

test('upserts rows by id, by key or by any column', async () => {
  const keyed = await makeTable('sku')
  const upsert = (
    table: string,
    keyColumn: string | undefined,
    rows: Record<string, unknown>[],
  ) => client.upsertTableRows({ table, rows, ...(keyColumn && { keyColumn }) })
  expect(
    await upsert(keyed, 'sku', [
      { sku: 'a', price: 1 },
      { sku: 'b', price: 2 },
      { sku: 'a', name: 'last' },
    ]),
  ).toMatchObject({
    inserted: [
      { id: 1, sku: 'a', price: 1, name: 'last' },
      { id: 2, sku: 'b' },
    ],
    updated: [],
  })
  expect(
    await upsert(keyed, 'sku', [{ sku: 'b', price: 3 }, { sku: 'c' }, { price: 9 }]),
  ).toMatchObject({
    inserted: [
      { id: 3, sku: 'c' },
      { id: 4, sku: null },
    ],
    updated: [{ id: 2, price: 3 }],
  })
  expect(
    (
      await client.createTableRows({
        table: keyed,
        rows: [{ sku: 'c' }, { sku: 'd' }, { sku: 'd' }],
      })
    ).errors,
  ).toEqual([
    'rows[0]: another row has the same "sku"',
    'rows[2]: another row has the same "sku"',
  ])
  expect(
    (
      await client.updateTableRows({
        table: keyed,
        rows: [
          { id: 1, sku: 'b' },
          { id: 2, price: 4 },
        ],
      })
    ).errors,
  ).toEqual(['rows[0]: another row has the same "sku"'])
  expect(
    (await client.createTableRows({ table: keyed, rows: [{ sku: 'k'.repeat(1025) }] }))
      .errors,
  ).toEqual(['rows[0]: the key "sku" exceeds 1024 bytes'])

  const plain = await makeTable()
  expect(
    await upsert(plain, undefined, [{ sku: 'a' }, { id: 9, sku: 'b' }]),
  ).toMatchObject({
    inserted: [{ id: 1 }, { id: 2 }],
    warnings: ['rows[1]: row 9 does not exist; added as row 2'],
  })
  expect(await upsert(plain, 'id', [{ id: 2, price: 5 }])).toMatchObject({
    inserted: [],
    updated: [{ id: 2, sku: 'b', price: 5 }],
  })
  expect(
    await upsert(plain, 'price', [{ price: 5, name: 'found' }, { price: 6 }]),
  ).toMatchObject({
    inserted: [{ id: 3, price: 6 }],
    updated: [{ id: 2, name: 'found' }],
  })
  for (const keyColumn of ['nothing', 'more'])
    await expect(upsert(plain, keyColumn, [{}]), keyColumn).rejects.toMatchObject({
      code: 400,
      type: 'InvalidPayload',
    })
})

test.each([
  ['with', 'sku'],
  ['without', undefined],
])(
  'twenty concurrent upserts create one row for each key, in a table %s a key column',
  async (_, keyColumn) => {
    const table = await makeTable(keyColumn)
    const rows = Array.from({ length: 20 }, (_, i) => ({ sku: `k${i}` }))
    await Promise.all(
      rows.map((_, i) =>
        client.upsertTableRows({
          table,
          keyColumn: 'sku',
          rows: rows.map((row) => ({ ...row, price: i })),
        }),
      ),
    )
    const found = (await client.findTableRows({ table })).rows
    expect([
      found.length,
      new Set(ids(found)).size,
      new Set(found.map((row) => row.sku)).size,
      new Set(found.map((row) => row.price)).size,
    ]).toEqual([20, 20, 20, 1])
    expect((await client.getTable({ table })).rows).toBe(20)
  },
)

test('concurrent updates of different columns all take effect', async () => {
  const table = await makeTable()
  await client.createTableRows({ table, rows: [{ more: {} }] })
  const columns = { sku: 'a', name: 'n', price: 1, sold: true, tags: ['t'] }
  await Promise.all(
    Object.entries(columns).map(([column, value]) =>
      client.updateTableRows({ table, rows: [{ id: 1, [column]: value }] }),
    ),
  )
  expect((await client.getTableRow({ table, id: 1 })).row).toMatchObject(columns)
})

test('groups rows with keys, counts, sums, averages, minima and maxima', async () => {
  const table = await makeTable()
  await client.createTableRows({
    table,
    rows: [
      { status: 'open', price: 1, sku: 'b', more: { n: 1 }, sold: true },
      { status: 'open', price: 3, sku: 'a', more: { n: 'x' }, sold: false },
      { status: 'closed', price: 5, sku: 'a', since: '2026-01-01' },
      { price: 7 },
    ],
  })
  const group = async (request: Record<string, unknown>) =>
    (await client.findTableRows({ table, ...request })).rows
  expect(
    await group({
      group: {
        status: 'key',
        price: ['sum', 'avg', 'min', 'max'],
        sku: ['count', 'unique', 'min'],
      },
    }),
  ).toEqual([
    {
      id: 1,
      computed: {},
      statusKey: 'open',
      priceSum: 4,
      priceAvg: 2,
      priceMin: 1,
      priceMax: 3,
      skuCount: 2,
      skuUnique: 2,
      skuMin: 'a',
    },
    {
      id: 3,
      computed: {},
      statusKey: 'closed',
      priceSum: 5,
      priceAvg: 5,
      priceMin: 5,
      priceMax: 5,
      skuCount: 1,
      skuUnique: 1,
      skuMin: 'a',
    },
    {
      id: 4,
      computed: {},
      statusKey: null,
      priceSum: 7,
      priceAvg: 7,
      priceMin: 7,
      priceMax: 7,
      skuCount: 0,
      skuUnique: 0,
      skuMin: null,
    },
  ])
  expect(await group({ group: { price: 'sum' }, filter: { status: 'open' } })).toEqual([
    { id: 1, computed: {}, priceSum: 4 },
  ])
  expect(
    (
      await group({
        group: { status: ['key'], price: 'max' },
        orderBy: 'priceMax',
        orderDirection: 'desc',
      })
    ).map((row) => row.statusKey),
  ).toEqual([null, 'closed', 'open'])
  expect(
    (await group({ group: { status: 'key' }, orderBy: 'status' })).map(
      (row) => row.statusKey,
    ),
  ).toEqual(['closed', 'open', null])
  expect(
    await group({
      group: { 'more.n': ['max', 'sum', 'key'], sold: 'max', since: 'min', id: 'max' },
      orderBy: 'more.n',
    }),
  ).toMatchObject([
    { 'more.nMax': 1, 'more.nSum': 1, 'more.nKey': 1, soldMax: true },
    { 'more.nMax': 'x', 'more.nSum': null, soldMax: false },
    { 'more.nMax': null, sinceMin: '2026-01-01T00:00:00.000Z', idMax: 4 },
  ])
  const page = await client.findTableRows({ table, group: { sku: 'key' }, limit: 2 })
  expect([page.rows.length, page.hasMore]).toEqual([2, true])
  expect(await group({ group: { price: 'sum' }, filter: { sku: 'unknown' } })).toEqual([])
})

test('searches words, prefixes and typos in searchable columns, best match first', async () => {
  const table = await makeTable()
  const names = [
    'Red running shoe',
    'Blue running sock',
    'Crème brûlée',
    '東京タワー',
    'shoe',
    'Running, running: a handbook for the serious runner',
  ]
  await client.createTableRows({
    table,
    rows: names.map((name, i) => ({ name, price: i })),
  })
  const search = async (words: string, more: Record<string, unknown> = {}) =>
    (await client.findTableRows({ table, search: words, ...more })).rows
  const found = await search('running shoe')
  expect(found.map(({ id }) => id)).toEqual([1, 5, 2, 6])
  expect(found[0]!.similarity).toBeGreaterThan(found[1]!.similarity!)
  for (const [words, first] of [
    ['creme', 3],
    ['runing', 1],
    ['brulee crem', 3],
    ['東京', 4],
    ['SHO', 5],
    ["shoe') | ('", 5],
  ] as const)
    expect([words, (await search(words))[0]?.id]).toEqual([words, first])
  expect(
    ids(await search('running', { filter: { price: { $gt: 0 } }, limit: 1, offset: 1 })),
  ).toEqual([6])
  expect(await search('nothing like it')).toEqual([])
  expect(await search('!!!')).toEqual([])
  await client.updateTableRows({ table, rows: [{ id: 5, name: 'boot' }] })
  expect(ids(await search('boot'))).toEqual([5])
  expect(ids(await search('shoe'))).toEqual([1])
  await client.deleteTableRows({ table, ids: [5] })
  expect(await search('boot')).toEqual([])
})

test.each<[request: object, message: string]>([
  [{ filter: { nothing: 1 } }, 'filter.nothing: unknown column "nothing"'],
  [{ filter: { price: 'dear' } }, 'filter.price: must be a number'],
  [{ filter: { price: { $like: 1 } } }, 'filter.price.$like: unknown operator'],
  [{ filter: { price: { constructor: 1 } } }, 'filter.price: must be a number'],
  [
    { filter: { price: { $constructor: 1 } } },
    'filter.price.$constructor: unknown operator',
  ],
  [{ filter: { constructor: 1 } }, 'filter.constructor: unknown column "constructor"'],
  [
    { filter: { $where: '1' } },
    'filter.$where: this operator is not allowed here; use $and, $or, $not or a column',
  ],
  [
    { filter: { price: { $gt: null } } },
    'filter.price.$gt: must be a string, number, boolean or date',
  ],
  [
    { filter: { price: { $gt: 1, other: 1 } } },
    'filter.price: do not mix operators and keys',
  ],
  [
    { filter: { price: { $regex: '1' } } },
    'filter.price.$regex: must refer to a string column',
  ],
  [
    { filter: { price: { $mod: [0, 1] } } },
    'filter.price.$mod: must be [divisor, remainder], two integers with a non-zero divisor',
  ],
  [
    { filter: { 'price.a': 1 } },
    'filter.price.a: the column "price" is neither an object nor an array, so it has no path',
  ],
  [{ filter: { 'more.': 1 } }, 'filter.more.: invalid path'],
  [{ filter: { 'more.-1': 1 } }, 'filter.more.-1: invalid path'],
  [{ filter: { $or: [] } }, 'filter.$or: must be a non-empty array'],
  [{ filter: { $or: [1] } }, 'filter.$or.0: a filter must be an object'],
  [{ filter: { sku: { $options: 'i' } } }, 'filter.sku: $options requires $regex'],
  [
    { filter: { sku: { $regex: 'a', $options: 'x' } } },
    'filter.sku.$regex: $options must be "i" or "c"',
  ],
  ...[
    ['(?=a)', 'lookahead, lookbehind and inline flags are not supported'],
    ['(?<!a)b', 'lookahead, lookbehind and inline flags are not supported'],
    ['(?i)a', 'lookahead, lookbehind and inline flags are not supported'],
    ['(a)\\1', 'backreferences are not supported'],
    ['(?<n>a)\\k<n>', 'backreferences are not supported'],
    ['***:a', 'a quantifier must follow a character, class or group'],
    ['a**', 'a quantifier must not follow another'],
    ['(a', 'missing closing )'],
    ['a)', 'unmatched )'],
    ['[a', 'missing closing ]'],
    ['a\\', 'a backslash at the end'],
    ['\\m', 'unknown escape \\m'],
    ['(a{100}){100}', 'the pattern is too large'],
    ['a{300}', 'a repetition count may be at most 255'],
    ['('.repeat(40), 'the pattern is nested too deeply'],
  ].map(([pattern, reason]): [object, string] => [
    { filter: { sku: { $regex: pattern } } },
    `filter.sku.$regex: ${reason}`,
  ]),
  [{ orderBy: 'nothing' }, 'orderBy: unknown column "nothing"'],
  [
    { orderBy: "id'; select pg_sleep(9)--" },
    'orderBy: unknown column "id\'; select pg_sleep(9)--"',
  ],
  [
    { group: { price: 'median' } },
    'group.price: must be one or more of key, count, sum, avg, min, max, unique',
  ],
  [{ group: { sku: 'sum' } }, 'group.sku: must refer to a number column'],
  [{ group: {} }, 'group: must specify 1 to 50 results'],
  [
    { group: { sku: 'key' }, orderBy: 'price' },
    'orderBy: must be `id` or one of the results of `group`',
  ],
  [
    { group: { sku: 'key' }, search: 'a' },
    '`search` and `group` cannot be combined: use `filter` instead of `search`',
  ],
])('rejects %j', async (request, message) => {
  const table = made === 0 ? await makeTable() : 'Item1Table'
  const { status, body } = await scene.call('POST', `/v1/tables/${table}/rows/find`, {
    headers: scene.asBot,
    body: request,
  })
  expect([status, body.type, body.message]).toEqual([400, 'InvalidQuery', message])
})

test.each([{}, { orderBy: 'price' }, { group: { sku: 'key' } }, { search: 'shoe' }])(
  'an offset beyond the last row returns no rows: %j',
  async (more) => {
    const table = await makeTable()
    await client.createTableRows({ table, rows: [{ name: 'shoe' }] })
    expect(await client.findTableRows({ table, offset: 1e300, ...more })).toMatchObject({
      rows: [],
      hasMore: false,
      offset: 1e300,
    })
  },
)

test.each<[string, Record<string, unknown>]>([
  [
    'of 20 levels',
    Array.from({ length: 20 }).reduce<Record<string, unknown>>(
      (filter) => ({ $not: filter }),
      {
        sku: 'a',
      },
    ),
  ],
  ['of 600 alternatives', { $or: Array.from({ length: 600 }, () => ({ sku: 'a' })) }],
  ['with 1,001 values', { sku: { $in: Array.from({ length: 1001 }, () => 'a') } }],
])('rejects a filter %s', async (_, filter) => {
  const table = await makeTable()
  await expect(client.findTableRows({ table, filter })).rejects.toMatchObject({
    code: 400,
    type: 'InvalidQuery',
  })
})

test.each([
  {},
  { filter: {} },
  { ids: [1], deleteAllRows: true },
  { deleteAllRows: false },
])('rejects the ambiguous deletion %j', async (which) => {
  const table = await makeTable()
  await expect(client.deleteTableRows({ table, ...which })).rejects.toMatchObject({
    code: 400,
    type: 'InvalidPayload',
  })
})

test('evaluates patterns that cause catastrophic backtracking in other engines', async () => {
  const table = await makeTable()
  await client.createTableRows({ table, rows: [{ name: `${'a'.repeat(3000)}!` }] })
  for (const pattern of [
    '^(a+)+$',
    '^(a|aa)+$',
    '(a*)*b',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(x+x+)+y',
    '(.*){20}z',
  ])
    expect([
      pattern,
      ids(
        (await client.findTableRows({ table, filter: { name: { $regex: pattern } } }))
          .rows,
      ),
    ]).toEqual([pattern, []])
})

test.each([
  ['GET', 'row?id=1', undefined],
  ['POST', 'rows/find', {}],
  ['POST', 'rows', { rows: [{}] }],
  ['PUT', 'rows', { rows: [{ id: 1 }] }],
  ['POST', 'rows/upsert', { rows: [{}] }],
  ['POST', 'rows/delete', { ids: [1] }],
] as const)(
  '%s %s rejects a missing token, another bot and an unknown table',
  async (method, path, body) => {
    const table = made === 0 ? await makeTable() : 'Item1Table'
    const { table: known } = (
      await scene.call('GET', `/v1/tables/${table}`, { headers: scene.asBot })
    ).body
    const { body: other } = await scene.call('POST', '/v1/admin/bots', {
      headers: scene.admin,
      body: { name: 'other' },
    })
    const send = async (address: string, headers: Record<string, string>) => {
      const { status, body: answer } = await scene.call(
        method,
        `/v1/tables/${address}/${path}`,
        {
          headers,
          ...(body && { body }),
        },
      )
      return [status, answer.message]
    }
    expect((await send(known.id, { 'x-bot-id': scene.botId }))[0]).toBe(401)
    expect(await send(known.id, { ...scene.asBot, 'x-bot-id': other.bot.id })).toEqual([
      404,
      `Table "${known.id}" was not found`,
    ])
    expect(await send('NothingTable', scene.asBot)).toEqual([
      404,
      'Table "NothingTable" was not found',
    ])
  },
)
