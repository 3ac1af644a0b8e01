// Tables with the official client: columns, changes and background jobs. Rows are tested in
// table-rows.test.ts.
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Client } from '@botpress/client'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ModelEndpoint,
  openModelEndpoint,
} from '../../../test/support/model-endpoint.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { fillTable, findRows } from '../../../test/support/table-rows.ts'

let scene: Scene
let client: Client
beforeAll(async () => {
  scene = await openScene()
  client = await scene.openClient({ botId: scene.botId })
})
afterAll(() => scene?.close())

const text = { type: 'string' } as const
const textColumn = (index: number, more: object = {}) => ({
  type: 'string',
  'x-zui': { index },
  ...more,
})
/** Polls the status of a job. */
const jobStatus = (table: string, id: string) =>
  expect.poll(
    async () =>
      (await client.getTableJobs({ table })).jobs.find((job) => job.id === id)?.status,
    {
      timeout: 20_000,
      interval: 50,
    },
  )

test('reads columns from a JSON Schema, from bare properties and from nullable zod types', async () => {
  const properties = {
    name: {
      ...text,
      description: 'Whose',
      'x-zui': { searchable: true, index: 7, width: 20, title: 'not shown' },
    },
    age: { type: 'integer', minimum: 3 },
    born: {
      anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }],
      'x-zui': { def: { typeName: 'ZodNullable' } },
    },
    kind: { type: ['string', 'null'], enum: ['a', 'b'] },
    list: { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
    deep: {
      type: 'object',
      properties: { a: { type: 'integer', minimum: 1 }, b: {} },
      additionalProperties: true,
    },
  }
  const expected = {
    name: {
      ...text,
      description: 'Whose',
      'x-zui': { searchable: true, index: 7, width: 20 },
    },
    age: { type: 'number', 'x-zui': { index: 1 } },
    born: { type: 'string', format: 'date-time', nullable: true, 'x-zui': { index: 2 } },
    kind: { type: 'string', enum: ['a', 'b'], nullable: true, 'x-zui': { index: 3 } },
    list: {
      type: 'array',
      items: { type: 'number', anyOf: [{ type: 'integer' }, { type: 'null' }] },
      'x-zui': { index: 4 },
    },
    deep: {
      type: 'object',
      properties: { a: { type: 'number', minimum: 1 }, b: { type: 'object' } },
      'x-zui': { index: 5 },
    },
  }
  const { table } = await client.createTable({
    name: 'PersonTable',
    schema: { type: 'object', properties, required: ['name'] },
  })
  expect(table).toMatchObject({
    factor: 1,
    frozen: false,
    keyColumn: null,
    isComputeEnabled: true,
    tags: {},
    schema: { additionalProperties: true, required: ['name'] },
  })
  expect(table.schema.properties).toEqual(expected)
  expect(Object.keys(table.schema.properties)).toEqual(Object.keys(properties))
  const { table: bare } = await client.createTable({
    name: 'BareTable',
    schema: { ...properties, extra: { ...text, searchable: true } },
  })
  expect(bare.schema.properties).toEqual({
    ...expected,
    extra: textColumn(6, { 'x-zui': { index: 6, searchable: true } }),
  })
})

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, text]))
const computed = (more: object) => ({
  a: text,
  b: { ...text, 'x-zui': { computed: { action: 'code', code: 'return 1', ...more } } },
})
test.each<[string, object, string]>([
  ['21 columns', { schema: many(21) }, 'LimitExceeded'],
  [
    'a schema beyond the size limit',
    { schema: { a: { ...text, description: 'x'.repeat(100_000) } } },
    'LimitExceeded',
  ],
  ['a name without the suffix Table', { name: 'Orders' }, 'InvalidIdentifier'],
  ['a name that begins with a digit', { name: '1Table' }, 'InvalidIdentifier'],
  ['a name with a dash', { name: 'a-Table' }, 'InvalidIdentifier'],
  ['a name that is too long', { name: `${'a'.repeat(46)}Table` }, 'InvalidIdentifier'],
  ['a column with a reserved name', { schema: { id: text } }, 'InvalidIdentifier'],
  ['a column with a dot', { schema: { 'a.b': text } }, 'InvalidIdentifier'],
  ['a column like an operator', { schema: { $or: text } }, 'InvalidIdentifier'],
  [
    'a column with 31 characters',
    { schema: { ['é'.repeat(31)]: text } },
    'InvalidIdentifier',
  ],
  ['a column without a name', { schema: { '': text } }, 'InvalidIdentifier'],
  [
    'a column of two types',
    { schema: { a: { anyOf: [text, { type: 'number' }] } } },
    'InvalidJsonSchema',
  ],
  ['a column of no type', { schema: { a: {} } }, 'InvalidJsonSchema'],
  [
    'a column of an unknown type',
    { schema: { a: { type: 'date' } } },
    'InvalidJsonSchema',
  ],
  [
    'a column definition that is a string',
    { schema: { a: 'string' } },
    'InvalidJsonSchema',
  ],
  [
    'invalid x-zui options',
    { schema: { a: { ...text, 'x-zui': { searchable: 'yes' } } } },
    'InvalidJsonSchema',
  ],
  [
    'a computed column without code',
    { schema: computed({ code: '' }) },
    'InvalidJsonSchema',
  ],
  [
    'a computed column with an unknown dependency',
    { schema: computed({ dependencies: ['z'] }) },
    'InvalidJsonSchema',
  ],
  [
    'a computed column that depends on itself',
    { schema: computed({ dependencies: ['b'] }) },
    'InvalidJsonSchema',
  ],
  ['an unknown key column', { keyColumn: 'z' }, 'InvalidPayload'],
  [
    'a key column of objects',
    { schema: { a: { type: 'object' } }, keyColumn: 'a' },
    'InvalidPayload',
  ],
  ['a factor past the limit', { factor: 31 }, 'InvalidPayload'],
  ['a name that is in use', { name: 'BareTable' }, 'AlreadyExists'],
])('rejects %s', async (_, wrong, type) => {
  await expect(
    client.createTable({ name: 'WrongTable', schema: { a: text }, ...wrong } as never),
  ).rejects.toMatchObject({ type })
})

