// No partial effects: whichever call to the database or to the file store fails within an operation, the first, the second … or the last, the
// operation has done all of its work, or nothing; no connection is kept, and the same request made again does it. Operations come from the contract.
import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Queue } from '../../../src/infra/queue/queue.ts'
import { outside } from '../../../src/modules/delivery/idempotency/outside.ts'
import {
  addressOf,
  alwaysRefused,
  endsItsCaller,
  requestFor,
  type ServedOperation,
  servedOperations,
} from '../../support/operation-requests.ts'
import { openScene, type Scene } from '../../support/scene.ts'
import { tableJobsOver } from '../../support/table-rows.ts'
import { makeTenant, type Tenant } from '../../support/tenants.ts'

interface Attempt {
  /** The call that is to fail, counted from 1. */
  failing: number
  calls: number
}

let scene: Scene
/** Who asks without keys, and who asks with them: what can be done once is there for each. */
let plain: Tenant
let keyed: Tenant
const attempts = new AsyncLocalStorage<Attempt>()
/** Of the request that is about to be made. */
let current: Attempt | null = null
/** Every pool of this process. */
const pools = new Set<pg.Pool>()

beforeAll(async () => {
  const connect = pg.Pool.prototype.connect as (...values: unknown[]) => unknown
  vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(function (this: pg.Pool, ...values: unknown[]) {
    pools.add(this)
    return connect.apply(this, values)
  } as never)
  scene = await openScene()
  scene.app.server.addHook('onRequest', (_request, _reply, done) =>
    current ? attempts.run(current, done) : done(),
  )
  plain = await makeTenant(scene, 'plain')
  keyed = await makeTenant(scene, 'keyed')
  // Nobody delivers: what is compared shall change by the operation alone.
  await (scene.app.services.deliveries as Queue).stop(2_000)
  prints = await printsOfAllTables()
  failOnDemand()
}, 60_000)
afterAll(async () => {
  vi.restoreAllMocks()
  await scene?.close()
})

const isDue = () => {
  const attempt = attempts.getStore()
  return attempt !== undefined && ++attempt.calls === attempt.failing
}

/** A statement that is due to fail is replaced by one that does, so that the database undoes what belongs to it. */
function failOnDemand() {
  const query = pg.Client.prototype.query as (...values: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...values: unknown[]) {
    const isRollback = /^rollback/i.test(String(values[0]))
    if (isRollback || !isDue()) return query.apply(this, values)
    const last = values.at(-1)
    return query.apply(this, ['select 1/0', ...(typeof last === 'function' ? [last] : [])])
  } as never)
  const { blobs } = scene.app.services
  for (const name of Object.keys(blobs) as (keyof typeof blobs)[]) {
    if (typeof blobs[name] !== 'function') continue
    const real = blobs[name] as (...values: unknown[]) => unknown
    vi.spyOn(blobs, name).mockImplementation((async (...values: unknown[]) => {
      if (isDue()) throw new Error('the disk failed')
      return real.apply(blobs, values)
    }) as never)
  }
}

/**
 * What is true of everybody, whoever asks: the lease of the process, when a token was used last. And what nobody waits for: that an action, or code, was called,
 * and that content which no file holds is swept.
 */
const apart = ['worker', 'migration', 'action_run', 'usage_count', 'loose_blob']

/** Asks for a fingerprint of each table: which versions of which rows it has. Prepared once: planning it takes longer than all the rest. */
let prints: string

async function printsOfAllTables(): Promise<string> {
  const { db } = scene.app.services
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(
    db,
  )
  const print = ({ name }: { name: string }) =>
    sql`select ${sql.lit(name)} as name, sum(hashtextextended(r.xmin || ' ' || r.ctid, 0))::text as print from ${sql.table(name)} r`
  return sql`${sql.join(tables.filter(({ name }) => !apart.includes(name)).map(print), sql` union all `)}`.compile(
    db,
  ).sql
}

async function everything(): Promise<Record<string, string>> {
  const rows = await scene.app.services.database.run<{ name: string; print: string }>(
    'prints-of-all-tables',
    prints,
    [],
  )
  return Object.fromEntries(rows.map((row) => [row.name, row.print]))
}

