// Views, changes of many rows and conversions of columns, as the dashboard uses them.

import { CsvReader } from '@botstead/extraction'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const send = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
  headers = scene.asBot,
) => scene.call(method, path, { headers, ...(body && { body }) })
const call = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  (await send(method, path, body)).body

async function createTable(name: string, properties: object, rows: object[], more = {}) {
  const { table } = await call('POST', '/v1/tables', {
    name,
    schema: { type: 'object', properties },
    ...more,
  })
  for (let from = 0; from < rows.length; from += 1_000)
    await call('POST', `/v1/tables/${name}/rows`, {
      rows: rows.slice(from, from + 1_000),
    })
  return table.id as string
}

const toValues = async (table: string, column: string, body = {}) =>
  (
    await call('POST', `/v1/tables/${table}/rows/find`, { limit: 1000, ...body })
  ).rows.map((row: Record<string, unknown>) => row[column])

async function ended(table: string, { job }: { job: { id: string } }) {
  const path = `/v1/platform/tables/${table}/jobs`
  const find = async () =>
    (await call('GET', path)).jobs.find(({ id }: { id: string }) => id === job.id)
  await expect
    .poll(async () => (await find()).status, { timeout: 20_000 })
    .toMatch(/completed|failed/)
  return find()
}

const page = async (table: string, body: object) =>
  (await call('POST', `/v1/platform/tables/${table}/rows/find`, body)).rows