test('accepts 20 columns with names of up to 30 characters in any script', async () => {
  const names = [
    'constructor',
    'toString',
    'Größe in m',
    '数量',
    "'; drop table bot_table; --",
    'é'.repeat(30),
    'a'.repeat(30),
    '💥',
    '__index',
    'a"b',
  ]
  const schema = {
    ...many(20 - names.length),
    ...Object.fromEntries(names.map((name) => [name, text])),
  }
  // The client drops `constructor`, so call the server directly.
  const { status, body } = await scene.call('POST', '/v1/tables', {
    headers: scene.asBot,
    body: { name: '$OddTable', schema },
  })
  expect([status, Object.keys(body.table.schema.properties)]).toEqual([
    200,
    Object.keys(schema),
  ])
  expect(
    (await scene.call('GET', `/v1/tables/${body.table.id}`, { headers: scene.asBot }))
      .body.table,
  ).toEqual(body.table)
  const wrong = '{"name":"ProtoTable","schema":{"__proto__":{"type":"string"}}}'
  const rejected = await scene.call('POST', '/v1/tables', {
    headers: { ...scene.asBot, 'content-type': 'application/json' },
    body: wrong,
  })
  expect(rejected.status).toBe(400)
})

test('lists tables by tags, gets or creates them by name, and deletes them with their rows', async () => {
  const options = {
    schema: { a: text },
    tags: { colour: 'red', 'x.y': '1' },
    factor: 30,
    frozen: true,
    isComputeEnabled: false,
  }
  const made = await client.getOrCreateTable({ table: 'TagTable', ...options })
  expect(made).toMatchObject({
    created: true,
    rows: 0,
    stale: 0,
    indexing: 0,
    table: { name: 'TagTable', factor: 30, frozen: true, isComputeEnabled: false },
  })
  expect(await client.getOrCreateTable({ table: 'TagTable', schema: {} })).toEqual({
    ...made,
    created: false,
  })
  expect(await client.getOrCreateTable({ table: made.table.id, schema: {} })).toEqual({
    ...made,
    created: false,
  })
  const replies = await Promise.all(
    [1, 2, 3].map(() =>
      client.getOrCreateTable({ table: 'RaceTable', schema: { a: text } }),
    ),
  )
  expect(replies.filter(({ created }) => created)).toHaveLength(1)
  expect(
    (await client.listTables({ tags: { colour: 'red' } })).tables.map(({ name }) => name),
  ).toEqual(['TagTable'])
  expect((await client.listTables({ tags: { colour: 'blue' } })).tables).toEqual([])
  const names = (await client.listTables({})).tables.map(({ name }) => name)
  expect(names).toEqual([...names].sort())
  await fillTable(scene, 'TagTable', 3, () => ({ c1: 'x' }))
  expect((await client.getTable({ table: 'TagTable' })).rows).toBe(3)
  expect(await client.deleteTable({ table: 'TagTable' })).toEqual({})
  await expect(client.getTable({ table: made.table.id })).rejects.toMatchObject({
    type: 'ResourceNotFound',
  })
  expect(
    await scene.app.services.db
      .selectFrom('table_row')
      .selectAll()
      .where('bot_table_id', '=', made.table.id)
      .execute(),
  ).toEqual([])
})

