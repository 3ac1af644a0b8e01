// Connections to the database that break, behind a proxy: before they are made, within a read, a
// write and a transaction.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type BreakingProxy,
  openBreakingProxy,
} from '../../../../test/support/breaking-proxy.ts'
import { cloneDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { testConfig } from '../../../../test/support/scene.ts'
import { type App, openApp } from '../../../app/app.ts'
import { bootstrap, firstWorkspaceId } from '../../accounts/bootstrap.ts'
import { seedHub } from '../../catalog/integrations/hub.ts'
import { toApiError } from '../../http/reply-error.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../open.ts'
import { isRead } from './repeated-reads.ts'

const log = pino({ level: 'silent' })
let clone: TestDatabase
let proxy: BreakingProxy
beforeAll(async () => {
  clone = await cloneDatabase()
  proxy = await openBreakingProxy(clone.settings)
})
afterAll(async () => {
  await proxy.close()
  await clone.drop()
})
beforeEach(() => proxy.setRefusing(false))

const findType = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => toApiError(error).type,
  )

describe('statements', () => {
  let database: Database
  let direct: Database
  beforeAll(async () => {
    database = openDatabase(proxy.settings, { log })
    direct = openDatabase(clone.settings, { log })
    await sql`create table note (id integer)`.execute(direct.db)
  })
  afterAll(() => Promise.all([database.close(), direct.close()]))
  beforeEach(() => sql`delete from note`.execute(direct.db))

  const countNotes = async () =>
    Number(
      (await sql<{ n: string }>`select count(*) as n from note`.execute(direct.db))
        .rows[0]!.n,
    )
  const insert = 'insert into note (id) values ($1) returning id'

  test('changed nothing if no connection was made', async () => {
    proxy.cutAll()
    proxy.setRefusing(true)
    const ways = [
      sql`select 1 as refused`.execute(database.db),
      sql`insert into note (id) values (1)`.execute(database.db),
      sql`select 1 as refused`.execute(database.finds),
      database.run('insert-note', insert, [1]),
      database.lazily('insert-note', insert, [1]),
      database.inTransaction((inside) => inside.run('insert-note', insert, [1])),
      database.db.transaction().execute((trx) => sql`select 1`.execute(trx)),
      database.connect(),
    ]
    expect(await Promise.all(ways.map(findType))).toEqual(ways.map(() => 'Unavailable'))
    expect(await countNotes()).toBe(0)
  })

  test.for([true, false])(
    'are repeated if they only read (arrives: %s)',
    async (arrives) => {
      const expected = [{ answer: 42 }]
      proxy.cutAt('as answer', { arrives })
      expect((await sql`select 42 as answer`.execute(database.db)).rows).toEqual(expected)
      proxy.cutAt('as answer', { arrives })
      expect((await sql`select 42 as answer`.execute(database.finds)).rows).toEqual(
        expected,
      )
      proxy.cutAt('as answer', { arrives })
      expect(await database.run('answer', 'select 42 as answer', [])).toEqual(expected)
    },
  )

  test('are repeated once only', async () => {
    for (const work of [
      () => sql`select 42 as twice`.execute(database.db),
      () => database.run('twice', 'select 42 as twice', []),
    ]) {
      proxy.cutAt('as twice', { times: 2 })
      expect(await findType(work())).toBe('Unavailable')
    }
  })

  test.for([
    { arrives: true, count: 1 },
    { arrives: false, count: 0 },
  ])('are not repeated if they write (arrives: $arrives)', async ({ arrives, count }) => {
    for (const work of [
      () => sql`insert into note (id) values (1)`.execute(database.db),
      () => database.run('insert-note', insert, [1]),
    ]) {
      await sql`delete from note`.execute(direct.db)
      proxy.cutAt('insert into note', { arrives })
      expect(await findType(work())).toBe('Internal')
      await vi.waitFor(async () => expect(await countNotes()).toBe(count))
    }
  })

  test('changed nothing in a transaction before its commit', async () => {
    for (const work of [
      () => database.inTransaction((inside) => inside.run('insert-note', insert, [1])),
      () =>
        database.db
          .transaction()
          .execute((trx) => sql`insert into note (id) values (1)`.execute(trx)),
    ]) {
      proxy.cutAt('insert into note', { arrives: true })
      expect(await findType(work())).toBe('Unavailable')
      proxy.cutAt('commit', { arrives: true })
      expect(await findType(work())).toBe('Internal')
    }
    await vi.waitFor(async () => expect(await countNotes()).toBe(2))
  })

  test('that the driver rejects after a break changed nothing, but a failed commit may have', async () => {
    await expect(
      findType(
        database.db.transaction().execute(async (trx) => {
          await sql`select 1 as begun`.execute(trx)
          proxy.cutAll()
          await sql`insert into note (id) values (1)`.execute(trx).catch(() => {})
          await sql`insert into note (id) values (1)`.execute(trx)
        }),
      ),
    ).resolves.toBe('Unavailable')
    expect(await countNotes()).toBe(0)
  })

  test('with effects are no reads', () => {
    expect(isRead('select 1')).toBe(true)
    expect(isRead('select updated_at, "deleted" from note')).toBe(true)
    expect(isRead('with one as (select 1) select * from one')).toBe(true)
    for (const text of [
      'insert into note values (1)',
      'with made as (insert into note values (1) returning id) select id from made',
      'with gone as (delete from note returning id) select id from gone',
      "select pg_notify('a', 'b')",
      'select pg_advisory_xact_lock(1)',
      "select nextval('ids')",
      'select id from note for update',
    ])
      expect(isRead(text), text).toBe(false)
  })

  test('that write through a function are not repeated as reads', async () => {
    await sql`create function note_one() returns integer language sql as
      'insert into note (id) values (1) returning id'`.execute(direct.db)
    proxy.cutAt('note_one()', { arrives: true })
    expect(await findType(database.run('note-one', 'select note_one() as id', []))).toBe(
      'Internal',
    )
    await vi.waitFor(async () => expect(await countNotes()).toBe(1))
  })
})

describe('requests', () => {
  let app: App
  let folder: string
  let headers: Record<string, string>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'botstead-broken-'))
    app = await openApp({
      config: { ...testConfig(), dataFolder: folder },
      log,
      connection: proxy.settings,
      masterKey: randomBytes(32),
      chatKey: randomBytes(32).toString('hex'),
    })
    await seedHub(app.services.db)
    const { token } = await bootstrap(app.services.db)
    headers = { authorization: `Bearer ${token}`, 'x-workspace-id': firstWorkspaceId }
  })
  afterAll(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })

  const list = () => app.server.inject({ url: '/v1/admin/bots', headers })
  const create = () =>
    app.server.inject({ method: 'POST', url: '/v1/admin/bots', headers, payload: {} })

  test('that read are answered although each connection breaks once', async () => {
    expect((await list()).statusCode).toBe(200)
    for (let round = 0; round < 5; round++) {
      proxy.cutAll()
      expect((await list()).statusCode).toBe(200)
    }
  })

  test('are answered 503 with Retry-After while the database is away', async () => {
    proxy.setRefusing(true)
    proxy.cutAll()
    for (let round = 0; round < 10; round++)
      for (const reply of await Promise.all([list(), create(), list(), create()])) {
        expect(reply.statusCode, reply.body).toBe(503)
        expect(reply.headers['retry-after']).toBe('1')
      }
    proxy.setRefusing(false)
    await vi.waitFor(async () => expect((await create()).statusCode).toBe(200), 10_000)
    expect((await list()).json().bots).toHaveLength(1)
  })
})
