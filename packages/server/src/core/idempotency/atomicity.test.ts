// No partial effects. Each call of an operation to the database or the file store fails in turn,
// from the first to the last. The operation must have all of its effects or none, release its
// connections, and succeed when it is repeated. The operations come from the contract.
import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { tableJobsOver } from '../../../test/support/background-jobs.ts'
import {
  alwaysRejected,
  endsItsCaller,
  requestFor,
  toAddress,
} from '../../../test/support/operation-requests.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  type ServedOperation,
  servedOperations,
} from '../../../test/support/served-operations.ts'
import { makeTenant, type Tenant } from '../../../test/support/tenants.ts'
import type { Queue } from '../queue/queue.ts'
import { outsideTransaction } from './outside-transaction.ts'

interface Attempt {
  /** The call that is to fail, counted from 1. */
  failing: number
  calls: number
}

let scene: Scene
/**
 * One tenant for requests without keys, one for requests with keys, so that each can perform
 * operations that work only once.
 */
let plain: Tenant
let keyed: Tenant
const attempts = new AsyncLocalStorage<Attempt>()
/** The attempt that the next request belongs to. */
let current: Attempt | null = null
/** All connection pools of this process. */
const pools = new Set<pg.Pool>()

beforeAll(async () => {
  const connect = pg.Pool.prototype.connect as (...values: unknown[]) => unknown
  vi.spyOn(pg.Pool.prototype, 'connect').mockImplementation(function (
    this: pg.Pool,
    ...values: unknown[]
  ) {
    pools.add(this)
    return connect.apply(this, values)
  } as never)
  scene = await openScene({ config: { messageSearch: false } })
  scene.app.server.addHook('onRequest', (_request, _reply, done) =>
    current ? attempts.run(current, done) : done(),
  )
  plain = await makeTenant(scene, 'plain')
  keyed = await makeTenant(scene, 'keyed')
  // No deliveries and archives: only the operation may change the compared tables.
  await (scene.app.services.deliveries as Queue).stop(2_000)
  vi.spyOn(scene.app.services.archives, 'start').mockImplementation(() => {})
  fingerprints = await printsOfAllTables()
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

/**
 * Replaces the failing statement by an invalid one, so that the database aborts the transaction.
 */
function failOnDemand() {
  const query = pg.Client.prototype.query as (...values: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...values: unknown[]
  ) {
    const isRollback = /^rollback/i.test(String(values[0]))
    if (isRollback || !isDue()) return query.apply(this, values)
    // A prepared query has its own callback.
    const last = values.at(-1)
    const done =
      typeof last === 'function'
        ? last
        : (last as { callback?: unknown } | null)?.callback
    return query.apply(this, ['select 1/0', ...(done ? [done] : [])])
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
 * Tables that are not compared: state of the process or a token (lease, last use), counters of
 * calls, and content without a file, which the sweep removes.
 */
const ignoredTables = ['worker', 'migration', 'action_run', 'usage_count', 'loose_blob']

/**
 * A query that returns a fingerprint of each table, over the versions of its rows. Compiled once,
 * because planning it takes longest.
 */
let fingerprints: string

async function printsOfAllTables(): Promise<string> {
  const { db } = scene.app.services
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  const print = ({ name }: { name: string }) =>
    sql`select ${sql.lit(name)} as name, sum(hashtextextended(r.xmin || ' ' || r.ctid, 0))::text as print
      from ${sql.table(name)} r`
  const compared = tables.filter(({ name }) => !ignoredTables.includes(name))
  return sql`${sql.join(compared.map(print), sql` union all `)}`.compile(db).sql
}

async function everything(): Promise<Record<string, string>> {
  const rows = await scene.app.services.database.run<{ name: string; print: string }>(
    'fingerprints-of-all-tables',
    fingerprints,
    [],
  )
  return Object.fromEntries(rows.map((row) => [row.name, row.print]))
}

/** Connections that are in use. */
const connectionsInUse = () =>
  [...pools].reduce((sum, pool) => sum + pool.totalCount - pool.idleCount, 0)

/** The Webchat API deletes the same kinds of objects as the Chat API, so those of the other tenant. */
const tenantFor = ({ name, method }: ServedOperation, key?: string): Tenant =>
  key === undefined && !(method === 'DELETE' && name.startsWith('webchat.'))
    ? plain
    : keyed

async function perform(
  operation: ServedOperation,
  nth: number,
  attempt: Attempt,
  key?: string,
) {
  const request = requestFor(operation, tenantFor(operation, key), nth)
  current = attempt
  const { statusCode, body } = await scene.app.server
    .inject({
      method: request.method,
      url: toAddress(operation, request),
      headers: {
        ...request.headers,
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(request.body && { payload: request.body }),
    })
    .finally(() => {
      current = null
    })
  return { status: statusCode, text: body }
}

/**
 * Deletions run last, children before parents, on the second object of their kind, because the
 * other operations need the first.
 */
const removals = [
  'endOneSession',
  'endOtherSessions',
  'deleteIntegrationShareableId',
  'deleteFeedback',
  'deleteMcpServer',
  'deleteVersion',
  'removeParticipant',
  'deleteMessage',
  'deleteTableRows',
  'discard',
  'deleteBotIssue',
  'delete',
]
const rank = ({ name }: ServedOperation) =>
  removals.findIndex((removal) => name.includes(`.${removal}`))
/** Computes without writing. */
const computing = [
  'admin.runVrl',
  'platform.checkBotDocument',
  'platform.convertBot',
  'platform.verifyErasureReceipt',
]
const writers = servedOperations
  .filter(
    ({ name, method, stream }) =>
      method !== 'GET' &&
      !stream &&
      !computing.includes(name) &&
      !Object.hasOwn(alwaysRejected, name),
  )
  .sort((a, b) => rank(a) - rank(b))

/**
 * Operations that read their answer after the commit: they have their effect even when the answer
 * fails.
 */
const answeredLater = [
  'admin.createBot',
  'admin.updateBot',
  'admin.deployBotVersion',
  'admin.publishFromBotJson',
  'admin.updateWorkspace',
]

/** Operations in several steps, which continue when they are repeated. */
const inSteps = ['admin.deleteWorkspace']

/** Operations that work once, and succeed although the audit entry after them fails. */
const onlyOnce = [
  'redeliverDeadLetter',
  'redeliverEvent',
  'closeHandoff',
  'createCannedReply',
  'createKnowledgeSource',
  'convertTableColumn',
  'erasePersonalData',
].map((name) => `platform.${name}`)
const worksOnce = ({ name }: ServedOperation) => onlyOnce.includes(name)

const maxCalls = 80

async function failEachCall(operation: ServedOperation, key?: string) {
  const nth = rank(operation) < 0 ? 0 : 1
  await tableJobsOver(scene)
  let before = await everything()
  for (let failing = 1; failing <= maxCalls; failing++) {
    // Cached values would hide calls.
    await scene.app.services.invalidate({
      botId: tenantFor(operation, key).things.bot[nth]!,
    })
    const attempt = { failing, calls: 0 }
    const { status, text } = await perform(operation, nth, attempt, key)
    await vi.waitFor(() => expect(connectionsInUse()).toBe(0))
    const isOver =
      attempt.calls < failing ||
      ((rank(operation) >= 0 || worksOnce(operation)) && status < 300)
    if (isOver) {
      expect(attempt.calls).toBeGreaterThan(0)
      return expect(status, text).toBeLessThan(300)
    }
    const isWhole =
      inSteps.includes(operation.name) ||
      (answeredLater.includes(operation.name) && key === undefined)
    // Ignores audit entries, data keys that are created in advance, and addresses of tokens.
    const found = await everything()
    const {
      audit_record: noted,
      audit_chain: _end,
      data_key: _ahead,
      token_address: _from,
      ...after
    } = found
    if (status >= 400 && !isWhole)
      expect(before, `call ${failing}: ${text}`).toMatchObject(
        operation.name in outsideTransaction ? after : { ...after, audit_record: noted },
      )
    before = found
  }
  throw new Error(`more than ${maxCalls} calls`)
}

const named = (operations: ServedOperation[]) =>
  operations.map((operation) => [operation.name, operation] as const)

test.each(
  named(
    writers.filter(
      ({ method, name }) => method === 'POST' && !endsItsCaller.includes(name),
    ),
  ),
)(
  '%s, with a key, also when the database fails after the answer',
  { timeout: 60_000 },
  async (name, operation) => {
    await failEachCall(operation, `key-${name}`)
    const attempt = { failing: 0, calls: 0 }
    expect(
      (await perform(operation, rank(operation) < 0 ? 0 : 1, attempt, `key-${name}`))
        .status,
    ).toBeLessThan(300)
  },
)

test.each(named(writers))('%s', { timeout: 60_000 }, (_, operation) =>
  failEachCall(operation),
)