test('an update adds, changes and removes columns and clears the removed values', async () => {
  await client.createTable({
    name: 'ChangeTable',
    schema: { keep: text, retype: text, gone: text, whole: { type: 'integer' } },
    keyColumn: 'keep',
  })
  await fillTable(scene, 'ChangeTable', 2, (n) => ({
    c1: `k${n}`,
    c2: 'old',
    c3: 'secret',
    c4: n,
  }))
  const { table } = await client.updateTable({
    table: 'ChangeTable',
    schema: {
      type: 'object',
      properties: {
        retype: { type: 'number' },
        gone: null,
        whole: { type: 'number' },
        added: text,
      },
    },
    tags: { a: 'b' },
    factor: 2,
  })
  expect(table.schema.properties).toEqual({
    keep: textColumn(0),
    retype: { type: 'number', 'x-zui': { index: 1 } },
    whole: { type: 'number', 'x-zui': { index: 3 } },
    added: textColumn(5),
  })
  expect(table).toMatchObject({ tags: { a: 'b' }, factor: 2, keyColumn: 'keep' })
  await expect
    .poll(async () => (await findRows(scene, 'ChangeTable')).map(({ data }) => data))
    .toEqual([
      { c1: 'k1', c4: 1 },
      { c1: 'k2', c4: 2 },
    ])
  expect((await client.getTableJobs({ table: 'ChangeTable' })).jobs).toMatchObject([
    { type: 'clear_column', tableId: table.id },
  ])
  await expect(
    client.updateTable({ table: 'ChangeTable', factor: 1 }),
  ).rejects.toMatchObject({
    type: 'InvalidPayload',
  })
  await client.createTable({ name: 'TakenTable', schema: {} })
  await expect(
    client.updateTable({ table: 'ChangeTable', name: 'TakenTable' }),
  ).rejects.toMatchObject({
    type: 'AlreadyExists',
  })
  expect(
    (
      await client.updateTable({
        table: 'ChangeTable',
        name: 'ChangedTable',
        schema: { keep: null },
      })
    ).table.keyColumn,
  ).toBeNull()
})

test('a renamed column keeps its values, its key and its dependents', async () => {
  await client.createTable({
    name: 'NameTable',
    schema: computed({ dependencies: ['a'] }),
    keyColumn: 'a',
  })
  await fillTable(scene, 'NameTable', 1, () => ({ c1: 'kept' }))
  const { table } = await client.renameTableColumn({
    table: 'NameTable',
    name: 'a',
    newName: 'first',
  })
  expect(table).toMatchObject({
    keyColumn: 'first',
    schema: {
      properties: {
        first: { type: 'string' },
        b: { 'x-zui': { computed: { dependencies: ['first'] } } },
      },
    },
  })
  expect((await findRows(scene, 'NameTable'))[0]!.data).toEqual({ c1: 'kept' })
  const rename = (name: string, newName: string) =>
    client.renameTableColumn({ table: 'NameTable', name, newName })
  await expect(rename('b', 'first')).rejects.toMatchObject({ type: 'AlreadyExists' })
  await expect(rename('b', 'id')).rejects.toMatchObject({ type: 'InvalidIdentifier' })
  await expect(rename('z', 'y')).rejects.toMatchObject({ type: 'ResourceNotFound' })
})

test('a key column must have unique values, and can be removed', async () => {
  await client.createTable({
    name: 'KeyTable',
    schema: { a: text, b: { type: 'number' } },
  })
  await fillTable(scene, 'KeyTable', 3, (n) => ({ c1: n < 3 ? 'same' : 'x', c2: n }))
  await expect(
    client.updateTable({ table: 'KeyTable', keyColumn: 'a' }),
  ).rejects.toMatchObject({
    type: 'RelationConflict',
  })
  expect(
    (await client.updateTable({ table: 'KeyTable', keyColumn: 'b' })).table.keyColumn,
  ).toBe('b')
  expect((await findRows(scene, 'KeyTable')).map(({ key_value }) => key_value)).toEqual([
    '1',
    '2',
    '3',
  ])
  await client.updateTable({ table: 'KeyTable', keyColumn: null })
  expect((await findRows(scene, 'KeyTable')).map(({ key_value }) => key_value)).toEqual([
    null,
    null,
    null,
  ])
})

