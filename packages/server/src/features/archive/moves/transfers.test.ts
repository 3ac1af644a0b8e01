// The copy and the transfers of a move, without HTTP: after each transfer, all rows of the workspace
// at the target equal those of the source, while every table changes in between.

import { randomBytes } from 'node:crypto'
import { PassThrough, type Writable } from 'node:stream'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { makeTenant, type Tenant } from '../../../../test/support/tenants.ts'
import { tableRules } from '../../../app/tables.ts'
import { openDatabaseKeys } from '../../../core/installation/keys.ts'
import { newId } from '../../../core/lib/ids.ts'
import { openChanges } from '../changes.ts'
import { exportWorkspace } from '../export.ts'
import { readTables, storedColumns } from '../format/catalog.ts'
import { lockWith } from '../format/passphrase.ts'
import { findHoldings } from '../format/tenancy.ts'
import {
  activate,
  beginArrival,
  cancelArrival,
  findArrival,
  listMissingBlobs,
  receiveChanges,
  receiveCopy,
} from './arrivals.ts'
import { installLog, uninstallLog } from './change-log.ts'
import { readRequirements } from './driver.ts'
import { requestMove } from './move-rows.ts'

let source: Scene
let target: Scene
let tenant: Tenant
let workspaceId: string
let here: pg.Client
let there: pg.Client
const passphrase = randomBytes(32).toString('base64url')
const id = newId('move')
let pass = 0

beforeAll(async () => {
  source = await openScene()
  target = await openScene()
  await makeTenant(source, 'neighbour')
  tenant = await makeTenant(source, 'traveller')
  workspaceId = tenant.things.workspace[0]!
  here = await connected(source)
  there = await connected(target)
}, 120_000)
afterAll(async () => {
  await Promise.all([here?.end(), there?.end()])
  await Promise.all([source?.close(), target?.close()])
})

async function connected({ connection }: Scene) {
  const client = new pg.Client({ ...connection, options: '-c timezone=UTC' })
  await client.connect()
  return client
}

const toDeps = ({ app: { services } }: Scene) => ({
  database: services.database,
  blobs: services.blobs,
  secrets: services.secrets,
  tableRules,
  version: '0.0.0',
})
const targetDeps = async () => ({
  ...toDeps(target),
  ...(await openDatabaseKeys(target.app.services.database, target.masterKey)),
})
const arrival = () => ({ workspaceId, moveId: id })

/** Writes on one side, reads on the other. */
async function piped(
  write: (out: Writable) => Promise<unknown>,
  read: (input: PassThrough) => Promise<void>,
) {
  const stream = new PassThrough()
  await Promise.all([write(stream), read(stream)])
}

async function transfer() {
  const { database, secrets } = source.app.services
  void secrets
  const changes = await openChanges(toDeps(source), {
    workspace: { id: workspaceId, name: '' },
    moveId: id,
    lock: await lockWith('', passphrase),
    missing: async (blobs) => listMissingBlobs(await targetDeps(), arrival(), blobs),
  })
  const deps = await targetDeps()
  await piped(changes.write, (input) =>
    receiveChanges(deps, arrival(), input, { pass: ++pass, passphrase }),
  )
  await changes.close()
  await database.run(
    'forget-changes',
    'delete from move_change where move_id = $1 and pg_visible_in_snapshot(xid, $2::pg_snapshot)',
    [id, changes.snapshot],
  )
}

/** Sealed values, hashes of audit chains, names of contents and owners differ by design. */
const different = [
  ...Object.entries(tableRules).flatMap(([table, { sealed = {} }]) =>
    Object.keys(sealed).map((column) => `${table}.${column}`),
  ),
  'audit_record.hash',
  'audit_chain.hash',
  'file.blob',
  'lane.owner',
  'file.indexing_worker',
  'account.invited_by',
  'account.email_verified_at',
  'table_job.worker',
  'idempotency_key.owner',
]

async function readRows(client: pg.Client): Promise<Record<string, string[]>> {
  const tables = await readTables(client)
  const found: Record<string, string[]> = {}
  for (const { table, belongs } of findHoldings(tables, tableRules, 'move').holdings) {
    const columns = storedColumns(table).filter(
      (name) => !different.includes(`${table.name}.${name}`),
    )
    const { rows } = await client.query<{ line: string }>(
      `select row_to_json(one)::text as line from (select ${columns.map((name) => `r."${name}"`)}
         from "${table.name}" r where (${belongs(pg.escapeLiteral(workspaceId))})) one order by 1`,
    )
    found[table.name] = rows.map(({ line }) => line)
  }
  return found
}

async function expectEqual() {
  const [before, after] = [await readRows(here), await readRows(there)]
  for (const name of Object.keys(before)) expect(after[name], name).toEqual(before[name])
  return before
}

