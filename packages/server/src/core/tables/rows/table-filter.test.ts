// Compares the filter compiler with a plain evaluator (filter-evaluator.ts) on random rows and
// filters, and tests hostile input.
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MemoryRow, matches } from '../../../../test/support/filter-evaluator.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { createTable, type FoundTable, findTable, wholeBot } from '../tables.ts'
import { parseFilter, parsePath } from './filter.ts'
import { findRows, orderBy } from './row-finder.ts'
import { parseRows } from './row-input.ts'
import { orderedIds } from './row-views.ts'
import { insertRows } from './rows.ts'

let scene: Scene
let table: FoundTable
/** A copy of the table with columns beyond the indexed ones. */
let unindexed: FoundTable
/** A copy of the table with an index for patterns. */
let searchable: FoundTable
let rows: MemoryRow[]
const db = () => scene.app.services.db

const long = 'x'.repeat(63)
// Few and similar values, so that they often match; some are at the length limit of the text index.
const texts = fc.constantFrom(
  '',
  'a',
  'A',
  'b',
  'ab',
  'aé',
  'a\u0301',
  '€',
  '\uffee',
  '😀',
  '5',
  'true',
  `${long}a`,
  `${long}ab`,
  `${long}ac`,
  `${long}`,
  `a\n${long}`,
  '%_\\',
  "'",
  'wooden scarf',
  'Wooden SCARF 99%',
  'woodden\\scarf_9',
  'ΟΔΟΣΑ straße',
  '木の箱を作る',
)
const numbers = fc.constantFrom(
  0,
  1,
  -1,
  5,
  5.5,
  -5.5,
  7,
  10,
  0.1,
  1e21,
  -1e21,
  1e-7,
  9007199254740991,
  1.7976931348623157e308,
  -1.7976931348623157e308,
  5e-324,
)
const moments = fc.constantFrom(
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '1969-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T00:00:00.000Z',
)
const scalars = fc.oneof(texts, numbers, fc.boolean())
const jsons = fc.oneof(
  scalars,
  fc.array(scalars, { maxLength: 3 }),
  fc.constant(null),
  fc.constantFrom({ k: 1 }, { k: null }, {}, [], [[1]], [{ k: 1 }]),
)
const objects = fc.record(
  {
    k: jsons,
    deep: fc.record({ k: jsons, 'odd key': jsons }, { requiredKeys: [] }),
    __proto: jsons,
  },
  { requiredKeys: [] },
)

const columns = {
  text: texts,
  number: numbers,
  flag: fc.boolean(),
  moment: moments,
  json: objects,
  list: fc.array(scalars, { maxLength: 3 }),
}
const schema = {
  text: { type: 'string' },
  number: { type: 'number' },
  flag: { type: 'boolean' },
  moment: { type: 'string', format: 'date-time' },
  json: { type: 'object' },
  list: { type: 'array' },
}
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 4 })
const anyRow = fc.record(
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      name,
      maybe(value as fc.Arbitrary<unknown>),
    ]),
  ),
)

const paths = [
  'json.k',
  'json.deep.k',
  'json.deep.odd key',
  'json.k.0',
  'json.k.k',
  'json.nothing',
  'list',
  'list.0',
  'list.1.k',
  'json',
]
const pattern = fc.constantFrom(
  'a',
  '^a',
  'b$',
  '^$',
  'x{3}a',
  '[^a]',
  '\\d',
  '\\w+b',
  '(a|é)b?',
  '.',
  '^.$',
  '\\b5\\b',
  'a.b',
  '[\\s\\S]',
  '\\u{1F600}?€|%',
  "'",
  '^x*$',
  '[A-B]',
)
/** Patterns with texts that every match contains. */
const literalPattern = fc.constantFrom(
  'wooden',
  '^wood(en|den)',
  'wo{2}den',
  'wood{1,2}en',
  '(?:wood)+en sc',
  '(?:wooden)?',
  '(wooden|scarf)',
  'e\\x6e [s]carf',
  'carf\\b.9',
  'ARF 99%$',
  'den\\\\scarf_',
  'ΔΟΣ',
  'Α stra',
  'の箱を',
  '(?:xxx){2,}a',
  'x{64}',
)

