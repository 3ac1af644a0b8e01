// A page of workflows, the search by tags and the clock's queries must not cost more with more
// workflows. Cost is the number of rows fetched, not time.
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { ours, seedMessaging } from '../../../test/support/messaging-rows.ts'
import type { Database, Db } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { newId } from '../lib/ids.ts'
import { continueHandled, timeOutWorkflows } from './clock.ts'
import { advanceWorkflow } from './loop.ts'
import { listWorkflows } from './workflow-listing.ts'
import { getOrCreateWorkflow } from './workflows.ts'

const rowCount = 20_000
const conversationId = 'conv_0000000001'
let clone: TestDatabase
let database: Database

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase(clone.settings, { log: pino({ level: 'silent' }), poolSize: 1 })
  const { db } = database
  await seedMessaging(db)
  await sql`
    insert into conversation (bot_id, id, integration, channel)
    values (${ours}, ${conversationId}, 'tg', 'dm')`.execute(db)
  const id = (i: unknown) => sql`'wrkflow_' || lpad((${i})::text, 10, '0')`
  // One in a hundred is active, one in fifty has a conversation, and the others have ended.
  await sql`
    insert into workflow (bot_id, id, name, status, tags, conversation_id, timeout_at)
    select ${ours}, ${id(sql`i`)}, 'job-' || i % 20,
      case when i % 100 = 0 then 'listening' else 'completed' end,
      jsonb_build_object('key', i::text, 'even', (i % 2)::text),
      case when i % 50 = 0 then ${conversationId} end, now() + interval '1 day'
    from generate_series(1, ${rowCount}::int) i`.execute(db)
  await sql`update workflow set parent_workflow_id = ${id(sql`1`)} where id like '%50'`.execute(
    db,
  )
  await sql`
    insert into event (bot_id, id, type, payload, workflow_id)
    select ${ours}, 'evt_' || lpad(i::text, 10, '0'), 'workflow_update', '{"type": "workflow_continued"}',
      ${id(sql`i % 100 + 1`)}
    from generate_series(1, ${rowCount}::int) i`.execute(db)
  await sql`analyze`.execute(db)
}, 60_000)
afterAll(async () => {
  await database.close()
  await clone.drop()
})

async function fetched(db: Db, work: (db: Db) => Promise<unknown>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const fetchedSoFar = async () => {
      const { rows } = await sql<{ n: string }>`
        select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as n
        from pg_stat_xact_user_tables where relname = any(${['workflow', 'event']})`.execute(
        trx,
      )
      return Number(rows[0]!.n)
    }
    const before = await fetchedSoFar()
    const result = await work(trx)
    expect(Array.isArray(result) ? result.length : 1).toBeGreaterThan(0)
    return (await fetchedSoFar()) - before
  })
}

const page = { position: null, limit: 21 }
test.each<[string, object]>([
  ['the newest ones', {}],
  ['in the middle of the list', { position: 'wrkflow_0000010000' }],
  ['active ones', { statuses: ['pending', 'in_progress', 'listening', 'paused'] }],
  ['of a conversation', { conversationId }],
  ['of a parent', { parentWorkflowId: 'wrkflow_0000000001' }],
  ['of a name', { name: 'job-7' }],
  ['with a rare tag', { tags: { key: '77' } }],
])('fetches few rows for a page of workflows: %s', async (_, more) => {
  expect(
    await fetched(database.db, (db) =>
      listWorkflows(db, ours, null, { ...page, ...more }),
    ),
  ).toBeLessThan(250)
})

test('fetches few rows to find a workflow by its tags', async () => {
  const caller = { botId: ours, viewer: null, cause: null }
  const input = { name: 'job-17', status: 'listening', tags: { key: '77' } } as const
  const deps = (db: Db) => ({
    db,
    database,
    deliveries: { owner: null, dispatch: () => {} },
  })
  expect(
    await fetched(database.db, (db) => getOrCreateWorkflow(deps(db), caller, input, {})),
  ).toBeLessThan(20)
})

/**
 * A database that runs prepared statements in the given transaction, where their rows are counted.
 */
const countedDatabase = (db: Db): Database => ({
  ...database,
  run: (_name, text, values) =>
    db
      .executeQuery({
        sql: text,
        parameters: values,
        query: { kind: 'RawNode' },
        queryId: { queryId: newId('event') },
      } as never)
      .then(({ rows }) => rows as never),
})

test('fetches few rows to continue a workflow after an event', async () => {
  const handled = {
    botId: ours,
    workflowId: 'wrkflow_0000000100',
    eventId: 'evt_0000000099',
    failure: null,
  }
  expect(
    await fetched(database.db, (db) =>
      advanceWorkflow(
        {
          database: countedDatabase(db),
          deliveries: { owner: null, dispatch: () => {} },
        },
        handled,
      ),
    ),
  ).toBeLessThan(30)
})

test('fetches few rows to find timed-out and handled workflows', async () => {
  const look = (db: Db) => {
    const deps = {
      db,
      database: countedDatabase(db),
      deliveries: { owner: null, dispatch: () => {} },
    }
    return timeOutWorkflows(deps).then(() => continueHandled(deps))
  }
  expect(await fetched(database.db, look)).toBeLessThan(5)
})
