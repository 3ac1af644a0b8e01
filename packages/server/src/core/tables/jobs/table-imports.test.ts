// Imports of chosen columns of CSV, JSON and XLSX files: preview, job, rejected rows.

import { Readable } from 'node:stream'
import type { Client } from '@botpress/client'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { claimJob } from './jobs.ts'

let scene: Scene
let client: Client
beforeAll(async () => {
  scene = await openScene()
  client = await scene.openClient({ botId: scene.botId })
})
afterAll(() => scene?.close())

const call = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
  const response = await scene.call(method, path, {
    headers: scene.asBot,
    ...(body && { body }),
  })
  return response.body
}

const upload = async (key: string, content: Uint8Array): Promise<string> =>
  (await client.uploadFile({ key, content })).file.id
const preview = (fileId: string) =>
  call('POST', '/v1/platform/table-imports/preview', { fileId })

async function createTable(name: string, properties: object): Promise<string> {
  const { table } = await call('POST', '/v1/tables', {
    name,
    schema: { type: 'object', properties },
  })
  return table.id
}

async function importFile(
  table: string,
  fileId: string,
  columns: Record<string, string>,
) {
  const { job } = await call('POST', `/v1/platform/tables/${table}/imports`, {
    fileId,
    columns,
  })
  const find = async () => (await call('GET', `/v1/tables/${table}/jobs`)).jobs[0]
  await expect
    .poll(async () => (await find()).status, { timeout: 20_000 })
    .toBe('completed')
  const ended = await find()
  const { rows } = await call('POST', `/v1/tables/${table}/rows/find`, {})
  const left = await call(
    'GET',
    `/v1/platform/tables/${table}/rejected-rows?job=${job.id}`,
  )
  return { rows, left, job: ended }
}