/** Conditions that are valid for the type of the column. */
function conditionOn(
  value: fc.Arbitrary<unknown>,
  { isText = false, isNumber = false, isJson = false } = {},
): fc.Arbitrary<unknown> {
  const { condition } = fc.letrec((tie) => ({
    operators: fc.oneof(
      ...['$eq', '$ne'].map((operator) =>
        fc.record({
          [operator]: fc.oneof(
            { weight: 5, arbitrary: value },
            { weight: 1, arbitrary: fc.constant(null) },
          ),
        }),
      ),
      ...['$gt', '$gte', '$lt', '$lte'].map((operator) =>
        fc.record({ [operator]: isJson ? scalars : value }),
      ),
      ...['$in', '$nin'].map((operator) =>
        fc.record({
          [operator]: fc.array(
            fc.oneof(
              { weight: 5, arbitrary: value },
              { weight: 1, arbitrary: fc.constant(null) },
            ),
            { maxLength: 4 },
          ),
        }),
      ),
      fc.record({ $exists: fc.boolean() }),
      ...(isText || isJson
        ? [
            fc.record({ $regex: pattern, $options: fc.constantFrom('i', 'c') }),
            fc.record({ $regex: literalPattern, $options: fc.constantFrom('i', 'c') }),
            fc.record({ $regex: pattern }),
          ]
        : []),
      ...(isNumber || isJson
        ? [
            fc.record({
              $mod: fc.tuple(
                fc.constantFrom(1, 2, 3, -3, 5),
                fc.constantFrom(0, 1, -1, 2),
              ),
            }),
          ]
        : []),
      ...(isJson ? [fc.record({ $size: fc.nat(3) })] : []),
    ),
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      tie('operators'),
      fc
        .tuple(tie('operators'), tie('operators'))
        .map(([a, b]) => ({ ...(a as object), ...(b as object) })),
      fc.record({ $not: tie('condition') }),
      fc.record({ $and: fc.array(tie('condition'), { minLength: 1, maxLength: 2 }) }),
      fc.record({ $or: fc.array(tie('condition'), { minLength: 1, maxLength: 2 }) }),
      value,
    ),
  }))
  return condition
}
const often = (arbitrary: fc.Arbitrary<Record<string, unknown>>) => ({
  weight: 3,
  arbitrary,
})
const leaf = fc.oneof(
  often(fc.record({ text: conditionOn(texts, { isText: true }) })),
  often(fc.record({ number: conditionOn(numbers, { isNumber: true }) })),
  often(fc.record({ flag: conditionOn(fc.boolean()) })),
  often(fc.record({ moment: conditionOn(moments) })),
  often(
    fc.record({
      id: conditionOn(fc.constantFrom(1, 2.5, 30, 30.5, 1e300), { isNumber: true }),
    }),
  ),
  ...paths.map((path) => ({
    weight: 1,
    arbitrary: fc.record({
      [path]: conditionOn(jsons, { isJson: true }),
    }) as fc.Arbitrary<Record<string, unknown>>,
  })),
)
const { filter: anyFilter } = fc.letrec<{ filter: Record<string, unknown> }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.tuple(leaf, leaf).map(([a, b]) => ({ ...a, ...b }) as Record<string, unknown>),
    fc.record({ $and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $not: tie('filter') }),
  ),
}))

beforeAll(async () => {
  scene = await openScene()
  await createTable(db(), wholeBot(scene.botId), { name: 'FilterTable', schema })
  table = await findTable(db(), wholeBot(scene.botId), 'FilterTable')
  const input = fc.sample(anyRow, { numRuns: 120, seed: 7 }) as Record<string, unknown>[]
  const read = parseRows(table, input)
  expect([read.errors, await insertRows(db(), table, read.rows)]).toEqual([[], []])
  unindexed = await makeUnindexed(table)
  expect(await insertRows(db(), unindexed, parseRows(unindexed, input).rows)).toEqual([])
  searchable = await makeSearchable()
  expect(await insertRows(db(), searchable, parseRows(searchable, input).rows)).toEqual(
    [],
  )
  rows = input.map((row, i) => ({
    id: i + 1,
    ...Object.fromEntries(Object.keys(columns).map((name) => [name, row[name] ?? null])),
  }))
})
afterAll(() => scene?.close())

