// The pools of connections: kinds of statements that share one keep their settings and their bounds.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { openShare } from './connection/share.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open.ts'

let clone: TestDatabase
let database: Database
let diskFull = 0
beforeAll(async () => {
  clone = await cloneDatabase()
  const log = pino({ level: 'silent' })
  database = openDatabase(clone.settings, { log, onDiskFull: () => diskFull++ })
})
afterAll(async () => {
  await database.close()
  await clone.drop()
})

const names = [
  'plan_cache_mode',
  'enable_seqscan',
  'enable_bitmapscan',
  'synchronous_commit',
  'statement_timeout',
  'idle_in_transaction_session_timeout',
  'transaction_read_only',
  'work_mem',
  'timezone',
]
const settings = `select ${names.map((name) => `current_setting('${name}') as ${name}`)}`
const usual = {
  plan_cache_mode: 'auto',
  enable_seqscan: 'on',
  enable_bitmapscan: 'on',
  synchronous_commit: 'on',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_read_only: 'off',
  work_mem: '4MB',
  timezone: 'UTC',
}
const prepared = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' }
const hot = { ...usual, ...prepared, enable_bitmapscan: 'off' }

/** A name belongs to one text. */
const toName = (text: string) => createHash('md5').update(text).digest('hex')

type Way = (text: string) => Promise<unknown[]>
const ways: Record<string, Way> = {
  db: async (text) => (await sql.raw(text).execute(database.db)).rows,
  finds: async (text) => (await sql.raw(text).execute(database.finds)).rows,
  run: (text) => database.run(toName(text), text, []),
  lazily: (text) => database.lazily(toName(text), text, []),
  inTransaction: (text) =>
    database.inTransaction((inside) => inside.run(toName(text), text, [])),
}
const listWays = () => Object.values(ways)

describe('settings', () => {
  const expected: Record<string, typeof usual> = {
    db: usual,
    finds: {
      ...usual,
      statement_timeout: '10s',
      transaction_read_only: 'on',
      work_mem: '64MB',
    },
    run: hot,
    lazily: { ...hot, synchronous_commit: 'off' },
    inTransaction: { ...usual, ...prepared, idle_in_transaction_session_timeout: '15s' },
  }

  test('are those of the kind, also on connections that others used before', async () => {
    for (let round = 0; round < 3; round++)
      for (const [name, way] of Object.entries(ways))
        for (const rows of await Promise.all([1, 2, 3].map(() => way(settings))))
          expect(rows, name).toEqual([expected[name]])
  })

  test('are those of the kind after a statement of another kind failed', async () => {
    for (const way of listWays())
      await expect(way('select 1 / 0')).rejects.toThrow('division')
    for (const [name, way] of Object.entries(ways))
      expect(await way(settings), name).toEqual([expected[name]])
  })
})

test('a find does not write, and a later statement on its connection does', async () => {
  const text = 'create table if not exists written ()'
  await expect(ways.finds!(text)).rejects.toMatchObject({ code: '25006' })
  for (const name of ['db', 'run', 'lazily', 'inTransaction']) await ways[name]!(text)
})

test('a find ends after 10 s', { timeout: 30_000 }, async () => {
  await expect(ways.finds!('select pg_sleep(25)')).rejects.toMatchObject({
    code: '57014',
  })
})

test('a nested transaction keeps the settings', async () => {
  await database.inTransaction(async (inside) => {
    await inside.run('first', 'select 1', [])
    await inside.inTransaction((nested) => nested.run('second', 'select 2', []))
    const [row] = await inside.run(toName(settings), settings, [])
    expect(row).toMatchObject({ idle_in_transaction_session_timeout: '15s' })
  })
})

test('a value that cannot be sent fails its statement only', async () => {
  const circular: { self?: unknown } = {}
  circular.self = circular
  const text = 'select $1::jsonb as value'
  for (const work of [
    () => database.run('value', text, [circular]),
    () => database.lazily('value', text, [circular]),
    () => sql`select ${circular}::jsonb`.execute(database.db),
    () => sql`select ${circular}::jsonb`.execute(database.finds),
    () => database.inTransaction((inside) => inside.run('value', text, [circular])),
  ])
    for (const _ of Array.from({ length: 12 }))
      await expect(work()).rejects.toThrow('circular')
  for (const { inUse } of database.pools()) expect(inUse).toBe(0)
  for (const way of listWays()) expect(await way('select 1 as one')).toEqual([{ one: 1 }])
})

test('reports a full disk in every way', async () => {
  const full = "do $$ begin raise exception using errcode = '53100'; end $$"
  diskFull = 0
  for (const way of listWays())
    await expect(way(full)).rejects.toMatchObject({ code: '53100' })
  expect(diskFull).toBe(5)
})

describe('connections', () => {
  const countConnections = async () => {
    const text = `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'`
    const [{ n }] = (await ways.run!(text)) as [{ n: number }]
    return n
  }

  test('are at most 30, in three pools', async () => {
    const work = listWays().flatMap((way) =>
      Array.from({ length: 20 }, () => way('select pg_sleep(0.1)')),
    )
    await Promise.all(work)
    expect(await countConnections()).toBe(30)
    expect(database.pools().map(({ name, ...states }) => [name, states])).toEqual([
      ['general', { inUse: 0, idle: 22, waiting: 0 }],
      ['hot', { inUse: 0, idle: 6, waiting: 0 }],
      ['lazy', { inUse: 0, idle: 2, waiting: 0 }],
    ])
  })

  test.each([
    ['db', 10],
    ['finds', 6],
    ['inTransaction', 6],
  ])('of %s are at most %i, and the others get theirs', async (name, max) => {
    const others = Object.keys(ways).filter((one) => one !== name)
    let ended = 0
    const slow = Array.from({ length: max + 3 }, () =>
      ways[name]!('select pg_sleep(0.5)').then(() => ended++),
    )
    await Promise.all(others.map((one) => ways[one]!('select 1')))
    expect(ended).toBe(0)
    expect(database.pools()[0]).toMatchObject({ name: 'general', inUse: max, waiting: 3 })
    await Promise.all(slow)
    expect(database.pools()[0]).toMatchObject({ inUse: 0, waiting: 0 })
  })

  test('do not run out in transactions that wait for other ways', async () => {
    const work = Array.from({ length: 30 }, () =>
      database.inTransaction(async (inside) => {
        await inside.run('begun', 'select 1', [])
        const { db, finds, run } = database
        await Promise.all([sql`select 1`.execute(db), sql`select 1`.execute(finds)])
        await run('outside', 'select 1', [])
      }),
    )
    await expect(Promise.all(work)).resolves.toHaveLength(30)
  })
})

test('a call that waits for its share for 10 s fails, and leaves its place to the next', async () => {
  const share = openShare({ connect: async () => ({ release() {} }) } as never, 1)
  const held = await share.connect()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const late = expect(share.connect()).rejects.toThrow(
      'timeout exceeded when trying to connect',
    )
    vi.advanceTimersByTime(9_999)
    const next = share.connect()
    expect(share.waiting()).toBe(2)
    vi.advanceTimersByTime(1)
    await late
    held.release()
    expect(await next).toHaveProperty('release')
    expect(share.waiting()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a call that finds no connection leaves its place to the next', async () => {
  const failing = { connect: () => Promise.reject(new Error('refused')) }
  const share = openShare(failing as never, 1)
  for (const _ of [1, 2, 3]) await expect(share.connect()).rejects.toThrow('refused')
})