test('sorts by several columns, empty cells last, and equally at any position', async () => {
  const rows = Array.from({ length: 3_000 }, (_, n) => ({
    size: n % 7 === 0 ? null : n % 5,
    name: `n${String((n * 7919) % 3_000).padStart(4, '0')}`,
  }))
  const properties = { size: { type: 'number' }, name: { type: 'string' } }
  const table = await createTable('SortedTable', properties, rows)
  const sort = [
    { by: 'size', direction: 'desc' },
    { by: 'name', direction: 'asc' },
  ]
  const expected = rows
    .toSorted((a, b) => (b.size ?? -1) - (a.size ?? -1) || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
  const names = async (offset: number, more = {}) =>
    (await page(table, { sort, offset, limit: 100, ...more })).map(
      ({ name }: { name: string }) => name,
    )
  expect(await names(0)).toEqual(expected.slice(0, 100))
  for (const offset of [1_850, 2_400, 2_950])
    expect(await names(offset)).toEqual(expected.slice(offset, offset + 100))
  const filter = { size: { $gte: 1 } }
  const filtered = expected.filter(
    (name) => (rows.find((r) => r.name === name)!.size ?? 0) >= 1,
  )
  expect(await names(2_000, { filter })).toEqual(filtered.slice(2_000, 2_100))
  // A change is visible at deep positions, too.
  const [last] = await page(table, { sort, offset: 2_999, limit: 1 })
  await call('PUT', `/v1/tables/${table}/rows`, { rows: [{ id: last.id, size: 99 }] })
  await expect
    .poll(async () => (await names(2_999))[0], { timeout: 5_000 })
    .toBe(expected[2_998])
  expect((await names(0))[0]).toBe(last.name)
})

test('sets and deletes all rows of a filter, and lists those that it cannot change', async () => {
  const rows = Array.from({ length: 4_500 }, (_, n) => ({
    code: `c${n}`,
    open: n % 2 === 0,
    note: '',
  }))
  const properties = {
    code: { type: 'string' },
    open: { type: 'boolean' },
    note: { type: 'string' },
    price: { type: 'number' },
  }
  const table = await createTable('BulkTable', properties, rows, { keyColumn: 'code' })
  const change = (body: object) =>
    call('POST', `/v1/platform/tables/${table}/row-changes`, body)
  const filter = { open: true }
  const set = await ended(
    table,
    await change({ filter, values: { price: '7', note: null } }),
  )
  expect(set).toMatchObject({ type: 'update_rows', status: 'completed', changed: 2_250 })
  const count = async (where: object) =>
    (
      await call('POST', `/v1/tables/${table}/rows/find`, {
        filter: where,
        group: { id: 'count' },
      })
    ).rows[0]?.idCount ?? 0
  expect(await count({ price: 7, note: null })).toBe(2_250)
  expect(await count({ price: null, note: '' })).toBe(2_250)
  // Only one row can have a key.
  const same = { filter: { code: { $in: ['c1', 'c3', 'c5'] } }, values: { code: 'x' } }
  expect(await ended(table, await change(same))).toMatchObject({ changed: 1, leftOut: 2 })
  const jobs = await call('GET', `/v1/platform/tables/${table}/jobs`)
  const rejected = `/v1/platform/tables/${table}/rejected-rows?job=${jobs.jobs[0].id}`
  expect(await call('GET', rejected)).toMatchObject({
    total: 2,
    rows: [
      { place: 'row 4', problem: 'another row has the same "code"' },
      { place: 'row 6' },
    ],
  })
  expect(
    await ended(table, await change({ filter: { price: 7 }, delete: true })),
  ).toMatchObject({
    type: 'delete_rows',
    changed: 2_250,
  })
  expect(await count({})).toBe(2_250)
  // The external API lists only jobs that it knows.
  const known = (await call('GET', `/v1/tables/${table}/jobs`)).jobs
  expect(known.map(({ type }: { type: string }) => type)).toEqual(['delete_rows'])
})

test('rejects changes that no row can have, of other tables and of strange names', async () => {
  const table = await createTable('StrictTable', { n: { type: 'number' } }, [{ n: 1 }])
  const path = `/v1/platform/tables/${table}`
  const change = (body: object) => send('POST', `${path}/row-changes`, body)
  const wrong: [object, string][] = [
    [{ filter: {}, values: { n: 'many' } }, 'must be a number'],
    [{ filter: {}, values: { other: 1 } }, 'unknown columns: "other"'],
    [{ filter: {}, values: JSON.parse('{"__proto__": 1}') }, '__proto__'],
    [{ filter: {}, values: { constructor: '😀\u202e' } }, 'constructor'],
    [{ filter: {}, values: {} }, 'at least one column'],
    [{ filter: {} }, 'either `values` or `delete'],
    [{ filter: {}, values: { n: 1 }, delete: true }, 'either `values` or `delete'],
    [
      { filter: { $or: Array(600).fill({ n: 1 }) }, delete: true },
      'exceeds 500 conditions',
    ],
    [{ filter: JSON.parse('{"__proto__": {"n": 1}}'), delete: true }, '__proto__'],
    [{ filter: { constructor: 1 }, delete: true }, 'unknown column'],
  ]
  for (const [body, message] of wrong) {
    const { status, body: error } = await change(body)
    expect([status, error.message]).toEqual([400, expect.stringContaining(message)])
  }
  expect(await toValues(table, 'n')).toEqual([1])
  const created = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: {},
  })
  const other = { ...scene.asBot, 'x-bot-id': created.body.bot.id }
  for (const [method, rest, body] of [
    ['POST', 'row-changes', { filter: {}, delete: true }],
    ['POST', 'rows/find', {}],
    ['POST', 'exports', { format: 'csv' }],
    ['POST', 'column-conversions', { column: 'n', type: 'string' }],
    ['POST', 'column-conversions/preview', { column: 'n', type: 'string' }],
    ['GET', 'jobs', undefined],
  ] as const)
    expect((await send(method, `${path}/${rest}`, body, other)).status).toBe(404)
})