/** A workbook with one sheet. Style 1 is a date. */
const workbook = (rows: string) =>
  zipSync({
    'xl/workbook.xml': strToU8(
      '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    'xl/sharedStrings.xml': strToU8(
      '<sst><si><t>name</t></si><si><t>Ana &amp; Bo</t></si></sst>',
    ),
    'xl/styles.xml': strToU8(
      '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/></numFmts>' +
        '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>',
    ),
    'xl/worksheets/sheet1.xml': strToU8(
      `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ),
  })
const head =
  '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>born</t></is></c>' +
  '<c r="C1" t="str"><v>points</v></c></row>'

test('imports the chosen columns of CSV and lists the rows left out with their values', async () => {
  const good = Array.from({ length: 9 }, (_, n) => `E${n};${n};w`)
  const lines = [
    'code;price;note',
    'A;1.5;x',
    'B;dear;y',
    'C;2;z;more',
    '',
    'D;4;',
    ...good,
  ]
  const fileId = await upload('goods.csv', Buffer.from(lines.join('\n')))
  // One wrong value of many does not make the column a text.
  expect(await preview(fileId)).toMatchObject({
    format: 'csv',
    columns: [
      { name: 'code', type: 'string' },
      { name: 'price', type: 'number' },
      { name: 'note', type: 'string' },
    ],
    rows: [
      { code: 'A', price: '1.5', note: 'x' },
      { code: 'B', price: 'dear', note: 'y' },
      { code: 'D', price: '4' },
      ...good.map((line) => ({ code: line.slice(0, 2) })),
    ],
    hasMore: false,
    count: 13,
    isCountComplete: true,
  })
  const table = await createTable('GoodsTable', {
    code: { type: 'string' },
    cost: { type: 'number' },
  })
  const { rows, left } = await importFile(table, fileId, { code: 'code', price: 'cost' })
  expect(rows).toMatchObject([
    { code: 'A', cost: 1.5 },
    { code: 'D', cost: 4 },
    ...good.map((_, n) => ({ code: `E${n}`, cost: n })),
  ])
  expect(left).toEqual({
    rows: [
      {
        place: 'line 3',
        problem: '"cost" must be a number, not "dear"',
        values: { code: 'B', cost: 'dear' },
      },
      {
        place: 'line 4',
        problem: expect.stringContaining('expected 3 cells, found 4: quote'),
        values: { code: 'C', cost: '2' },
        extra: ['more'],
      },
    ],
    total: 2,
  })
})

test('counts the rows of a file up to 16 MiB, and lists extra cells of short rows only', async () => {
  const line = `${'x'.repeat(99)}\n`
  const large = await upload('large.csv', Buffer.from(`a\n${line.repeat(200_000)}`))
  const { count, isCountComplete, rows } = await preview(large)
  expect(isCountComplete).toBe(false)
  expect(count).toBeGreaterThan(150_000)
  expect(count).toBeLessThan(180_000)
  expect(rows).toHaveLength(20)
  const bad = ['1,\0', '2,\ud800', `3${','.repeat(500_000)}`, '4,x,,y']
  const fileId = await upload('extra.csv', Buffer.from(`a\n${bad.join('\n')}\n`))
  const table = await createTable('ExtraTable', { a: { type: 'string' } })
  const { left } = await importFile(table, fileId, { a: 'a' })
  expect(left.rows).toEqual([
    { place: 'line 2', problem: expect.stringContaining('NUL'), values: {} },
    {
      place: 'line 3',
      problem: expect.stringContaining('expected 1 cells, found 2: quote'),
      values: { a: '2' },
      extra: ['\ufffd'],
    },
    {
      place: 'line 4',
      problem: expect.stringContaining('expected 1 cells, found 500001: quote'),
      values: {},
    },
    {
      place: 'line 5',
      problem: expect.stringContaining('expected 1 cells, found 4: quote'),
      values: { a: '4' },
      extra: ['x', '', 'y'],
    },
  ])
})

test('previews days without a time as dates', async () => {
  const fileId = await upload(
    'days.csv',
    Buffer.from('day,year\n2026-01-16,2026\n2026-01-17,2027'),
  )
  expect(await preview(fileId)).toMatchObject({
    columns: [
      { name: 'day', type: 'date' },
      { name: 'year', type: 'number' },
    ],
  })
})

test('imports a workbook with shared texts, dates, empty cells and its row numbers', async () => {
  const rows =
    '<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>45658.5</v></c><c r="C2"><v>3</v></c></row>' +
    '<row r="5"><c r="A5" t="str"><v>Cy</v></c><c r="C5" t="e"><v>#REF!</v></c></row>'
  const fileId = await upload('people.xlsx', workbook(head + rows))
  expect(await preview(fileId)).toMatchObject({
    format: 'xlsx',
    columns: [
      { name: 'name', type: 'string' },
      { name: 'born', type: 'date' },
      { name: 'points', type: 'number' },
    ],
    rows: [
      { name: 'Ana & Bo', born: '2025-01-01T12:00:00.000Z', points: 3 },
      { name: 'Cy' },
    ],
  })
  const table = await createTable('PeopleTable', {
    name: { type: 'string' },
    born: { type: 'string', format: 'date-time' },
    points: { type: 'number' },
  })
  const columns = { name: 'name', born: 'born', points: 'points' }
  const { rows: found, left, job } = await importFile(table, fileId, columns)
  expect(found).toMatchObject([
    { name: 'Ana & Bo', born: '2025-01-01T12:00:00.000Z', points: 3 },
    { name: 'Cy', born: null, points: null },
  ])
  expect(left.rows).toEqual([])
  expect(job.warnings).toEqual(['Cells with errors such as #N/A are empty: C5'])
})

test('rejects a damaged workbook, and one that unpacks to more than 200 MB', async () => {
  const damaged = await upload('a.xlsx', workbook(head).slice(0, 300))
  expect(await preview(damaged)).toMatchObject({ type: 'InvalidDataFormat' })
  const huge = Buffer.from(workbook(head))
  // The size that the directory of the zip declares for its first part.
  huge.writeUInt32LE(300 * 1_048_576, huge.indexOf('PK\x01\x02') + 24)
  expect(await preview(await upload('b.xlsx', huge))).toMatchObject({
    type: 'InvalidDataFormat',
    message: expect.stringContaining('unpacked bytes'),
  })
})

test('rejects unknown columns, columns with two sources, and jobs of other tables', async () => {
  const fileId = await upload('a.csv', Buffer.from('a,b\n1,2\n'))
  const [table, other] = [
    await createTable('OneTable', { a: { type: 'string' } }),
    await createTable('OtherTable', { a: { type: 'string' } }),
  ]
  const start = (columns: object) =>
    call('POST', `/v1/platform/tables/${table}/imports`, { fileId, columns })
  expect(await start({ a: 'b' })).toMatchObject({
    type: 'InvalidPayload',
    message: '`columns`: the table has no column "b"',
  })
  expect(await start({ a: 'a', b: 'a' })).toMatchObject({ type: 'InvalidPayload' })
  expect(await start({})).toMatchObject({ type: 'InvalidPayload' })
  const { job } = await start({ a: 'a' })
  expect(
    await call('GET', `/v1/platform/tables/${other}/rejected-rows?job=${job.id}`),
  ).toMatchObject({ type: 'ResourceNotFound' })
})

/** Imports a file by the external operation, which adds columns. */
async function importAll(key: string, content: Uint8Array) {
  const table = await createTable(`All${key.replaceAll(/\W/g, '')}Table`, {})
  const { job } = await call('POST', `/v1/tables/${table}/import`, {
    fileId: await upload(key, content),
  })
  const find = async () =>
    (await call('GET', `/v1/tables/${table}/jobs`)).jobs.find(
      ({ id }: { id: string }) => id === job.id,
    )
  await expect
    .poll(async () => (await find()).status, { timeout: 60_000 })
    .toMatch(/completed|failed/)
  const { rows } = await call('POST', `/v1/tables/${table}/rows/find`, {})
  return { job: await find(), rows }
}

test.each<[string, string, Uint8Array, string]>([
  ['an old workbook', 'a.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), '.xls'],
  [
    'HTML',
    'b.xls',
    Buffer.from('<table><tr><td>a</td></tr></table>'),
    'CSV, JSON, XLSX and ODS',
  ],
  ['nothing', 'c.csv', Buffer.from(''), 'CSV, JSON, XLSX and ODS'],
  ['a header only', 'd.csv', Buffer.from('a,b\n'), 'no rows below its column names'],
  ['an empty list', 'e.json', Buffer.from('[]'), 'no rows'],
  ['a workbook with a header only', 'f.xlsx', workbook(head), 'no rows'],
  ['an empty workbook', 'g.xlsx', workbook(''), 'no rows in a visible sheet'],
  [
    'a mixture of character sets',
    'h.csv',
    Buffer.from([0x61, 10, 0xc3, 0xa9, 0xc3, 0xa9, 0xfc, 10]),
    'UTF-8',
  ],
])('fails for %s', async (_, key, content, reason) => {
  expect((await importAll(key, content)).job).toMatchObject({
    status: 'failed',
    failureReason: expect.stringContaining(reason),
  })
})

test('keeps late codes: leaves their records out with the reason', async () => {
  const numbers = Array.from({ length: 4_500 }, (_, n) => String(n))
  const codes = ['00123', '12345678901234567890', '1e5', '+5', '7']
  const { job, rows } = await importAll(
    'late.csv',
    Buffer.from(['ref', ...numbers, ...codes].join('\n')),
  )
  expect(job).toMatchObject({ status: 'completed', leftOut: 4 })
  expect(job.warnings[0]).toBe(
    'line 4502: "ref" must be a number that keeps all characters, not "00123"',
  )
  expect(rows[0]).toMatchObject({ ref: 0 })
})

test('adds columns whose first value comes late, and keeps warnings beside many left out', async () => {
  const lines = Array.from({ length: 4_200 }, (_, n) => `${n},`)
  const wrong = Array.from({ length: 150 }, () => '1,2,3')
  const content = ['a.b,late', ...wrong, ...lines, '7,x'].join('\n')
  const { job } = await importAll('lateColumn.csv', Buffer.from(content))
  expect(job).toMatchObject({ status: 'completed', leftOut: 150 })
  expect(job.warnings[0]).toBe('The column "a.b" is named "a_b"')
  const { rows } = await call('POST', '/v1/tables/AlllateColumncsvTable/rows/find', {
    filter: { late: 'x' },
  })
  expect(rows).toMatchObject([{ a_b: 7, late: 'x' }])
})

test('writes cells without changing numbers silently', async () => {
  const table = await createTable('ExactTable', {
    n: { type: 'number' },
    t: { type: 'string' },
  })
  const path = `/v1/tables/${table}/rows`
  const rejected = await scene.call('POST', path, {
    headers: { ...scene.asBot, 'content-type': 'application/json' },
    body: '{"rows":[{"t":12345678901234567890}]}',
  })
  expect(rejected).toMatchObject({
    status: 400,
    body: {
      type: 'InvalidPayload',
      message: 'The number 12345678901234567890 would lose digits: send it as a string',
    },
  })
  const rows = [
    { n: '00123' },
    { n: '1e5' },
    { n: '12.50' },
    { t: '12345678901234567890' },
  ]
  const created = await call('POST', path, { rows })
  expect(created.errors).toEqual([
    'rows[0]: "n" must be a number that keeps all characters, not "00123"',
    'rows[1]: "n" must be a number that keeps all characters, not "1e5"',
  ])
  expect(created.rows).toMatchObject([{ n: 12.5 }, { t: '12345678901234567890' }])
  const [{ id }] = created.rows
  expect((await call('PUT', path, { rows: [{ id, n: '-0' }] })).errors).toHaveLength(1)
  const upserted = await call('POST', `${path}/upsert`, {
    keyColumn: 't',
    rows: [{ t: 'a', n: '+5' }],
  })
  expect(upserted.errors).toHaveLength(1)
})

test('previews the cells of the first 100 columns', async () => {
  const names = Array.from({ length: 150 }, (_, i) => `c${i}`)
  const lines = [names.join(','), names.map((_, i) => i).join(',')]
  const { columns, rows } = await preview(
    await upload('wide.csv', Buffer.from(lines.join('\n'))),
  )
  expect(columns).toHaveLength(100)
  expect(Object.keys(rows[0])).toEqual(columns.map(({ name }: { name: string }) => name))
})

test('previews a small workbook with 2,000,000 rows by its first ones', async () => {
  const bytes = workbook('<row><c t="b"><v>1</v></c></row>'.repeat(2_000_000))
  expect(bytes.length).toBeLessThan(1_048_576)
  const { count, ...shown } = await preview(await upload('many.xlsx', bytes))
  expect(shown).toMatchObject({ hasMore: true, isCountComplete: false })
  expect(count).toBeLessThan(100_000)
})

test('reads workbooks of several workspaces at the same time', async () => {
  const { workbooks } = scene.app.services
  const large = workbook('<row><c><v>1</v></c></row>'.repeat(100_000))
  const small = workbook('<row><c><v>1</v></c></row>')
  const ended: string[] = []
  const read = async (name: string, tenant: string, bytes: Uint8Array) => {
    const file = { content: Readable.from([bytes]), size: bytes.length, tenant }
    await (await workbooks.read(file, 'import')).close()
    ended.push(name)
  }
  // Before one starts, so that the order does not depend on the start of a process.
  await Promise.all([read('', 'a', small), read('', 'b', small)])
  await Promise.all([
    ...[1, 2, 3].map((n) => read(`large ${n}`, 'a', large)),
    ...['b', 'c'].map((tenant) => read(`small of ${tenant}`, tenant, small)),
  ])
  expect(ended.slice(2)).toEqual([
    'small of b',
    'small of c',
    'large 1',
    'large 2',
    'large 3',
  ])
})

/** Creates a workspace with a bot and tables. Returns the ids of the bot and the tables. */
async function createTenant(name: string, tables: number) {
  const headers = { authorization: scene.admin.authorization! }
  const created = await scene.call('POST', '/v1/admin/workspaces', {
    headers,
    body: { name },
  })
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: { ...headers, 'x-workspace-id': created.body.id },
    body: {},
  })
  const botId: string = body.bot.id
  const ids: string[] = []
  for (let n = 0; n < tables; n++) {
    const made = await scene.call('POST', '/v1/tables', {
      headers: { ...headers, 'x-bot-id': botId },
      body: { name: `Turns${n}Table`, schema: {} },
    })
    ids.push(made.body.table.id)
  }
  return { botId, tables: ids }
}

test('claims jobs of the workspaces in turns, at most two of each', async () => {
  const many = await createTenant('Many jobs', 4)
  const few = await createTenant('Few jobs', 1)
  const undone = new Error('undone')
  const claimed: string[] = []
  // Undone, so that the server does not see the jobs.
  const attempt = scene.app.services.db.transaction().execute(async (trx) => {
    for (const { botId, tables } of [many, few])
      for (const [n, table] of tables.entries())
        await sql`
          insert into table_job (bot_id, job_id, bot_table_id, type, task, created_at)
          values (${botId}, ${`${botId}-${n}`}, ${table}, 'clear_vectors', '{}',
            now() - interval '1 day' + ${n} * interval '1 second')`.execute(trx)
    for (let n = 0; n < 5; n++) {
      const job = await claimJob(trx, 'nobody', claimed)
      if (job) claimed.push(job.job_id)
    }
    throw undone
  })
  await expect(attempt).rejects.toBe(undone)
  expect(claimed).toHaveLength(3)
  expect(claimed.slice(0, 2).sort()).toEqual([`${few.botId}-0`, `${many.botId}-0`].sort())
  expect(claimed[2]).toBe(`${many.botId}-1`)
})
