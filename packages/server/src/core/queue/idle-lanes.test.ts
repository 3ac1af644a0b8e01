// Deletion of idle lanes on a real database, alone and while deliveries are enqueued, claimed and
// settled on several connections.
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { statement } from '../db/statement.ts'
import { recordOutcomes } from '../messaging/events/outcomes.ts'
import type { Enqueued } from './deliveries.ts'
import { createLaneRemoval, removeIdleLanes } from './idle-lanes.ts'
import { Queue } from './queue.ts'
import { createLaneStore, enqueueDue, toEnqueued } from './store.ts'

const log = pino({ level: 'silent' })
const start = { botId: '', lane: '' }
let source: TestDatabase
let database: Database

beforeAll(async () => {
  source = await cloneDatabase()
  database = openDatabase(source.settings, { log })
})
afterAll(async () => {
  await database?.close()
  await source?.drop()
})
beforeEach(async () => {
  for (const table of ['lane', 'delivery', 'worker'])
    await database.run(`test-empty-${table}`, `delete from ${table}`, [])
})

const lanes = async () =>
  (
    await database.run<{ key: string }>(
      'test-lanes',
      'select key from lane order by key',
      [],
    )
  ).map(({ key }) => key)

/** Runs the task as the server does, until it has looked at every lane. */
async function removeAll() {
  const remove = createLaneRemoval(database)
  while ((await remove()) !== undefined);
}

const appendStatement = statement<{
  lane: string
  ids: string[]
  owner: string | null
}>(
  'test-append',
  `with due as (
    select 'bot' as bot_id, :lane::text as lane, id as delivery_id, 'event' as kind,
      'evt_' || id as subject_id, ord from unnest(:ids::text[]) with ordinality as i (id, ord)
  ),
  ${enqueueDue(':owner')}
  select bot_id, lane, number, delivery_id as id, kind, subject_id, owner, ahead from placed
  order by ord`,
)

let count = 0
/** When each enqueue that has not ended began, in ms since 1970. */
const enqueueing = new Set<{ since: number }>()

async function append(
  lane: string,
  size = 1,
  owner: string | null = null,
): Promise<Enqueued[]> {
  const ids = Array.from({ length: size }, () => `dlv_${++count}`)
  const self = { since: Date.now() }
  enqueueing.add(self)
  const rows = await database
    .run<Parameters<typeof toEnqueued>[0]>(...appendStatement({ lane, ids, owner }))
    .finally(() => enqueueing.delete(self))
  return rows.map((row) => toEnqueued(row))
}

/** Transactions begin some time before they choose numbers. */
const marginMs = 20

/**
 * Deletes the lanes that were idle before the oldest enqueue began. In service, a lane is idle for a
 * day, and no enqueue takes that long: its number, chosen before it waits for the lane, is above those
 * of each lane that is deleted meanwhile.
 */
async function removeIdleBeforeEnqueues() {
  await database.inTransaction(async (inside) => {
    const [begin] = await inside.run<{ ms: number }>(
      'test-now',
      'select (extract(epoch from now()) * 1000)::float8 as ms',
      [],
    )
    const oldest = Math.min(begin!.ms, ...[...enqueueing].map(({ since }) => since))
    await removeIdleLanes(inside, start, (begin!.ms - oldest + marginMs) / 1000)
  })
}

test('deletes lanes that were idle for a day, and no others', async () => {
  await database.run(
    'test-fill',
    `with lanes as (
      insert into lane (bot_id, key, owner, pending, ready_at) values
        ('bot', 'idle', null, 0, now() - interval '25 hours'),
        ('bot', 'used today', null, 0, now() - interval '23 hours'),
        ('bot', 'owned', 'worker', 0, now() - interval '25 hours'),
        ('bot', 'pending', null, 1, now() - interval '25 hours'),
        ('bot', 'with dead letter', null, 0, now() - interval '25 hours'),
        ('other', 'with dead letter', null, 0, now() - interval '25 hours')
    )
    insert into delivery (bot_id, lane, number, id, kind, subject_id, dead_at)
    values ('bot', 'with dead letter', 1, 'dlv', 'event', 'evt', now())`,
    [],
  )
  await removeAll()
  expect(await lanes()).toEqual(['owned', 'pending', 'used today', 'with dead letter'])
})

test('deletes more lanes than one statement does', async () => {
  await database.run(
    'test-many',
    `insert into lane (bot_id, key, ready_at)
     select 'bot_' || n % 7, 'conv_' || n, now() - interval '2 days' from generate_series(1, 2500) n`,
    [],
  )
  await database.run(
    'test-young',
    "insert into lane (bot_id, key) values ('bot_3', 'young')",
    [],
  )
  await removeAll()
  expect(await lanes()).toEqual(['young'])
})

