// Migrations in steps: each statement commits on its own, so that building an index does not block
// writers. An interrupted migration is repeated from its first step.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pino from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { emptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { built } from '../../../../test/support/processes.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open.ts'
import { migrate } from './migrate.ts'

const log = pino({ level: 'silent' })
const marker = '-- in steps: not in one transaction\n'
let database: TestDatabase
let opened: Database
let folder: URL

beforeEach(async () => {
  database = await emptyDatabase()
  opened = openDatabase(database.settings, { log })
  folder = pathToFileURL(`${await mkdtemp(join(tmpdir(), 'botstead-migrations-'))}/`)
  await add('0001_item.sql', 'create table item (id int)')
})
afterEach(async () => {
  await opened.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

const add = (name: string, sql: string) => writeFile(new URL(name, folder), sql)
const run = () => migrate(opened, log, { folder })
const query = (text: string) => opened.run(text, text, [])
const applied = async () =>
  (await query('select name from migration order by number')).map(({ name }) => name)
const isValid = async (index: string) =>
  (
    await query(
      `select indisvalid from pg_index where indexrelid = to_regclass('${index}')`,
    )
  )[0]?.indisvalid

/** Runs the migrations in a separate process. */
function startProcess() {
  const script = `
    import { migrate } from ${JSON.stringify(built('core/db/migrating/migrate.js'))}
    import pino from 'pino'
    await migrate(${JSON.stringify(database.settings)}, pino({ level: 'silent' }),
      { folder: new URL(${JSON.stringify(folder.href)}) })`
  const child = execFile(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, exited }
}

it('runs each step on its own, without the comments', async () => {
  const steps = `-- Why.\ncreate index concurrently if not exists item_id on item (id);

do $$
begin
  insert into item values (1);
  commit;
end
$$;\n`
  await add('0002_steps.sql', `${marker}${steps}`)
  await run()
  expect(await isValid('item_id')).toBe(true)
  expect(await query('select id from item')).toEqual([{ id: 1 }])
  expect(await applied()).toEqual(['0001_item', '0002_steps'])
})

it('keeps completed steps when a later one fails, and repeats them after a fix', async () => {
  const first = 'create table if not exists other (id int);'
  await add('0002_steps.sql', `${marker}${first}\n\nselect 1 / 0;\n`)
  await expect(run()).rejects.toThrow('The migration 0002_steps failed: division by zero')
  expect(await query('select * from other')).toEqual([])
  expect(await applied()).toEqual(['0001_item'])
  await add('0002_steps.sql', `${marker}${first}\n\nselect 1;\n`)
  await run()
  expect(await applied()).toEqual(['0001_item', '0002_steps'])
})

it('builds an index again that an interrupted build left invalid', async () => {
  await add(
    '0002_steps.sql',
    `${marker}create unique index concurrently if not exists item_id on item (id);\n`,
  )
  await migrate(opened, log, { folder, upTo: 1 })
  await query('insert into item values (1), (1)')
  await expect(run()).rejects.toThrow('could not create unique index')
  expect(await isValid('item_id')).toBe(false)
  await query('delete from item')
  await run()
  expect(await isValid('item_id')).toBe(true)
})

it('continues after a kill in the middle', async () => {
  await add(
    '0002_steps.sql',
    `${marker}create table if not exists half (id int);

select pg_sleep(1);

create index concurrently if not exists half_id on half (id);\n`,
  )
  const { child, exited } = startProcess()
  await vi.waitFor(() => query('select * from half'), 10_000)
  child.kill('SIGKILL')
  await exited
  expect(await applied()).toEqual(['0001_item'])
  await run()
  expect(await isValid('half_id')).toBe(true)
  expect(await applied()).toEqual(['0001_item', '0002_steps'])
})

it('builds an index while other processes wait for the migration', async () => {
  await add(
    '0002_steps.sql',
    `${marker}insert into item values (1);

select pg_sleep(1.5);

create index concurrently if not exists item_id on item (id);\n`,
  )
  const others = [startProcess(), startProcess()]
  await run()
  expect(await Promise.all(others.map(({ exited }) => exited))).toEqual([0, 0])
  expect(await query('select id from item')).toEqual([{ id: 1 }])
  expect(await isValid('item_id')).toBe(true)
})

it('builds an index despite a short timeout of the role', async () => {
  await add('0002_steps.sql', `${marker}select pg_sleep(0.3);\n`)
  await migrate({ ...database.settings, options: '-c statement_timeout=200' }, log, {
    folder,
  })
  expect(await applied()).toEqual(['0001_item', '0002_steps'])
})