/** Connections that nobody has given back. */
const kept = () => [...pools].reduce((sum, pool) => sum + pool.totalCount - pool.idleCount, 0)

async function perform(operation: ServedOperation, nth: number, attempt: Attempt, key?: string) {
  const request = requestFor(operation, key === undefined ? plain : keyed, nth)
  current = attempt
  const { statusCode, body } = await scene.app.server
    .inject({
      method: request.method,
      url: addressOf(operation, request),
      headers: { ...request.headers, ...(key !== undefined && { 'idempotency-key': key }) },
      ...(request.body && { payload: request.body }),
    })
    .finally(() => {
      current = null
    })
  return { status: statusCode, text: body }
}

/** What removes comes last, what is inside before what it is in, and takes the second thing of its kind: the others need the first. */
const removals = [
  'deleteIntegrationShareableId',
  'removeParticipant',
  'deleteMessage',
  'deleteTableRows',
  'discard',
  'deleteBotIssue',
  'delete',
]
const rank = ({ name }: ServedOperation) => removals.findIndex((removal) => name.includes(`.${removal}`))
/** It computes, and writes nothing. */
const computes = 'admin.runVrl'
const writers = servedOperations
  .filter(
    ({ name, method, stream }) =>
      method !== 'GET' && !stream && name !== computes && !Object.hasOwn(alwaysRefused, name),
  )
  .sort((a, b) => rank(a) - rank(b))

/** Their answers are read after the commit: then it is done, and whole, and whoever asked does not hear so. */
const answeredLater = [
  'admin.createBot',
  'admin.updateBot',
  'admin.deployBotVersion',
  'admin.publishFromBotJson',
  'admin.updateWorkspace',
]

/** Bots are stopped before anything goes; asked again, it goes on. */
const inSteps = ['admin.deleteWorkspace']

const mostCalls = 60

async function tryEachCall(operation: ServedOperation, key?: string) {
  const nth = rank(operation) < 0 ? 0 : 1
  await tableJobsOver(scene)
  let before = await everything()
  for (let failing = 1; failing <= mostCalls; failing++) {
    // What is remembered would hide calls.
    await scene.app.services.forget({ botId: (key === undefined ? plain : keyed).things.bot[nth]! })
    const attempt = { failing, calls: 0 }
    const { status, text } = await perform(operation, nth, attempt, key)
    await vi.waitFor(() => expect(kept()).toBe(0))
    const isOver = attempt.calls < failing || (rank(operation) >= 0 && status < 300)
    if (isOver) {
      expect(attempt.calls).toBeGreaterThan(0)
      return expect(status, text).toBeLessThan(300)
    }
    const isWhole =
      inSteps.includes(operation.name) || (answeredLater.includes(operation.name) && key === undefined)
    // what may be half done is noted; a key to seal with, and that a token came from here, say nothing of the request
    const found = await everything()
    const { audit_record: noted, audit_chain: _end, data_key: _ahead, token_address: _from, ...after } = found
    if (status >= 400 && !isWhole)
      expect(before, `call ${failing}: ${text}`).toMatchObject(
        operation.name in outside ? after : { ...after, audit_record: noted },
      )
    before = found
  }
  throw new Error(`more than ${mostCalls} calls`)
}

const named = (operations: ServedOperation[]) =>
  operations.map((operation) => [operation.name, operation] as const)

test.each(named(writers.filter(({ method, name }) => method === 'POST' && !endsItsCaller.includes(name))))(
  '%s, with a key: also after its answer is made',
  { timeout: 60_000 },
  async (name, operation) => {
    await tryEachCall(operation, `key-${name}`)
    const attempt = { failing: 0, calls: 0 }
    expect(
      (await perform(operation, rank(operation) < 0 ? 0 : 1, attempt, `key-${name}`)).status,
    ).toBeLessThan(300)
  },
)

test.each(named(writers))('%s', { timeout: 60_000 }, (_, operation) => tryEachCall(operation))