test('previews a conversion, applies it at once, and keeps what others write meanwhile', async () => {
  const given = ['12', ' 3.5 ', '', 'dear', '1e3', null, '😀']
  const rows = [
    ...given.map((price) => ({ price })),
    ...Array.from({ length: 4_000 }, (_, n) => ({ price: String(n) })),
  ]
  const properties = { price: { type: 'string', description: 'in euros' } }
  const table = await createTable('PricesTable', properties, rows)
  const path = `/v1/platform/tables/${table}/column-conversions`
  const body = { column: 'price', type: 'number' }
  expect(await call('POST', `${path}/preview`, body)).toMatchObject({
    read: 4_007,
    isComplete: true,
    converted: 4_002,
    emptied: 1,
    failed: 3,
    examples: {
      failed: [
        { row: 4, before: 'dear', after: null, problem: 'must be a number' },
        { row: 5, before: '1e3', problem: 'must be a number that keeps all characters' },
        { row: 7, before: '😀' },
      ],
      emptied: [{ row: 3, before: '', after: null }],
    },
  })
  expect((await toValues(table, 'price')).slice(0, 4)).toEqual([
    '12',
    ' 3.5 ',
    '',
    'dear',
  ])
  const started = await call('POST', path, body)
  await call('PUT', `/v1/tables/${table}/rows`, { rows: [{ id: 1, price: '13' }] })
  await call('POST', `/v1/tables/${table}/rows`, { rows: [{ price: '14' }] })
  expect(await ended(table, started)).toMatchObject({
    type: 'convert_column',
    leftOut: 3,
  })
  expect((await toValues(table, 'price')).slice(0, 7)).toEqual([
    13,
    3.5,
    null,
    null,
    null,
    null,
    null,
  ])
  expect(await toValues(table, 'price', { filter: { id: { $gt: 4_006 } } })).toEqual([
    3_999, 14,
  ])
  const { schema } = (await call('GET', `/v1/tables/${table}`)).table
  expect(schema.properties.price).toMatchObject({
    type: 'number',
    description: 'in euros',
  })
  const again = await send('POST', path, body)
  expect([again.status, again.body.message]).toEqual([
    400,
    expect.stringContaining('already'),
  ])
})

test('repeats no step of a job that a crashed server did not end', async () => {
  const rows = Array.from({ length: 30 }, (_, n) => ({ n: String(n), open: true }))
  const properties = { n: { type: 'string' }, open: { type: 'boolean' } }
  const table = await createTable('CrashTable', properties, rows)
  const path = `/v1/platform/tables/${table}`
  const converted = await call('POST', `${path}/column-conversions`, {
    column: 'n',
    type: 'number',
  })
  await ended(table, converted)
  const body = { filter: { open: true }, values: { open: false } }
  const changed = await call('POST', `${path}/row-changes`, body)
  await ended(table, changed)
  await call('PUT', `/v1/tables/${table}/rows`, { rows: [{ id: 7, open: true }] })
  // As after a crash between the last step and the end of the job.
  for (const { job } of [converted, changed]) {
    await scene.app.services.db
      .updateTable('table_job')
      .set({ status: 'in_progress', worker: null })
      .where('job_id', '=', job.id)
      .execute()
    expect(await ended(table, { job })).toMatchObject({ status: 'completed' })
  }
  expect(await toValues(table, 'n')).toEqual(rows.map((_, n) => n))
  expect(await toValues(table, 'open', { filter: { open: true } })).toEqual([true])
})

test('leaves a key column as it was if two values become equal', async () => {
  const table = await createTable(
    'KeysTable',
    { k: { type: 'string' } },
    [{ k: '1' }, { k: '1.0' }],
    {
      keyColumn: 'k',
    },
  )
  const path = `/v1/platform/tables/${table}/column-conversions`
  const job = await ended(
    table,
    await call('POST', path, { column: 'k', type: 'number' }),
  )
  expect(job).toMatchObject({
    status: 'failed',
    failureReason: expect.stringContaining('same'),
  })
  expect(await toValues(table, 'k')).toEqual(['1', '1.0'])
})

test('exports the rows of a filter in their order', async () => {
  const rows = [3, 1, 2].map((n) => ({ n, name: `=${n}` }))
  const properties = { n: { type: 'number' }, name: { type: 'string' } }
  const table = await createTable('OrderedTable', properties, rows)
  const body = {
    format: 'json',
    filter: { n: { $gte: 2 } },
    sort: [{ by: 'n', direction: 'asc' }],
  }
  const job = await ended(
    table,
    await call('POST', `/v1/platform/tables/${table}/exports`, body),
  )
  const { file } = await call('GET', `/v1/files/${job.outputFileId}`)
  const { pathname, search } = new URL(file.url)
  const exported = await call('GET', pathname + search)
  expect(exported.map(({ n }: { n: number }) => n)).toEqual([2, 3])
})

