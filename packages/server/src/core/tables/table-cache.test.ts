// Reads use cached tables. Changes by another server, here directly in the database, take effect
// at once.
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import type { Schema } from '../db/schema.ts'
import { parseFilter } from './rows/filter.ts'
import { orderBy } from './rows/row-finder.ts'
import { createRowViews } from './rows/row-views.ts'
import { deleteTable, renameTableColumn, updateTable } from './table-changes.ts'
import { createTable, findTable, type TableViewer, wholeBot } from './tables.ts'

let scene: Scene
let bot: TableViewer
const name = 'CachedTable'
const db = () => scene.app.services.db
beforeAll(async () => {
  scene = await openScene()
  bot = wholeBot(scene.botId)
})
afterAll(() => scene?.close())

const find = (body: object) =>
  scene.call('POST', `/v1/tables/${name}/rows/find`, { headers: scene.asBot, body })

beforeEach(async () => {
  await deleteTable(db(), bot, name).catch(() => {})
  await createTable(db(), bot, { name, schema: { note: { type: 'string' } } })
  const body = { rows: [{ note: 'red' }] }
  await scene.call('POST', `/v1/tables/${name}/rows`, { headers: scene.asBot, body })
  expect((await find({})).body.rows).toMatchObject([{ id: 1, note: 'red' }])
})

test('reads rows of a known table with one statement', async () => {
  const statements = vi.spyOn(
    scene.app.services.database.finds.getExecutor(),
    'executeQuery',
  )
  await find({ filter: { note: 'red' } })
  expect(statements).toHaveBeenCalledTimes(1)
})

test('finds a renamed column by its new name only', async () => {
  await renameTableColumn(db(), bot, name, { name: 'note', newName: 'text' })
  expect((await find({ filter: { text: 'red' } })).body.rows).toMatchObject([
    { text: 'red' },
  ])
  expect(await find({ filter: { note: 'red' } })).toMatchObject({
    status: 400,
    body: { type: 'InvalidQuery' },
  })
})

test('shows an added column', async () => {
  await updateTable(db(), bot, name, { schema: { price: { type: 'number' } } })
  expect((await find({})).body.rows).toMatchObject([{ note: 'red', price: null }])
})

test('notices that a column became searchable', async () => {
  expect((await find({ search: 'red' })).body.warnings).toHaveLength(1)
  await updateTable(db(), bot, name, {
    schema: { note: { type: 'string', 'x-zui': { searchable: true } } },
  })
  expect((await find({ search: 'red' })).body.warnings).toBeUndefined()
})

test('does not find a deleted table', async () => {
  await deleteTable(db(), bot, name)
  expect(await find({})).toMatchObject({
    status: 404,
    body: { type: 'ResourceNotFound' },
  })
})

test('finds a new table with the name of a deleted one', async () => {
  await deleteTable(db(), bot, name)
  await createTable(db(), bot, { name, schema: { other: { type: 'string' } } })
  expect(await find({})).toMatchObject({ status: 200, body: { rows: [] } })
})

test('groups rows by the columns of the changed table', async () => {
  expect((await find({ group: { note: 'key' } })).body.rows).toMatchObject([
    { noteKey: 'red' },
  ])
  await renameTableColumn(db(), bot, name, { name: 'note', newName: 'text' })
  expect((await find({ group: { text: 'key' } })).body.rows).toMatchObject([
    { textKey: 'red' },
  ])
})

test('waits for the order of all rows longer than a page may take', async () => {
  const { db } = scene.app.services.database
  await sql`create or replace function cell_key(cell jsonb) returns text immutable language plpgsql as $$
    begin
      perform pg_sleep(0.5);
      return cell #>> '{}';
    end $$`.execute(db)
  const pool = new pg.Pool({ ...scene.connection, options: '-c statement_timeout=200' })
  // The test's database may be dropped while the connections end.
  pool.on('error', () => {})
  const finds = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  const table = await findTable(db, bot, name)
  const view = {
    condition: parseFilter({ note: { $ne: 'blue' } }, table.columns),
    orders: [orderBy('note', 'asc', table.columns)],
  }
  const rows = await createRowViews({ db, finds }).find(table, view, {
    limit: 10,
    offset: 3_000,
  })
  await finds.destroy()
  expect(rows).toEqual([])
})