test('continues above the numbers of the deleted lane', async () => {
  const [first] = await append('conv')
  await database.run('test-end', 'delete from delivery', [])
  await database.run('test-settle', 'update lane set pending = 0', [])
  await removeIdleLanes(database, start, -1)
  expect(await lanes()).toEqual([])
  const [second, third] = await append('conv', 2)
  expect(Number(second!.number)).toBeGreaterThan(Number(first!.number))
  expect(BigInt(third!.number)).toBe(BigInt(second!.number) + 1n)
  expect(second!.ahead).toBe(0)
})

test('skips a lane in which a delivery is being enqueued', async () => {
  await database.run(
    'test-one',
    "insert into lane (bot_id, key) values ('bot', 'conv')",
    [],
  )
  await database.inTransaction(async (inside) => {
    await inside.run(...appendStatement({ lane: 'conv', ids: ['dlv_open'], owner: null }))
    await removeIdleLanes(database, start, -1)
  })
  await removeIdleLanes(database, start, -1)
  expect(await lanes()).toEqual(['conv'])
})

test('an enqueue that waits for the deletion creates the lane again', async () => {
  await database.run(
    'test-one',
    "insert into lane (bot_id, key) values ('bot', 'conv')",
    [],
  )
  let appended: Promise<Enqueued[]> | undefined
  await database.inTransaction(async (inside) => {
    await removeIdleLanes(inside, start, -1)
    appended = append('conv')
    await expect.poll(() => waitingStatements()).toBe(1)
  })
  expect(await appended).toMatchObject([{ lane: 'conv', ahead: 0 }])
  expect(await lanes()).toEqual(['conv'])
})

async function waitingStatements() {
  const [row] = await database.run<{ n: number }>(
    'test-waiting',
    `select count(*)::int as n from pg_locks l join pg_stat_activity a using (pid)
     where not l.granted and a.datname = current_database()`,
    [],
  )
  return row!.n
}

/** A server with its queue. Every tenth first attempt fails. */
async function openMember(id: string, begun: Enqueued[]) {
  await database.run(
    'test-worker',
    `insert into worker (id, host, pid, alive_until) values ($1, 'test', 1, now() + interval '1 hour')`,
    [id],
  )
  const store = {
    ...createLaneStore(database),
    settle: (...args: [string, Parameters<typeof recordOutcomes>[2]]) =>
      recordOutcomes(database, ...args),
  }
  return new Queue({
    workerId: () => id,
    store,
    retryMs: [5],
    log,
    handler: async (delivery) => {
      if (delivery.attempts) return { result: 'done' }
      begun.push(delivery)
      return begun.length % 10 === 0
        ? { result: 'retry', reason: 'x' }
        : { result: 'done' }
    },
  })
}

test('loses and reorders nothing while lanes are deleted and created again', {
  timeout: 60_000,
}, async () => {
  const begun: Enqueued[] = []
  const appended: Enqueued[] = []
  const queues = await Promise.all(['one', 'two'].map((id) => openMember(id, begun)))
  const produce = async (producer: number) => {
    const own = new Map<string, bigint>()
    for (let n = 0; n < 80; n++) {
      const queue = queues[(producer + n) % 2]!
      const lane = `lane ${(producer * 7 + n * 5) % 4}`
      const owner = n % 9 === 0 ? null : queue.owner
      const batch = await append(lane, 1 + (n % 3), owner)
      for (const { number } of batch) {
        expect(BigInt(number)).toBeGreaterThan(own.get(lane) ?? 0n)
        own.set(lane, BigInt(number))
      }
      appended.push(...batch)
      queue.dispatch(batch)
      await new Promise((resolve) => setTimeout(resolve, (producer * 13 + n * 17) % 40))
    }
  }
  let isOver = false
  const remove = async () => {
    while (!isOver) await removeIdleBeforeEnqueues()
  }
  const removing = Promise.all([remove(), remove()])
  await Promise.all([0, 1, 2, 3].map(produce))
  const sweeping = setInterval(
    () => queues.map((queue) => queue.sweep().catch(() => {})),
    50,
  )
  await expect.poll(() => begun.length, { timeout: 30_000 }).toBe(appended.length)
  clearInterval(sweeping)
  await Promise.all(queues.map((queue) => queue.stop(5_000)))
  isOver = true
  await removing
  let gaps = 0
  for (const lane of new Set(appended.map((one) => one.lane))) {
    const inOrder = appended
      .filter((one) => one.lane === lane)
      .toSorted((a, b) => Number(BigInt(a.number) - BigInt(b.number)))
    expect(begun.filter((one) => one.lane === lane).map(({ id }) => id)).toEqual(
      inOrder.map(({ id }) => id),
    )
    gaps += inOrder.filter(
      ({ number }, at) => at > 0 && BigInt(number) > BigInt(inOrder[at - 1]!.number) + 1n,
    ).length
  }
  // A lane that is created again leaves a gap.
  expect(gaps).toBeGreaterThan(10)
  const left = await database.run('test-left', 'select id from delivery', [])
  expect(left).toEqual([])
})