async function makeUnindexed({ columns }: FoundTable): Promise<FoundTable> {
  const { bot_table_id } = await createTable(db(), wholeBot(scene.botId), {
    name: 'FarTable',
    schema,
  })
  const moved = columns.map((column) => ({ ...column, id: column.id.replace('c', 'c2') }))
  await sql`
    update bot_table set columns = ${JSON.stringify(moved)}::jsonb
    where bot_table_id = ${bot_table_id}`.execute(db())
  return findTable(db(), wholeBot(scene.botId), bot_table_id)
}

async function makeSearchable(): Promise<FoundTable> {
  const text = { type: 'string', 'x-zui': { searchable: true } }
  const { bot_table_id } = await createTable(db(), wholeBot(scene.botId), {
    name: 'SearchableTable',
    schema: { ...schema, text },
  })
  const made = await findTable(db(), wholeBot(scene.botId), bot_table_id)
  expect(made.text_columns).toEqual(['c1'])
  return made
}

const find = async (filter: Record<string, unknown>, within = table) => {
  const order = { by: parsePath('id', within.columns, ''), direction: 'asc' } as const
  return (
    await findRows(db(), within, parseFilter(filter, within.columns), [order], {
      limit: 1000,
      offset: 0,
    })
  ).map(({ row_id }) => Number(row_id))
}

test('a filter finds the same rows as the evaluator', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyFilter, fc.nat(2), async (filter, which) => {
      expect(await find(filter, [table, unindexed, searchable][which])).toEqual(
        rows.filter((row) => matches(row, filter)).map(({ id }) => id),
      )
    }),
    { numRuns: 300 },
  )
})

test('a pattern with an index finds the same rows as the evaluator', {
  timeout: 60_000,
}, async () => {
  const condition = fc.record({
    $regex: literalPattern,
    $options: fc.constantFrom('i', 'c'),
  })
  await fc.assert(
    fc.asyncProperty(condition, fc.boolean(), async (text, isNegated) => {
      const filter: Record<string, unknown> = isNegated ? { $not: { text } } : { text }
      expect(await find(filter, searchable)).toEqual(
        rows.filter((row) => matches(row, filter)).map(({ id }) => id),
      )
    }),
    { numRuns: 100 },
  )
})

test('cell_key returns the texts that indexes of earlier versions contain', async () => {
  const doubles = fc.double({ noNaN: true, noDefaultInfinity: true })
  const strings = fc.string({ maxLength: 70 }).map((text) => `€${text}😀`)
  const cells = JSON.stringify(fc.sample(fc.oneof(jsons, doubles, strings), 500))
  const { rows: different } = await sql`
    select cell from jsonb_array_elements(${cells}::jsonb) cell
    where cell_key(cell) is distinct from case jsonb_typeof(cell)
      when 'string' then left(cell #>> '{}', 64)
      when 'number' then
        case when cell >= '0'::jsonb then '1' || encode(float8send(cell::float8), 'hex')
        else '0' || translate(encode(float8send(cell::float8), 'hex'), '0123456789abcdef',
          'fedcba9876543210') end
      when 'boolean' then cell::text
    end`.execute(db())
  expect(different).toEqual([])
})

