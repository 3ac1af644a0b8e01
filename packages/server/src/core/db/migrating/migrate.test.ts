import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { emptyDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { built, runNodeScript } from '../../../../test/support/processes.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open.ts'
import { migrate, readMigrations } from './migrate.ts'

const log = pino({ level: 'silent' })
const own = new URL('../../../../src/core/db/migrations/', import.meta.url)
let database: TestDatabase
let opened: Database
let folder: URL

beforeEach(async () => {
  database = await emptyDatabase()
  opened = openDatabase(database.settings, { log })
  const path = await mkdtemp(join(tmpdir(), 'botstead-migrations-'))
  folder = pathToFileURL(`${path}/`)
  await cp(own, folder, { recursive: true })
})
afterEach(async () => {
  await opened.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

const applied = () =>
  opened.run<{ number: number; name: string }>(
    'applied',
    'select number, name from migration order by number',
    [],
  )
const add = (name: string, sql: string) => writeFile(new URL(name, folder), sql)

it('applies every file once, in order, and records it', async () => {
  await migrate(opened, log)
  await migrate(database.settings, log)
  const files = await readMigrations(own)
  expect(await applied()).toEqual(files.map(({ number, name }) => ({ number, name })))
})

it('rolls back a migration that fails, and continues with it after a fix', async () => {
  await add('9000_bad.sql', 'create table half (id int); select 1 / 0')
  await expect(migrate(opened, log, { folder })).rejects.toThrow(
    'The migration 9000_bad failed: division by zero',
  )
  expect(await opened.run('half', "select to_regclass('half') as half", [])).toEqual([
    { half: null },
  ])
  await add('9000_bad.sql', 'create table half (id int)')
  await migrate(opened, log, { folder })
  expect((await applied()).at(-1)).toEqual({ number: 9000, name: '9000_bad' })
})

it('runs a migration only once with two processes', async () => {
  await add('9000_slow.sql', 'create table slow (id int); select pg_sleep(0.3)')
  const script = `
    import { migrate } from ${JSON.stringify(built('core/db/migrating/migrate.js'))}
    import pino from 'pino'
    const folder = new URL(${JSON.stringify(folder.href)})
    await migrate(${JSON.stringify(database.settings)}, pino({ level: 'silent' }), { folder })`
  await Promise.all([
    runNodeScript(script),
    runNodeScript(script),
    migrate(opened, log, { folder }),
  ])
  expect((await applied()).filter(({ number }) => number === 9000)).toHaveLength(1)
})

it('repeats a migration after a deadlock with a running server', async () => {
  await add('9000_locks.sql', 'lock table first; lock table second')
  const server = await opened.connect()
  await server.query('create table first (id int); create table second (id int)')
  // The migration is the one that PostgreSQL ends.
  await server.query("set deadlock_timeout = '1min'")
  await server.query('begin; lock table second')
  const migrated = migrate(opened, log, { folder })
  while ((await locks('first', true)) === 0 || (await locks('second', false)) === 0)
    await pause(20)
  await server.query('lock table first; commit')
  await server.end()
  await migrated
  expect((await applied()).at(-1)).toMatchObject({ number: 9000 })
})

async function locks(table: string, isGranted: boolean): Promise<number> {
  const found = await opened.run<{ count: number }>(
    'locks',
    `select count(*)::int as count from pg_locks join pg_class on pg_class.oid = relation
      where relname = $1 and granted = $2 and mode = 'AccessExclusiveLock'`,
    [table, isGranted],
  )
  return found[0]!.count
}

it('rejects a changed file, but accepts changed line ends', async () => {
  await migrate(opened, log, { folder })
  const first = new URL('0001_accounts.sql', folder)
  const text = await readFile(first, 'utf8')
  await writeFile(first, text.replaceAll('\n', '\r\n'))
  await migrate(opened, log, { folder })
  await writeFile(first, `${text}-- one more line\n`)
  await expect(migrate(opened, log, { folder })).rejects.toThrow(
    'The migration 0001_accounts was changed after this database had applied it',
  )
})

it('rejects a database that is newer than the code', async () => {
  await add('9000_later.sql', 'create table later (id int)')
  await migrate(opened, log, { folder })
  await expect(migrate(opened, log)).rejects.toThrow(
    'The database is newer than this version of Botstead (it has the migration 9000_later)',
  )
})

it('rejects duplicate, missing and late numbers', async () => {
  await add('9000_one.sql', 'select 1')
  await add('9000_two.sql', 'select 1')
  await expect(migrate(opened, log, { folder })).rejects.toThrow(
    'Two migrations have the number 9000',
  )
  await rm(new URL('9000_two.sql', folder))
  await migrate(opened, log, { folder })
  await add('8999_late.sql', 'select 1')
  await expect(migrate(opened, log, { folder })).rejects.toThrow(
    'The migration 8999_late comes too late',
  )
  await add('nameless.sql', 'select 1')
  await expect(migrate(opened, log, { folder })).rejects.toThrow('must be named like')
})

it('explains a failed connection without the password', async () => {
  const settings = { connectionString: 'postgres://somebody:hidden@127.0.0.1:1/some' }
  await expect(migrate(settings, log)).rejects.toThrow(
    'No database answers at 127.0.0.1:1: is PostgreSQL running there?',
  )
  const missing = {
    ...database.settings,
    database: 'not_there',
    ...(database.settings.connectionString && {
      connectionString: database.settings.connectionString.replace(
        /botstead_test_\w+/,
        'not_there',
      ),
    }),
  }
  await expect(migrate(missing, log)).rejects.toThrow(
    'The database "not_there" does not exist at ',
  )
})