test('rejects new rows while the key column changes', async () => {
  await client.createTable({ name: 'MovingTable', schema: { a: text } })
  const { db } = scene.app.services
  const adding = await db.transaction().execute(async (trx) => {
    const table = trx
      .selectFrom('bot_table')
      .selectAll()
      .where('bot_id', '=', scene.botId)
      .where('name', '=', 'MovingTable')
    const { bot_table_id } = await table.forNoKeyUpdate().executeTakeFirstOrThrow()
    const added = client
      .createTableRows({ table: 'MovingTable', rows: [{ a: 'x' }] })
      .catch((error) => error)
    await expect
      .poll(
        async () =>
          (
            await sql`
              select from pg_stat_activity
              where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
          ).rows.length,
      )
      .toBe(1)
    await trx
      .updateTable('bot_table')
      .set({ key_column: 'c1' })
      .where('bot_table_id', '=', bot_table_id)
      .execute()
    return { added }
  })
  expect(await adding.added).toMatchObject({ type: 'ResourceLockedConflict' })
  expect(await findRows(scene, 'MovingTable')).toEqual([])
  expect(
    (await client.createTableRows({ table: 'MovingTable', rows: [{ a: 'x' }] })).rows,
  ).toHaveLength(1)
})

test('a frozen table rejects changes of name and columns, and accepts unchanged values', async () => {
  const schema = { type: 'object', properties: { a: text, b: { type: 'integer' } } }
  await client.createTable({ name: 'FrozenTable', schema, frozen: true })
  for (const change of [
    { name: 'OtherTable' },
    { schema: { c: text } },
    { schema: { a: null } },
    { frozen: false },
  ])
    await expect(
      client.updateTable({ table: 'FrozenTable', ...change }),
      JSON.stringify(change),
    ).rejects.toMatchObject({ type: 'ResourceLockedConflict' })
  await expect(
    client.renameTableColumn({ table: 'FrozenTable', name: 'a', newName: 'z' }),
  ).rejects.toMatchObject({ type: 'ResourceLockedConflict' })
  const { table } = await client.updateTable({
    table: 'FrozenTable',
    name: 'FrozenTable',
    schema,
    frozen: true,
    tags: { still: 'tagged' },
  })
  expect(table).toMatchObject({ frozen: true, tags: { still: 'tagged' } })
  const { table: copy, job } = await client.duplicateTable({
    sourceTableId: 'FrozenTable',
  })
  expect([copy.name, copy.frozen, job]).toEqual(['FrozenCopyTable', false, undefined])
})

test('a new or changed computation marks the values of all rows as stale', async () => {
  await client.createTable({
    name: 'StaleTable',
    schema: { a: text },
    isComputeEnabled: false,
  })
  await fillTable(scene, 'StaleTable', 2, () => ({ c1: 'x' }))
  const change = (more: object) =>
    client.updateTable({ table: 'StaleTable', schema: { b: computed(more).b } })
  expect((await change({})).staleColumns).toEqual(['b'])
  expect((await client.getTable({ table: 'StaleTable' })).stale).toBe(2)
  expect((await change({})).staleColumns).toBeUndefined()
  expect((await change({ code: 'return 2' })).staleColumns).toEqual(['b'])
  await client.updateTable({ table: 'StaleTable', schema: { b: text } })
  await expect
    .poll(async () => (await client.getTable({ table: 'StaleTable' })).stale)
    .toBe(0)
})

test('copies a table of several batches with the same row ids', async () => {
  await client.createTable({
    name: 'SourceTable',
    schema: { a: text },
    keyColumn: 'a',
    tags: { a: 'b' },
  })
  await fillTable(scene, 'SourceTable', 4_500, (n) => ({ c1: String(n) }))
  const { table, rows, job } = await client.duplicateTable({
    sourceTableId: 'SourceTable',
    tableName: 'CopyTable',
    factor: 3,
  })
  expect([rows, table.factor, table.keyColumn, table.tags, table.schema]).toEqual([
    4_500,
    3,
    'a',
    { a: 'b' },
    expect.objectContaining({ properties: { a: textColumn(0) } }),
  ])
  await jobStatus('CopyTable', job!.id).toBe('completed')
  expect(
    (await findRows(scene, 'CopyTable')).map(({ row_id, data }) => [row_id, data]),
  ).toEqual(
    (await findRows(scene, 'SourceTable')).map(({ row_id, data }) => [row_id, data]),
  )
  expect((await client.getTable({ table: 'CopyTable' })).rows).toBe(4_500)
  const { table: again, job: none } = await client.duplicateTable({
    sourceTableId: 'SourceTable',
    schemaOnly: true,
  })
  expect([again.name, none]).toEqual(['SourceCopyTable', undefined])
  expect(
    (await client.duplicateTable({ sourceTableId: 'SourceTable', schemaOnly: true }))
      .table.name,
  ).toBe('SourceCopy2Table')
  await expect(
    client.duplicateTable({ sourceTableId: 'SourceTable', tableName: 'CopyTable' }),
  ).rejects.toMatchObject({ type: 'AlreadyExists' })
})

test('exports a table to a CSV or JSON file, compressed or not', async () => {
  await client.createTable({
    name: 'ExportTable',
    schema: {
      a: text,
      n: { type: 'number' },
      o: { type: 'object' },
      b: { type: 'boolean' },
    },
  })
  const odd = ['plain', 'comma, "quote"', 'two\nlines', '', ' spaces ', '=1+1']
  await fillTable(scene, 'ExportTable', 2_500, (n) =>
    n === 2_500
      ? {}
      : { c1: odd[n % odd.length], c2: n, c3: { deep: [n] }, c4: n % 2 === 0 },
  )
  const content = async (format: 'csv' | 'json', compress?: boolean) => {
    const { job } = await client.exportTable({
      table: 'ExportTable',
      format,
      ...(compress !== undefined && { compress }),
    })
    expect(job).toMatchObject({
      type: 'export',
      status: 'pending',
      progress: 0,
      inputFileId: null,
      outputFileId: null,
    })
    await jobStatus('ExportTable', job.id).toBe('completed')
    const { jobs } = await client.getTableJobs({ table: 'ExportTable' })
    const { file } = await client.getFile({ id: jobs[0]!.outputFileId! })
    const bytes = Buffer.from(await (await fetch(file.url)).arrayBuffer())
    return { file, text: (compress === false ? bytes : gunzipSync(bytes)).toString() }
  }
  const csv = await content('csv')
  expect(csv.file).toMatchObject({
    contentType: 'application/gzip',
    status: 'upload_completed',
    key: expect.stringMatching(/^tables\/tabjob_\w+\/ExportTable-[\d-]+\.csv\.gz$/),
  })
  const lines = csv.text.split('\r\n')
  expect(lines.slice(0, 2)).toEqual([
    'id,a,n,o,b,createdAt,updatedAt',
    expect.stringMatching(
      /^1,"comma, ""quote""",1,"\{""deep"":\[1\]\}",false,20\d\d-.*Z,20.*Z$/,
    ),
  ])
  expect(lines.at(-2)).toMatch(/^2500,,,,,20.*Z$/)
  const json = await content('json', false)
  const parsed = JSON.parse(json.text)
  expect([parsed.length, parsed[0], json.file.contentType]).toEqual([
    2_500,
    expect.objectContaining({
      id: 1,
      a: odd[1],
      n: 1,
      o: { deep: [1] },
      b: false,
      createdAt: expect.any(String),
    }),
    'application/json',
  ])
})

const upload = async (key: string, content: string | Uint8Array) =>
  (await client.uploadFile({ key, content })).file.id
async function imported(table: string, key: string, content: string | Uint8Array) {
  const { job } = await client.importTable({ table, fileId: await upload(key, content) })
  expect(job).toMatchObject({ type: 'import', status: 'pending', outputFileId: null })
  await jobStatus(table, job.id).toMatch(/completed|failed/)
  return (await client.getTableJobs({ table })).jobs.find(({ id }) => id === job.id)!
}
const values = async (table: string) =>
  (await findRows(scene, table)).map(({ data }) => data)

test('imports CSV, adds missing columns with inferred types and reports skipped lines', async () => {
  await client.createTable({
    name: 'ImportTable',
    schema: { name: { ...text, nullable: false }, tags: { type: 'array' } },
  })
  const csv = [
    '\uFEFFid;name;tags;price;"in ""stock""";since;zip;a.b;empty',
    '7;Ann;"[1,""x""]";1.5;TRUE;2026-01-02T03:04:05Z;01234;x;',
    ';"two\nlines";;-3;false;2026-01-02T03:04:05+02:00;99999;"";',
    ';;;1;true;2026-01-02T03:04:05Z;1;y;',
    ';Bob;no list;1;true;2026-01-02T03:04:05Z;1;y;',
    '1;2;3;4;5;6;7;8;9;10',
    ';Zoë',
  ].join('\r\n')
  const job = await imported('ImportTable', 'people.csv', csv)
  expect(job).toMatchObject({ status: 'completed', progress: 100, leftOut: 2 })
  const warnings = (job as { warnings?: string[] }).warnings
  expect(warnings).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^line 7: expected 9 cells, found 10: quote cells/),
      expect.stringMatching(/^line 6: .*"tags" must be an array/),
      'The column "id" is named "id 2"',
      'The column "a.b" is named "a_b"',
    ]),
  )
  const { table } = await client.getTable({ table: 'ImportTable' })
  const types = Object.entries(table.schema.properties).map(
    ([name, { type, format }]) => [name, format ?? type],
  )
  expect(types).toEqual([
    ['name', 'string'],
    ['tags', 'array'],
    ['id 2', 'number'],
    ['price', 'number'],
    ['in "stock"', 'boolean'],
    ['since', 'date-time'],
    ['zip', 'string'],
    ['a_b', 'string'],
  ])
  expect(await values('ImportTable')).toEqual([
    {
      c1: 'Ann',
      c2: [1, 'x'],
      c3: 7,
      c4: 1.5,
      c5: true,
      c6: '2026-01-02T03:04:05.000Z',
      c7: '01234',
      c8: 'x',
    },
    {
      c1: 'two\nlines',
      c4: -3,
      c5: false,
      c6: '2026-01-02T01:04:05.000Z',
      c7: '99999',
      c8: '',
    },
    { c4: 1, c5: true, c6: '2026-01-02T03:04:05.000Z', c7: '1', c8: 'y' },
    { c1: 'Zoë' },
  ])
})

test('imports a JSON array or JSON lines, compressed or not, and skips invalid values', async () => {
  await client.createTable({
    name: 'JsonTable',
    schema: { a: { type: 'number' } },
    keyColumn: 'a',
    frozen: true,
  })
  const lines = [
    '{"a": 1, "b": "left out"}',
    '{"a": }',
    '[1]',
    '{"a": "x"}',
    '{"a": 1}',
    '{"a": "\\u0000"}',
    '',
    '{"a": 2}',
    `${'['.repeat(80)}${']'.repeat(80)}`,
  ]
  const job = (await imported(
    'JsonTable',
    'rows.jsonl.gz',
    gzipSync(lines.join('\n')),
  )) as {
    warnings?: string[]
    leftOut?: number
  }
  expect(job).toMatchObject({ status: 'completed', leftOut: 6 })
  expect(job.warnings).toHaveLength(7)
  expect(job.warnings).toEqual(
    expect.arrayContaining([
      'Ignored the values of unknown columns: "b"',
      'value 2: not valid JSON',
      'value 3: not a JSON object',
      expect.stringMatching(/^value 4: /),
      expect.stringMatching(/^value 5: another row has the same "a"/),
      expect.stringMatching(/^value 6: .*NUL/),
      'value 8: nested too deeply',
    ]),
  )
  expect(await values('JsonTable')).toEqual([{ c1: 1 }, { c1: 2 }])
  expect(
    (await imported('JsonTable', 'array.json', ' [{"a": 3},\n {"a": 4} ]')).status,
  ).toBe('completed')
  expect((await client.getTable({ table: 'JsonTable' })).rows).toBe(4)
})

test.each<[string, string, string | Uint8Array, RegExp]>([
  ['a quote that is never closed', 'a.csv', 'x\n"never', /unclosed quote/],
  ['JSON that ends too soon', 'a.json', '[{"x": 1', /ends prematurely/],
  ['a damaged gzip', 'a.csv.gz', gzipSync('x\n'.repeat(1000)).subarray(0, 30), /damaged/],
])('an import of %s fails with a reason', async (_, key, content, reason) => {
  await client.getOrCreateTable({ table: 'FailTable', schema: { x: text } })
  expect(await imported('FailTable', key, content)).toMatchObject({
    status: 'failed',
    failureReason: expect.stringMatching(reason),
  })
})

test('an import of an export restores the same values', async () => {
  await client.createTable({ name: 'BackTable', schema: {} })
  const { job } = await client.exportTable({ table: 'ExportTable', format: 'csv' })
  await jobStatus('ExportTable', job.id).toBe('completed')
  const fileId = (await client.getTableJobs({ table: 'ExportTable' })).jobs[0]!
    .outputFileId!
  const back = (await client.importTable({ table: 'BackTable', fileId })).job
  await jobStatus('BackTable', back.id).toBe('completed')
  const before = await values('ExportTable')
  expect(await values('BackTable')).toEqual(before)
})

test('rejects the import of an unknown file, and fails for a file without content', async () => {
  for (const fileId of ['file_01KAJ0ZP5S8V3N7Q4XW2R9TDHM', 'no key'])
    await expect(
      client.importTable({ table: 'FailTable', fileId }),
      fileId,
    ).rejects.toMatchObject({
      type: 'ResourceNotFound',
    })
  const { file } = await client.upsertFile({ key: 'announced.csv', size: 3 })
  const { job } = await client.importTable({ table: 'FailTable', fileId: file.id })
  await jobStatus('FailTable', job.id).toBe('failed')
})

const made = (
  code: string,
  dependencies: string[],
  more: object = { type: 'number' },
) => ({
  ...more,
  'x-zui': { computed: { action: 'code', code, dependencies } },
})

const nested = (levels: number) =>
  `let value = {}; for (let i = 1; i < ${levels}; i++) value = { value }; return value`

test('computes columns with code, in the order of their dependencies', async () => {
  const schema = {
    price: { type: 'number' },
    // Declared before its dependency.
    total: made('return row.taxed + 1', ['taxed']),
    taxed: made("row['price'] * 2", ['price']),
    wrong: made('throw new Error("no such luck")', ['price']),
    odd: made('return "text"', ['price']),
    later: made(
      'await new Promise((resolve) => setTimeout(resolve, 5)); return { id: row.id }',
      ['price'],
      {
        type: 'object',
      },
    ),
    nested: made(nested(64), ['price'], { type: 'object' }),
    deeper: made(nested(65), ['price'], { type: 'object' }),
    model: {
      type: 'string',
      'x-zui': { computed: { action: 'ai', prompt: '{{price}}' } },
    },
  }
  await client.createTable({ name: 'SumTable', schema })
  const { rows } = await client.createTableRows({
    table: 'SumTable',
    rows: [{ price: 4 }, {}],
    waitComputed: true,
  })
  expect(rows).toMatchObject([
    {
      id: 1,
      price: 4,
      taxed: 8,
      total: 9,
      later: { id: 1 },
      wrong: null,
      odd: null,
      model: null,
      stale: [],
    },
    { id: 2, taxed: 0, total: 1 },
  ])
  expect(rows[0]!.computed).toMatchObject({
    total: { status: 'completed' },
    wrong: { status: 'error', error: 'no such luck' },
    odd: { status: 'error', error: 'The value must be a number' },
    nested: { status: 'completed' },
    deeper: { status: 'error', error: 'The value exceeds 64 nesting levels' },
    model: { status: 'error', error: expect.stringContaining('model') },
  })
  await client.updateTableRows({ table: 'SumTable', rows: [{ id: 1, price: 5 }] })
  await expect
    .poll(async () => (await client.getTableRow({ table: 'SumTable', id: 1 })).row, {
      timeout: 10_000,
    })
    .toMatchObject({ taxed: 10, total: 11, stale: [] })
  await client.updateTable({
    table: 'SumTable',
    schema: { taxed: made('return row.price * 3', ['price']) },
  })
  await expect
    .poll(async () => (await client.getTableRow({ table: 'SumTable', id: 1 })).row, {
      timeout: 10_000,
    })
    .toMatchObject({ taxed: 15, total: 16 })
})

test('computes a column with a function of the row, as agents declare it', async () => {
  const schema = {
    word: text,
    length: made('async (row) => row.word.length', ['word']),
    doubled: made('function (row) { return row.length * 2 }', ['length']),
  }
  await client.createTable({ name: 'WordsTable', schema })
  const { rows } = await client.createTableRows({
    table: 'WordsTable',
    rows: [{ word: 'three' }],
    waitComputed: true,
  })
  expect(rows[0]).toMatchObject({ length: 5, doubled: 10 })
})

test('code that exits its process fails only its own row, and cannot read secrets', async () => {
  await client.createTable({
    name: 'CrashTable',
    schema: {
      n: { type: 'number' },
      out: made(
        'if (row.n === 2) process.exit(1); return JSON.stringify(process.env)',
        ['n'],
        text,
      ),
    },
  })
  await client.createTableRows({
    table: 'CrashTable',
    rows: [1, 2, 3].map((n) => ({ n })),
  })
  await expect
    .poll(async () => (await client.getTable({ table: 'CrashTable' })).stale, {
      timeout: 15_000,
    })
    .toBe(0)
  const { rows } = await client.findTableRows({ table: 'CrashTable' })
  expect(
    rows.map(
      ({ computed }) => (computed as Record<string, { status: string }>).out!.status,
    ),
  ).toEqual(['completed', 'error', 'completed'])
  expect(rows[0]!.out).not.toMatch(/TOKEN|SECRET|bp_/)
})

describe('with a language model', () => {
  let endpoint: ModelEndpoint
  let other: Scene
  let paid = 0
  type Reply = {
    status?: number
    headers?: Record<string, string>
    body?: unknown
    value?: unknown
  }
  let answer: (
    task: string,
    column: object,
    body: { response_format?: object },
  ) => Reply | Promise<Reply>

  beforeAll(async () => {
    endpoint = await openModelEndpoint(async (body) => {
      const {
        status,
        headers,
        body: replyBody,
        value,
      } = await answer(
        /The task: (.*)/.exec(body.messages[0].content)![1]!,
        JSON.parse(body.messages[1].content),
        body,
      )
      if (!status && !replyBody) paid += 0.25
      const message = { content: `Gladly: ${JSON.stringify({ value })}` }
      return {
        ...(status && { status }),
        ...(headers && { headers }),
        body: replyBody ?? { choices: [{ message }], usage: { cost: 0.25 } },
      }
    })
    other = await openScene({
      config: { model: { url: endpoint.url, key: 'k', model: 'best' } },
    })
    client = new Client({
      apiUrl: await other.listen(),
      token: other.token,
      botId: other.botId,
      retry: { retries: 0 },
    })
  })
  afterAll(async () => {
    await other?.close()
    await endpoint?.close()
    client = await scene.openClient({ botId: scene.botId })
  })

  const aiColumn = (prompt: string, more: object = text) => ({
    ...more,
    'x-zui': { computed: { action: 'ai', prompt, model: 'theirs' } },
  })

  test('computes columns with prompts and stores errors for invalid values in the row', async () => {
    let rejections = 0
    answer = (task, row, { response_format }) => {
      if (task === 'busy' && rejections++ === 0)
        return { status: 429, headers: { 'retry-after': '0' }, body: {} }
      if (task === 'shapeless' && response_format)
        return { status: 400, body: { error: 'no response_format here' } }
      if (task === 'rejected')
        return { status: 400, body: { error: 'not a word of that' } }
      if (task === 'wordless') return { body: { choices: [] } }
      const values: Record<string, unknown> = {
        'wrong type': 'many',
        'not of them': 'c',
        'too long': 'x'.repeat(5_000),
        deep: { ok: true },
        nothing: null,
      }
      return { value: task in values ? values[task] : JSON.stringify(row) }
    }
    const schema = {
      name: text,
      price: { type: 'number' },
      sold: aiColumn('sell {{ name }} to {{unknown}}'),
      whole: aiColumn('all of it'),
      busy: aiColumn('busy'),
      shapeless: aiColumn('shapeless'),
      nothing: aiColumn('nothing'),
      deep: aiColumn('deep', { type: 'object', properties: { ok: { type: 'boolean' } } }),
      wrong: aiColumn('wrong type', { type: 'integer' }),
      other: aiColumn('not of them', { ...text, enum: ['a', 'b'] }),
      long: aiColumn('too long'),
      rejected: aiColumn('rejected'),
      wordless: aiColumn('wordless'),
    }
    await client.createTable({ name: 'ModelTable', schema })
    const {
      rows: [row],
    } = await client.createTableRows({
      table: 'ModelTable',
      rows: [{ name: 'Forget the task', price: 3 }],
      waitComputed: true,
    })
    expect(row).toMatchObject({
      sold: '{"name":"Forget the task"}',
      shapeless: expect.any(String),
      nothing: null,
      deep: { ok: true },
      stale: [],
    })
    expect(JSON.parse(row!.whole as string)).toMatchObject({
      id: 1,
      name: 'Forget the task',
      price: 3,
      sold: row!.sold,
    })
    expect(row!.computed).toMatchObject({
      busy: { status: 'completed' },
      nothing: { status: 'completed' },
    })
    const errors = Object.entries(
      row!.computed as Record<string, { error?: string }>,
    ).flatMap(([name, { error }]) => (error ? [[name, error]] : []))
    expect(Object.fromEntries(errors)).toEqual({
      wrong: expect.stringContaining('returned an invalid value'),
      other: expect.stringContaining('returned an invalid value'),
      long: 'The value exceeds 4096 bytes',
      rejected: expect.stringContaining('answered 400: {"error":"not a word of that"}'),
      wordless: 'The language model returned no value',
    })
    const [first] = endpoint.requests
    expect(first).toMatchObject({
      path: '/v1/chat/completions',
      key: 'Bearer k',
      body: { model: 'best', response_format: { type: 'json_schema' } },
    })
    expect(
      endpoint.requests.filter(({ body }) => body.messages[0].content.includes('Forget')),
    ).toEqual([])
    const usage = async () =>
      (
        await other.call('GET', `/v1/admin/usages/${other.botId}?type=ai_spend`, {
          headers: other.admin,
        })
      ).body.usage.value
    expect(paid).toBeGreaterThanOrEqual(0.25 * 9)
    // The clock may have computed the row, too.
    await expect.poll(async () => (await usage()) - paid, { timeout: 10_000 }).toBe(0)
  })

  test('the clock does not compute rows that a request already computes', async () => {
    let count = 0
    answer = async () => {
      count++
      await pause(1_500)
      return { value: 'late' }
    }
    await client.createTable({
      name: 'SlowTable',
      schema: { n: { type: 'number' }, model: aiColumn('{{n}}') },
    })
    const { rows } = await client.createTableRows({
      table: 'SlowTable',
      rows: [1, 2, 3, 4].map((n) => ({ n })),
      waitComputed: true,
    })
    expect(rows.map(({ model }) => model)).toEqual(['late', 'late', 'late', 'late'])
    expect(count).toBe(4)
  })

  test('columns that need an unavailable model stay stale and are computed later', async () => {
    let isAway = true
    answer = () =>
      isAway
        ? { status: 503, headers: { 'retry-after': '0' }, body: {} }
        : { value: 'here' }
    const schema = {
      n: { type: 'number' },
      model: aiColumn('{{n}}'),
      after: made('return row.model', ['model'], text),
      code: made('return row.n', ['n']),
    }
    await client.createTable({ name: 'AwayTable', schema })
    const { rows } = await client.createTableRows({
      table: 'AwayTable',
      rows: [{ n: 1 }],
      waitComputed: true,
    })
    expect(rows[0]).toMatchObject({
      code: 1,
      model: null,
      after: null,
      stale: ['model', 'after'],
    })
    isAway = false
    await expect
      .poll(async () => (await client.getTableRow({ table: 'AwayTable', id: 1 })).row, {
        timeout: 15_000,
      })
      .toMatchObject({ model: 'here', after: 'here', code: 1, stale: [] })
  })
})

test('a live worker keeps its jobs and computations; others take over when it is dead', async () => {
  const { db } = scene.app.services
  const setAliveUntil = (until: string) =>
    sql`update worker set alive_until = ${until}::timestamptz where id = 'elsewhere'`.execute(
      db,
    )
  await sql`insert into worker (id, host, pid, alive_until) values ('elsewhere', 'h', 1, 'infinity')`.execute(
    db,
  )
  const tables = await Promise.all(
    ['TheirTable', 'OurTable'].map((name) =>
      client.createTable({
        name,
        schema: { n: { type: 'number' }, out: made('row.n', ['n']) },
      }),
    ),
  )
  const [theirs, ours] = tables.map(({ table }) => table.id)
  await sql`update table_counter set computing_worker = 'elsewhere' where bot_table_id = ${theirs}`.execute(
    db,
  )
  await sql`
    insert into table_job (bot_id, job_id, bot_table_id, type, status, task, worker, attempts)
    select ${scene.botId}, 'job_' || id, id, 'clear_column', 'in_progress',
      '{"values": ["c9"], "marks": []}', case id when ${theirs} then 'elsewhere' end, 1
    from unnest(${[theirs, ours]}::text[]) id`.execute(db)
  for (const table of [theirs, ours])
    await client.createTableRows({ table: table!, rows: [{ n: 1 }] })
  const findProgress = async (table: string) => [
    (await client.getTable({ table })).stale,
    (await client.getTableJobs({ table })).jobs[0]!.status,
  ]
  await expect
    .poll(() => findProgress(ours!), { timeout: 15_000 })
    .toEqual([0, 'completed'])
  expect(await findProgress(theirs!)).toEqual([1, 'in_progress'])
  await sql`update table_job set attempts = 5 where bot_table_id = ${theirs}`.execute(db)
  await setAliveUntil('-infinity')
  // The job has used all its attempts, so the next worker fails it.
  await expect
    .poll(() => findProgress(theirs!), { timeout: 15_000 })
    .toEqual([0, 'failed'])
})

test('existing rows become searchable when their column does', async () => {
  await client.createTable({ name: 'WordTable', schema: { a: text } })
  await client.createTableRows({
    table: 'WordTable',
    rows: [{ a: 'a brown fox' }, { a: 'a red hen' }],
  })
  const found = async (table: string) =>
    (await client.findTableRows({ table, search: 'fox' })).rows.map(({ id }) => id)
  expect(await found('WordTable')).toEqual([])
  await client.updateTable({
    table: 'WordTable',
    schema: { a: { ...text, searchable: true } },
  })
  await expect.poll(() => found('WordTable'), { timeout: 10_000 }).toEqual([1])
  expect((await client.getTable({ table: 'WordTable' })).indexing).toBe(0)
  const { job } = await client.duplicateTable({
    sourceTableId: 'WordTable',
    tableName: 'WordCopyTable',
  })
  await jobStatus('WordCopyTable', job!.id).toBe('completed')
  expect(await found('WordCopyTable')).toEqual([1])
})