test('returns rows in the requested order, with missing values last', async () => {
  for (const [name, isBefore] of [
    ['number', (a: never, b: never) => a < b],
    ['flag', (a: never, b: never) => a < b],
    ['moment', (a: never, b: never) => a < b],
    [
      'text',
      (a: string, b: string) =>
        Buffer.compare(
          Buffer.from([...a].slice(0, 64).join('')),
          Buffer.from([...b].slice(0, 64).join('')),
        ) < 0,
    ],
  ] as [string, (a: unknown, b: unknown) => boolean][])
    for (const direction of ['asc', 'desc'] as const) {
      const column = parsePath(name, table.columns, '')
      const read = async (limit: number, offset: number) =>
        (
          await findRows(
            db(),
            table,
            parseFilter({}, table.columns),
            [{ by: column, direction }],
            {
              limit,
              offset,
            },
          )
        )
          .slice(0, limit)
          .map((row) => Number(row.row_id))
      const sign = direction === 'asc' ? 1 : -1
      const compare = (a: MemoryRow, b: MemoryRow) => {
        const [x, y] = [a[name], b[name]]
        if (x === null || y === null)
          return (
            Number(x === null) - Number(y === null) ||
            sign * (Number(a.id) - Number(b.id))
          )
        if (isBefore(x, y)) return -sign
        return isBefore(y, x) ? sign : sign * (Number(a.id) - Number(b.id))
      }
      const expected = [...rows].sort(compare).map(({ id }) => id)
      expect([name, direction, await read(1000, 0)]).toEqual([name, direction, expected])
      expect(
        (await Promise.all([0, 50, 100].map((offset) => read(50, offset)))).flat(),
        `${name} ${direction}`,
      ).toEqual(expected)
    }
})

test('the numbers of a whole view have the order of its pages', async () => {
  const names = ['id', 'createdAt', 'number', 'flag', 'moment', 'text', 'json', 'list']
  const everyRow = parseFilter({}, table.columns)
  const all = { limit: 1000, offset: 0 }
  const directions = ['asc', 'desc'] as const
  const orders = names.flatMap((name) =>
    directions.map((direction) => orderBy(name, direction, table.columns)),
  )
  const views = orders.flatMap((first, at) => [[first], [first, orders.at(at - 3)!]])
  for (const view of views) {
    const paged = await findRows(db(), table, everyRow, view, all)
    const ids = await orderedIds(db(), table, { condition: everyRow, orders: view })
    const numbers = Array.from({ length: ids.length / 4 }, (_, i) =>
      ids.readInt32BE(i * 4),
    )
    expect(numbers, JSON.stringify(view)).toEqual(
      paged.map(({ row_id }) => Number(row_id)),
    )
  }
})

const hostile = [
  "'; drop table table_row; --",
  "' or 1=1 --",
  '"; select pg_sleep(5); --',
  '$1',
  '$$',
  '\\',
  "c1' is not null or 'a'='a",
  '%00',
  '{}',
  '🙂\u202e',
  'constructor',
  'x'.repeat(5_000),
]

test('treats hostile text in any field as a value or rejects it, and keeps the rows', async () => {
  const url = `/v1/tables/${table.bot_table_id}/rows/find`
  const requests = hostile.flatMap((text) => [
    { filter: { text } },
    { filter: { [text]: 1 } },
    { filter: { text: { [text]: 1 } } },
    { filter: { text: { [`$${text}`]: 1 } } },
    { filter: { [`json.${text}`]: 1 } },
    { filter: { json: { [text]: text } } },
    { filter: { text: { $in: [text] } } },
    { filter: { text: { $gt: text } } },
    { filter: { text: { $regex: text } } },
    { filter: { 'json.k': { $regex: text, $options: text } } },
    { filter: { moment: text } },
    { orderBy: text },
    { orderBy: `json.${text}` },
    { select: [text, `json.${text}`] },
    { search: text.slice(0, 1_000) },
    { group: { [text]: 'key' } },
    { group: { [`json.${text}`]: ['key', 'max'] } },
    { group: { text: text } },
  ])
  const answers = await Promise.all(
    requests.map((body) => scene.call('POST', url, { headers: scene.asBot, body })),
  )
  expect(
    answers
      .map(({ status }, i) => [status, requests[i]])
      .filter(([status]) => status !== 200 && status !== 400),
  ).toEqual([])
  expect(await find({})).toHaveLength(rows.length)
})