test('exports dates at midnight without their time, and imports them as the same', async () => {
  const days = ['2022-02-26T00:00:00.000Z', '2022-02-26T10:30:00.000Z', null]
  const properties = {
    due: { type: 'string', format: 'date-time' },
    text: { type: 'string' },
  }
  const rows = days.map((due) => ({ due, text: days[0] }))
  const table = await createTable('DatesTable', properties, rows)
  const path = `/v1/platform/tables/${table}`
  const exported = await ended(
    table,
    await call('POST', `${path}/exports`, { format: 'csv' }),
  )
  const { file } = await call('GET', `/v1/files/${exported.outputFileId}`)
  expect(file.key).toMatch(/^tables\/tabjob_\w+\/DatesTable-\d{4}-\d\d-\d\d\.csv$/)
  const { pathname, search } = new URL(file.url)
  const content = await (
    await fetch(`${await scene.listen()}${pathname}${search}`)
  ).text()
  expect(content.split('\r\n').map((line) => line.split(',')[1])).toEqual([
    'due',
    '2022-02-26',
    '2022-02-26T10:30:00.000Z',
    '',
    undefined,
  ])
  expect(content).toContain(`,${days[0]},`)
  const body = { fileId: file.id, columns: { due: 'due' } }
  const imported = await ended(table, await call('POST', `${path}/imports`, body))
  expect(imported).toMatchObject({
    status: 'completed',
    fileName: file.key.split('/').at(-1),
  })
  expect(await toValues(table, 'due')).toEqual([...days, ...days])
})

test('puts an apostrophe before formulas of CSV on request, and keeps them without', async () => {
  const formulas = [
    '=1+1',
    '+49 170 1',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '\u200b=1',
    '\u00a0-a',
    '＝1+1',
    '＋1',
    '－1',
    '＠a',
    '=HYPERLINK("https://example.org";"a,b")',
    '\u22121+1',
  ]
  const harmless = [
    'a=1',
    "'=1",
    '-5',
    '+5.5',
    '-1e3',
    '1-2',
    '',
    'a\n=1',
    'é',
    'a@example.org',
  ]
  const texts = [...formulas, ...harmless]
  const properties = { text: { type: 'string' }, n: { type: 'number' } }
  const rows = texts.map((text) => ({ text, n: -1 }))
  const table = await createTable('FormulaTable', properties, rows)
  const path = `/v1/platform/tables/${table}`
  const toCells = async (body: object) => {
    const job = await ended(
      table,
      await call('POST', `${path}/exports`, { format: 'csv', ...body }),
    )
    const { file } = await call('GET', `/v1/files/${job.outputFileId}`)
    const { pathname, search } = new URL(file.url)
    const content = await (
      await fetch(`${await scene.listen()}${pathname}${search}`)
    ).text()
    const reader = new CsvReader(',')
    const [, ...records] = [...reader.read(content), ...reader.end()]
    return records.map(({ cells: [, text, n] }) => {
      expect(n).toBe('-1')
      return text
    })
  }
  expect(await toCells({})).toEqual(texts)
  expect(await toCells({ escapeFormulas: true })).toEqual([
    ...formulas.map((text) => `'${text}`),
    ...harmless,
  ])
})

test('exports chosen rows, and all rows by an empty filter', async () => {
  const table = await createTable('ChosenTable', { n: { type: 'number' } }, [
    { n: 1 },
    { n: 2 },
  ])
  const path = `/v1/platform/tables/${table}/exports`
  for (const filter of [{ id: { $in: [2] } }, {}])
    expect(
      await ended(table, await call('POST', path, { format: 'csv', filter })),
    ).toMatchObject({
      status: 'completed',
    })
})
