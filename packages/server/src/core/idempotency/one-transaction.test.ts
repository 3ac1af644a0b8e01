// A transaction around any database work: nested work behaves as outside of it, and all of it is
// committed or none.
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { emptyDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { isConflict } from '../db/connection/conflicts.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'

let clone: TestDatabase
let database: Database

beforeAll(async () => {
  clone = await emptyDatabase()
  database = openDatabase(clone.settings, { log: pino({ level: 'silent' }) })
  await sql`create table thing (name text primary key)`.execute(database.db)
})
afterAll(async () => {
  await database?.close()
  await clone?.drop()
})
beforeEach(() => sql`truncate thing`.execute(database.db))

const add = (db: Database['db'], name: string) =>
  sql`insert into thing values (${name})`.execute(db)
const run = (given: Database, name: string) =>
  given.run('add-thing', 'insert into thing values ($1)', [name])
const names = async (given = database) =>
  (
    await sql<{ name: string }>`select name from thing order by name`.execute(given.db)
  ).rows.map(({ name }) => name)
const failure = new Error('no')

test('runs statements of every kind in the transaction, invisible to others until the commit', async () => {
  const given = await database.inTransaction(async (inside) => {
    await add(inside.db, 'a')
    await run(inside, 'b')
    await inside.lazily('add-thing', 'insert into thing values ($1)', ['c'])
    await inside.inTransaction((further) => add(further.db, 'd'))
    expect([await names(inside), await names()]).toEqual([['a', 'b', 'c', 'd'], []])
    return 'given'
  })
  expect([given, await names()]).toEqual(['given', ['a', 'b', 'c', 'd']])
})

test('rolls back everything when the work throws', async () => {
  const work = database.inTransaction(async (inside) => {
    await add(inside.db, 'a')
    await inside.db.transaction().execute((trx) => add(trx, 'b'))
    await run(inside, 'c')
    throw failure
  })
  await expect(work).rejects.toBe(failure)
  expect(await names()).toEqual([])
})

test('undoes only the statement that fails', async () => {
  await add(database.db, 'taken')
  await database.inTransaction(async (inside) => {
    await add(inside.db, 'a')
    for (const [name, attempt] of Object.entries({
      'query builder': () => add(inside.db, 'taken'),
      'named statement': () => run(inside, 'taken'),
    }))
      expect(isConflict(await attempt().catch((error) => error)), name).toBe(true)
    await run(inside, 'b')
  })
  expect(await names()).toEqual(['a', 'b', 'taken'])
})

test('rolls back a nested transaction alone, at any depth', async () => {
  await database.inTransaction(async (inside) => {
    await add(inside.db, 'a')
    const undone = inside.db.transaction().execute(async (trx) => {
      await add(trx, 'b')
      await run(inside, 'c')
      await inside.db.transaction().execute((further) => add(further, 'd'))
      throw failure
    })
    await expect(undone).rejects.toBe(failure)
    await inside.db.transaction().execute(async (trx) => {
      await add(trx, 'e')
      await expect(
        inside.db
          .transaction()
          .execute((further) => add(further, 'f').then(() => Promise.reject(failure))),
      ).rejects.toBe(failure)
      await expect(add(trx, 'e')).rejects.toThrow()
      await add(trx, 'g')
    })
    await run(inside, 'h')
  })
  expect(await names()).toEqual(['a', 'e', 'g', 'h'])
})

test('runs concurrent statements one after the other', async () => {
  await database.inTransaction(async (inside) => {
    const all = Array.from({ length: 20 }, (_, i) =>
      i % 3 === 0 ? add(inside.db, 'twice').catch(() => {}) : run(inside, `thing-${i}`),
    )
    await Promise.all(all)
  })
  expect(await names()).toHaveLength(14)
})

test('rejects statements after the end of the transaction', async () => {
  let late: Database | undefined
  await database.inTransaction(async (inside) => {
    late = inside
    await add(inside.db, 'a')
  })
  await expect(add(late!.db, 'b')).rejects.toThrow('has ended')
  await expect(run(late!, 'c')).rejects.toThrow('has ended')
  expect(await names()).toEqual(['a'])
})

test('fails the work when its connection breaks, and does not reuse the connection', async () => {
  const work = database.inTransaction(async (inside) => {
    await add(inside.db, 'a')
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
      inside.db,
    )
    const client = new pg.Client(clone.settings)
    await client.connect()
    await client.query('select pg_terminate_backend($1)', [rows[0]!.pid])
    await client.end()
    await add(inside.db, 'b')
  })
  await expect(work).rejects.toThrow()
  expect(await names()).toEqual([])
  await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      database.inTransaction((inside) => add(inside.db, `later-${i}`)),
    ),
  )
  expect(await names()).toHaveLength(12)
})
