import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isSchemaCurrent, schemaOf, schemaPath } from '../../../../../scripts/schema.js'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open.ts'

let database: TestDatabase
let opened: Database

beforeAll(async () => {
  database = await cloneDatabase()
  opened = openDatabase(database.settings, { log: pino({ level: 'silent' }) })
})
afterAll(async () => {
  await opened.close()
  await database.drop()
})

const committed = () =>
  readFile(new URL(`../../../../../${schemaPath}`, import.meta.url), 'utf8')
const alter = (statement: string) => sql.raw(statement).execute(opened.db)

it('has the row types of the migrated database', async () => {
  expect(await schemaOf(opened)).toBe(await committed())
})

it('is current until a migration is added or the file is edited', async () => {
  const text = await committed()
  expect(await isSchemaCurrent(text)).toBe(true)
  expect(await isSchemaCurrent(text.replace('name: string', 'name: string | null'))).toBe(
    false,
  )
  const path = await mkdtemp(join(tmpdir(), 'botstead-schema-'))
  const folder = pathToFileURL(`${path}/`)
  await cp(new URL('../../../src/core/db/migrations/', import.meta.url), folder, {
    recursive: true,
  })
  expect(await isSchemaCurrent(text, folder)).toBe(true)
  await writeFile(
    new URL('9000_column_of_a_test.sql', folder),
    'alter table knowledge_base add column column_of_a_test text',
  )
  expect(await isSchemaCurrent(text, folder)).toBe(false)
  await rm(folder, { recursive: true })
})

it('has nullable columns, defaults, sets of values, and computed columns', async () => {
  await alter(`create table sample (
    id bigint generated always as identity, note text, kind text not null default 'a' check (kind in ('a', 'b')),
    size integer, twice integer generated always as (size * 2) stored, at timestamptz not null)`)
  expect(await schemaOf(opened)).toContain(`
interface Sample {
  id: Generated<Big>
  note: string | null
  kind: Generated<'a' | 'b'>
  size: number | null
  twice: Computed<number | null>
  at: Date
}
`)
  await alter('drop table sample')
})

it('requires a type for each JSON column, and a column for each type', async () => {
  await alter('alter table knowledge_base add column column_of_a_test jsonb')
  await expect(schemaOf(opened)).rejects.toThrow(
    'schema-types.ts: add the type of the column `knowledge_base.column_of_a_test` to ColumnTypes',
  )
  await alter('alter table knowledge_base drop column column_of_a_test, drop column tags')
  await expect(schemaOf(opened)).rejects.toThrow(
    'schema-types.ts: the database has no column `knowledge_base.tags`; remove it from ColumnTypes',
  )
})

/** PostgreSQL writes all indexes of a row whose update changes one of these columns. */
async function findIndexedColumns(table: string): Promise<string[]> {
  const { rows } = await sql<{ column: string }>`
    select distinct a.attname as column from pg_index i
    join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = i.indexrelid
      and d.refclassid = 'pg_class'::regclass and d.refobjid = i.indrelid
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = d.refobjsubid
    where i.indrelid = ${table}::regclass`.execute(opened.db)
  return rows.map(({ column }) => column)
}

it.each([
  ['event', ['status', 'started_at', 'ms', 'attempts']],
  ['conversation', ['last_number', 'message_count', 'last_message_at', 'updated_at']],
])('has no index on the columns of %s that each turn changes', async (table, changed) => {
  const indexed = await findIndexedColumns(table)
  expect(indexed).toContain('bot_id')
  expect(indexed.filter((column) => changed.includes(column))).toEqual([])
})