test('a copy and transfers make the rows equal, whatever changes', {
  timeout: 300_000,
}, async () => {
  const { database, secrets } = source.app.services
  const deps = await targetDeps()
  const move = {
    workspaceId,
    id,
    targetUrl: 'http://127.0.0.1:1',
    token: 't',
    passphrase,
  }
  await requestMove(database, secrets, move)
  // The driver of the scene must not do the work.
  await here.query("update workspace_move set state = 'moved'")
  await beginArrival(deps, arrival(), {
    version: '0',
    ...(await readRequirements({ database, tableRules }, workspaceId)),
  })
  await installLog({ database, tableRules }, { id, workspaceId })
  await piped(
    (out) =>
      exportWorkspace(toDeps(source), workspaceId, out, { passphrase, purpose: 'move' }),
    (input) => receiveCopy(deps, arrival(), input, passphrase),
  )
  expect(await findArrival(deps, arrival())).toEqual({ state: 'arriving', pass: 0 })
  const copied = await expectEqual()
  const filled = Object.entries(copied).filter(([, rows]) => rows.length > 0)
  expect(filled.length).toBeGreaterThan(40)

  await here.query(`update bot set name = name || ' again' where workspace_id = $1`, [
    workspaceId,
  ])
  for (const table of [
    'message',
    '"user"',
    'conversation',
    'event',
    'state',
    'table_row',
    'bot_log',
    'signal',
  ])
    await here.query(
      `update ${table} set bot_id = bot_id where bot_id in (select id from bot where workspace_id = $1)`,
      [workspaceId],
    )
  await transfer()
  await expectEqual()

  const [botId] = tenant.things.bot
  await here.query(
    `delete from message where ctid in (select ctid from message where bot_id = $1 limit 2)`,
    [botId],
  )
  await here.query(
    'delete from conversation where ctid in (select ctid from conversation where bot_id = $1 limit 1)',
    [botId],
  )
  await here.query(
    'delete from file where ctid in (select ctid from file where bot_id = $1 limit 1)',
    [botId],
  )
  await here.query(
    'delete from table_row where ctid in (select ctid from table_row where bot_id = $1 limit 1)',
    [botId],
  )
  await here.query(
    `insert into bot_log (bot_id, at, level, message) values ($1, now(), 'info', 'late')`,
    [botId],
  )
  await here.query('delete from installation where bot_id = $1', [botId])
  await here.query(
    `delete from token where account_id is not null and ctid in (select t.ctid from token t
    join workspace_member m on m.account_id = t.account_id where m.workspace_id = $1 limit 1)`,
    [workspaceId],
  )
  await transfer()
  await expectEqual()

  await here.query('delete from bot where id = $1', [botId])
  await transfer()
  await expectEqual()
  await transfer()
  await expectEqual()

  await expect(
    receiveChanges(deps, arrival(), new PassThrough().end(), { pass, passphrase }),
  ).rejects.toThrow()
  await expect(activate(deps, arrival(), pass - 1)).rejects.toThrow('last changes')
  expect(await activate(deps, arrival(), pass)).toEqual({ state: 'live', pass })
  expect(await activate(deps, arrival(), pass)).toEqual({ state: 'live', pass })
  await expect(cancelArrival(deps, arrival())).rejects.toThrow('lives at the target')
  await uninstallLog(database, { id, workspaceId })
  const { rows } = await here.query(
    "select proname from pg_proc where proname like 'move\\_%'",
  )
  expect(rows).toEqual([])
})

test('a cancelled arrival leaves nothing', { timeout: 120_000 }, async () => {
  const { database } = source.app.services
  const deps = await targetDeps()
  const other = tenant.things.workspace[1]!
  void other
  const neighbour = (
    await here.query<{ id: string }>(
      `select id from workspace where id <> $1 and name like '%neighbour%' and exists
       (select from bot b where b.workspace_id = workspace.id)`,
      [workspaceId],
    )
  ).rows[0]!.id
  const count = async () => {
    const tables = (await readTables(there)).map(({ name }) => name)
    const skipped = [
      'rate_window',
      'worker',
      'loose_blob',
      'data_key',
      'message_search_fill',
      'message_search_refill',
      'table_terms_refill',
    ]
    const counts: Record<string, number> = {}
    for (const name of tables.filter((one) => !skipped.includes(one)))
      counts[name] = Number(
        (await there.query(`select count(*) from "${name}"`)).rows[0].count,
      )
    return counts
  }
  const before = await count()
  const coming = { workspaceId: neighbour, moveId: newId('move') }
  await beginArrival(deps, coming, {
    version: '0',
    ...(await readRequirements({ database, tableRules }, neighbour)),
  })
  await piped(
    (out) =>
      exportWorkspace(toDeps(source), neighbour, out, { passphrase, purpose: 'move' }),
    (input) => receiveCopy(deps, coming, input, passphrase),
  )
  expect((await count()).message).toBeGreaterThan(before.message!)
  const { rows } = await there.query(
    'select bot_id from resting_bot where workspace_id = $1',
    [neighbour],
  )
  expect(rows.length).toBeGreaterThan(0)
  await cancelArrival(deps, coming)
  expect(await count()).toEqual(before)
  await expect(findArrival(deps, coming)).rejects.toThrow('does not arrive')
})
