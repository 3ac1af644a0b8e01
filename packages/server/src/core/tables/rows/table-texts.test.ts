// Patterns on searchable columns use the texts in table_row_text. The texts must be complete:
// a missing one would hide its row.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { fillTable } from '../../../../test/support/table-rows.ts'
import { updateTable } from '../table-changes.ts'
import { findTable, wholeBot } from '../tables.ts'
import { parseFilter } from './filter.ts'
import { conditionSql, ofTable } from './filter-sql.ts'

let scene: Scene
const db = () => scene.app.services.db
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const searchable = { type: 'string', 'x-zui': { searchable: true } }
const makeTable = (name: string, note: object) =>
  call('POST', '/v1/tables', { name, schema: { note, other: { type: 'string' } } })
const call = (method: 'POST' | 'PUT', url: string, body: unknown) =>
  scene.call(method, url, { headers: scene.asBot, body })
const table = (name: string) => findTable(db(), wholeBot(scene.botId), name)
const matching = async (name: string, $regex: string) => {
  const { body } = await call('POST', `/v1/tables/${name}/rows/find`, {
    filter: { note: { $regex } },
  })
  return body.rows.map(({ id }: { id: number }) => id)
}
const findTexts = async (name: string) => {
  const { bot_table_id } = await table(name)
  const { rows } = await sql<{ row_id: string; text: string }>`
    select row_id, text from table_row_text where bot_table_id = ${bot_table_id}
    order by row_id`.execute(db())
  return rows.map(({ row_id, text }) => [Number(row_id), text])
}
const makeSearchable = (name: string) =>
  updateTable(db(), wholeBot(scene.botId), name, { schema: { note: searchable } })
const whenFilled = (name: string) =>
  vi.waitFor(async () => expect((await table(name)).text_columns).toEqual(['c1']), {
    timeout: 20_000,
  })

test('keeps the texts when rows are inserted, updated, cleared and deleted', async () => {
  await makeTable('KeptTable', searchable)
  const rows = ['red shoe', 'blue shoe', 'red hat', 'red sock'].map((note) => ({
    note,
    other: 'x',
  }))
  await call('POST', '/v1/tables/KeptTable/rows', { rows })
  expect(await matching('KeptTable', 'red')).toEqual([1, 3, 4])
  await call('PUT', '/v1/tables/KeptTable/rows', {
    rows: [
      { id: 1, note: 'green shoe' },
      { id: 2, note: 'infrared' },
      { id: 3, note: null },
    ],
  })
  await call('POST', '/v1/tables/KeptTable/rows/delete', { ids: [4] })
  expect(await matching('KeptTable', 'red')).toEqual([2])
  expect(await findTexts('KeptTable')).toEqual([
    [1, 'green shoe'],
    [2, 'infrared'],
  ])
})

test('fills a column that becomes searchable, and empties it afterwards', async () => {
  await makeTable('LateTable', { type: 'string' })
  await fillTable(scene, 'LateTable', 5_000, (n) => ({ c1: `number ${n}` }))
  expect((await table('LateTable')).text_columns).toEqual([])
  await makeSearchable('LateTable')
  await whenFilled('LateTable')
  expect(await findTexts('LateTable')).toHaveLength(5_000)
  expect(await matching('LateTable', 'number 499\\d')).toHaveLength(10)
  await updateTable(db(), wholeBot(scene.botId), 'LateTable', {
    schema: { note: { type: 'string' } },
  })
  expect(await findTexts('LateTable')).toEqual([])
  expect(await matching('LateTable', 'number 499\\d')).toHaveLength(10)
})

test('waits for a write that began before the column became searchable', async () => {
  await makeTable('SlowTable', { type: 'string' })
  const { bot_table_id } = await table('SlowTable')
  await db()
    .transaction()
    .execute(async (writer) => {
      await sql`insert into table_row (bot_id, bot_table_id, row_id, data)
        values (${scene.botId}, ${bot_table_id}, 1, '{"c1": "a late row"}')`.execute(
        writer,
      )
      await makeSearchable('SlowTable')
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      expect((await table('SlowTable')).text_columns).toEqual([])
    })
  await whenFilled('SlowTable')
  expect(await matching('SlowTable', 'late row')).toEqual([1])
})

test('reads few rows for a pattern in a large table', async () => {
  await makeTable('LargeTable', searchable)
  await fillTable(scene, 'LargeTable', 20_000, (n) => ({ c1: `number ${n}` }))
  // As autovacuum does within seconds. It also sorts new entries into the index.
  await sql`vacuum analyze table_row, table_row_text`.execute(db())
  const known = await table('LargeTable')
  const condition = parseFilter({ note: { $regex: '^number 1234\\d?$' } }, known.columns)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select from table_row where ${ofTable(known)} and ${conditionSql(condition, known)}`.execute(
    db(),
  )
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(
    'table_row_text_trigrams',
  )
})
