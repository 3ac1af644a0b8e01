// Who is dead, and who is not: other workers of this machine, and of this process.
import { hostname } from 'node:os'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../src/db/open.ts'
import { startWorker } from '../src/queue/workers.ts'
import { cloneDatabase, type TestDatabase } from './database.ts'

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

const start = () => startWorker(database, { log, leaseSeconds: 60, lost: () => {}, freed: () => {} })
const alive = async () =>
  (
    await database.db
      .selectFrom('worker')
      .select('id')
      .where('alive_until', '>', new Date())
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)

test('several workers of one process leave each other alive', async () => {
  const [first, second] = [await start(), await start()]
  expect(await alive()).toEqual([first.id, second.id].sort())
  await Promise.all([first.stop(), second.stop()])
  expect(await alive()).toEqual([])
})

test('what an earlier process of this machine has left is free at once, also under the same number', async () => {
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
