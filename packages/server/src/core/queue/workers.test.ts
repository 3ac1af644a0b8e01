// Detection of dead workers: on this machine and in this process.
import { hostname } from 'node:os'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { Lease, type LeaseMessage, type LeaseOptions } from './lease.ts'
import { findProcessStart } from './worker-rows.ts'
import { startWorker } from './workers.ts'

const log = pino({ level: 'silent' })
let clone: TestDatabase
let database: Database

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase(clone.settings, { log })
})
afterAll(async () => {
  await database?.close()
  await clone?.drop()
})

beforeEach(() => database.db.deleteFrom('worker').execute())

const start = () =>
  startWorker(database, {
    log,
    leaseSeconds: 60,
    onLeaseLost: () => {},
    onLeaseReleased: () => {},
  })
const alive = async () =>
  (
    await database.db
      .selectFrom('worker')
      .select('id')
      .where('alive_until', '>', new Date())
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)

test('workers of one process keep each other alive', async () => {
  const [first, second] = [await start(), await start()]
  expect(await alive()).toEqual([first.id, second.id].sort())
  await Promise.all([first.stop(), second.stop()])
  expect(await alive()).toEqual([])
})

test('frees the leases of dead processes of this machine at once, also with its own process id', async () => {
  const neighbours = [
    { id: 'same number', pid: process.pid },
    { id: 'gone', pid: 2 ** 22 + 1 },
    { id: 'alive', pid: process.ppid },
  ]
  const alive_until = new Date(Date.now() + 3_600_000)
  await database.db
    .insertInto('worker')
    .values([
      ...neighbours.map((one) => ({ ...one, host: hostname(), alive_until })),
      { id: 'elsewhere', pid: process.pid, host: 'another', alive_until },
    ])
    .execute()
  const worker = await start()
  expect(await alive()).toEqual(['alive', 'elsewhere', worker.id].sort())
  await worker.stop()
})

/**
 * Keeps a lease like the thread does, for an event loop that answers while `answers` returns true.
 */
async function keepLease(options: Partial<LeaseOptions>, answers: () => boolean) {
  const worker = await start()
  const { id } = worker
  const news: LeaseMessage[] = []
  await worker.stop()
  const lease = new Lease(
    {
      settings: clone.settings,
      id,
      leaseSeconds: 1,
      processStart: findProcessStart(),
      ...options,
    },
    (one) => {
      news.push(one)
      if (one.type === 'ping' && answers()) lease.pong()
    },
  )
  lease.start()
  await vi.waitFor(() =>
    expect(news).toContainEqual(expect.objectContaining({ type: 'lost' })),
  )
  const current = () => news.findLast((one) => one.type === 'lost')!.id
  return { lease, news, current }
}

test('loses the lease while the event loop hangs if there is another server, and gets a new id', async () => {
  const other = await start()
  let answers = true
  const { lease, news, current } = await keepLease({ hungMs: 500 }, () => answers)
  const before = current()
  expect(await alive()).toContain(before)
  answers = false
  await vi.waitFor(async () => expect(await alive()).toEqual([other.id]), 5_000)
  answers = true
  lease.pong()
  await vi.waitFor(
    () => expect(news).toContainEqual(expect.objectContaining({ reason: 'hung' })),
    5_000,
  )
  expect(current()).not.toBe(before)
  expect(await alive()).toEqual([current(), other.id].sort())
  await lease.stop()
  await other.stop()
})

test('renews rarely while alone, and at once when another server starts', async () => {
  const { lease, news, current } = await keepLease({ settledMs: 300 }, () => true)
  const leaseMs = async () => {
    const { alive_until } = await database.db
      .selectFrom('worker')
      .select('alive_until')
      .where('id', '=', current())
      .executeTakeFirstOrThrow()
    return alive_until.getTime() - Date.now()
  }
  await vi.waitFor(async () => expect(await leaseMs()).toBeGreaterThan(30_000), 5_000)
  const renewals = () => news.filter(({ type }) => type === 'others').length
  const before = renewals()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(renewals()).toBe(before)
  const other = await start()
  await vi.waitFor(() =>
    expect(news.findLast(({ type }) => type === 'others')).toMatchObject({ count: 1 }),
  )
  await vi.waitFor(async () => expect(await leaseMs()).toBeLessThan(5_000))
  await lease.stop()
  await other.stop()
})
