// The database through PgBouncer in transaction mode, where each transaction may get another
// session: statements, their settings, transactions, and two servers with a hosted bot.

import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openChatPeople } from '../../../../test/support/chat-people.ts'
import { cloneDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { runQuery } from '../../../../test/support/delivery-audit.ts'
import {
  openPgBouncer,
  type PgBouncer,
  pgbouncerIsMissing,
} from '../../../../test/support/pgbouncer.ts'
import {
  type RunningServer,
  runServer,
  settingsOfMany,
} from '../../../../test/support/running-server.ts'
import { openSseReader, type SseReader } from '../../../../test/support/sse-reader.ts'
import type { Database } from '../database.ts'
import { migrate } from '../migrating/migrate.ts'
import { openDatabase } from '../open.ts'

const log = pino({ level: 'silent' })

describe.skipIf(pgbouncerIsMissing)('through PgBouncer in transaction mode', () => {
  let clone: TestDatabase
  let pgbouncer: PgBouncer
  let database: Database
  let diskFull = 0

  beforeAll(async () => {
    clone = await cloneDatabase()
    // PgBouncer must keep the server's own time zone.
    await runQuery(
      clone.settings,
      `do $$ begin
        execute format('alter database %I set timezone = ''Asia/Tokyo''', current_database());
      end $$`,
    )
    pgbouncer = await openPgBouncer(clone.settings)
    database = openDatabase(clone.settings, {
      log,
      pooler: pgbouncer.settings,
      onDiskFull: () => diskFull++,
    })
  }, 60_000)
  afterAll(async () => {
    await database?.close()
    await pgbouncer?.close()
    await clone?.drop()
  }, 60_000)

  /** Runs as many at a time as use all sessions in any order. */
  const manyTimes = <T>(work: (nth: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 60 }, (_, nth) => work(nth)))

  const settingNames = 'plan_cache_mode, enable_seqscan, synchronous_commit, timezone'
  const readSettings = `select ${settingNames
    .split(', ')
    .map((name) => `current_setting('${name}') as ${name}`)}, $1::int as nth`

  test.each([
    [
      'run',
      {
        plan_cache_mode: 'force_generic_plan',
        enable_seqscan: 'off',
        synchronous_commit: 'on',
      },
    ],
    [
      'lazily',
      {
        plan_cache_mode: 'force_generic_plan',
        enable_seqscan: 'off',
        synchronous_commit: 'off',
      },
    ],
  ] as const)('%s has its settings in every session', async (way, expected) => {
    const rows = await manyTimes((nth) => database[way]('settings', readSettings, [nth]))
    expect(rows).toEqual(rows.map((_, nth) => [{ ...expected, timezone: 'UTC', nth }]))
  })

  test('statements leave no settings behind', async () => {
    const rows = await manyTimes(() =>
      sql
        .raw(
          `select current_setting('enable_seqscan') as scan, current_setting('timezone') as zone`,
        )
        .execute(database.db),
    )
    expect(rows.map(({ rows: [row] }) => row)).toEqual(
      rows.map(() => ({ scan: 'on', zone: 'UTC' })),
    )
  })

  test('finds only read, with a time limit', async () => {
    const names =
      "current_setting('statement_timeout') as ms, current_setting('work_mem') as memory"
    const rows = await manyTimes(() => sql.raw(`select ${names}`).execute(database.finds))
    expect(rows.map(({ rows: [row] }) => row)).toEqual(
      rows.map(() => ({ ms: '10s', memory: '64MB' })),
    )
    const write = sql`delete from workspace`.execute(database.finds)
    await expect(write).rejects.toMatchObject({ code: '25006' })
  })

  test('keeps the plans of sessions for other clients, under a name for each text', async () => {
    const others = openDatabase(clone.settings, { log, pooler: pgbouncer.settings })
    try {
      await manyTimes(() => database.run('same name', "select 'old' as text", []))
      const rows = await manyTimes(() =>
        others.run('same name', "select 'new' as text", []),
      )
      expect(rows).toEqual(rows.map(() => [{ text: 'new' }]))
      const again = await manyTimes(() =>
        others.run('same name', "select 'old' as text", []),
      )
      expect(again).toEqual(again.map(() => [{ text: 'old' }]))
    } finally {
      await others.close()
    }
  })

  test('reports a full disk in every way', async () => {
    const full = "do $$ begin raise exception using errcode = '53100'; end $$"
    const ways = [
      () => sql.raw(full).execute(database.db),
      () => sql.raw(full).execute(database.finds),
      () => database.run('full', full, []),
      () => database.lazily('full', full, []),
      () => database.inTransaction((inside) => inside.run('full', full, [])),
    ]
    for (const way of ways) await expect(way()).rejects.toMatchObject({ code: '53100' })
    expect(diskFull).toBe(5)
  })

  test('a failed statement leaves later ones unharmed', async () => {
    const run = (by: number) => database.run('divide', 'select 6 / $1::int as a', [by])
    const outcomes = await manyTimes((nth) =>
      run(nth % 3).then(
        ([row]) => row!.a,
        ({ code }) => code,
      ),
    )
    expect(outcomes).toEqual(outcomes.map((_, nth) => ['22012', 6, 3][nth % 3]))
  })

  test('transactions commit all or nothing, with their settings', async () => {
    const number = await database.inTransaction(async (inside) => {
      await sql`create table kept (number int)`.execute(inside.db)
      await inside.run('insert-kept', 'insert into kept values ($1)', [1])
      return inside.run('settings', readSettings, [7])
    })
    expect(number).toMatchObject([{ enable_seqscan: 'off', timezone: 'UTC', nth: 7 }])
    const failed = database.inTransaction(async (inside) => {
      await inside.run('insert-kept', 'insert into kept values ($1)', [2])
      throw new Error('undo')
    })
    await expect(failed).rejects.toThrow('undo')
    const { rows } = await sql`select number from kept`.execute(database.db)
    expect(rows).toEqual([{ number: 1 }])
  })

  test('a start without DATABASE_DIRECT_URL fails and names it', async () => {
    await expect(migrate(pgbouncer.settings, log)).rejects.toThrow(
      'set DATABASE_DIRECT_URL',
    )
  })

  describe('two servers', () => {
    let servers: [RunningServer, RunningServer]
    beforeAll(async () => {
      const direct = settingsOfMany(clone)
      const env = {
        ...direct,
        DATABASE_URL: pgbouncer.url,
        DATABASE_DIRECT_URL: direct.DATABASE_URL,
      }
      servers = [await runServer(env), await runServer(env)]
    }, 90_000)
    afterAll(async () => {
      await Promise.all((servers ?? []).map((server) => server.remove()))
    }, 60_000)

    const urlAt = ({ credentials: { url } }: RunningServer) =>
      `${url}/chat/${servers[0].credentials.webhookId}`
    const answers = ({ frames }: SseReader) =>
      frames
        .filter(({ data }) => data.isBot)
        .map(({ data }) => data.payload.text as string)

    test('a hosted bot answers every message, also after a kill of its server', {
      timeout: 90_000,
    }, async () => {
      let entry = servers[0]
      const people = await openChatPeople(() => urlAt(entry), 4)
      const readers = people.people.map(({ conversationId, key }) =>
        openSseReader(
          () => `${urlAt(servers[1])}/conversations/${conversationId}/listen`,
          key,
          '0',
        ),
      )
      for (const reader of readers) await reader.open()
      const sayAll = (text: string) =>
        Promise.all(people.people.map((person) => people.say(person, text)))
      for (let nth = 0; nth < 10; nth++) {
        entry = servers[nth % 2]!
        await sayAll(`before ${nth}`)
      }
      await servers[0].stop('SIGKILL')
      entry = servers[1]
      for (let nth = 0; nth < 10; nth++) await sayAll(`after ${nth}`)
      await vi.waitFor(
        () =>
          expect(readers.map((reader) => new Set(answers(reader)).size)).toEqual([
            20, 20, 20, 20,
          ]),
        30_000,
      )
      const said = people.people.map((person) => person.said.map(({ text }) => text))
      const stored = await runQuery<{ texts: string[] }>(
        clone.settings,
        `select array_agg(payload ->> 'text' order by number) as texts from message
         where direction = 'incoming' group by conversation_id`,
      )
      expect(stored.map(({ texts }) => texts)).toEqual(said)
      for (const reader of readers) reader.cut()
      people.close()
    })
  })
})
