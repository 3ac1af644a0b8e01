// The changes of a workspace since its copy, as an archive: keys of deleted rows, rows as they are
// now, and new blobs. A transfer is read from one snapshot and applied in one transaction, so after
// each of them the target equals a moment of the source. It may be repeated: it contains states, not
// steps. moves/ records the keys.
import type { Writable } from 'node:stream'
import pg from 'pg'
import { workspaceStore } from '../../core/accounts/index.ts'
import { endChain } from '../../core/audit/index.ts'
import type { Database } from '../../core/db/index.ts'
import type { Blobs } from '../../core/files/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import type { Tables } from '../../core/table-rules/index.ts'
import { moveAccounts } from './accounts.ts'
import {
  blobColumn,
  closeSnapshot,
  hasBlobs,
  openSnapshot,
  writeBlob,
} from './backups/snapshot.ts'
import { knownHoldings } from './export.ts'
import { ArchiveError } from './format/archive-error.ts'
import { type CatalogTable, quoted, readTables, storedColumns } from './format/catalog.ts'
import {
  type ArchiveReader,
  type ArchiveWriter,
  type Part,
  writeArchive,
} from './format/container.ts'
import type { ChangesHeading } from './format/headings.ts'
import type { PassphraseLock } from './format/passphrase.ts'
import { mapLines, openSession, readLines, stage } from './format/rows.ts'
import {
  createResealer,
  type ValueOpener,
  type ValueSealer,
} from './format/sealed-values.ts'
import { createSigner } from './format/signing.ts'
import type { Holding } from './format/tenancy.ts'
import { type ImportTransaction, keepBlobs, takeBlob, temporaryTables } from './import.ts'
import { createTableImporter, explainImportError } from './table-importer.ts'

interface ChangesSource {
  database: Pick<Database, 'connect'>
  blobs: Pick<Blobs, 'read'>
  secrets: Secrets
  tableRules: Tables
  version: string
}

interface ChangesRequest {
  workspace: { id: string; name: string }
  moveId: string
  lock: { secrets: ValueSealer; locked: PassphraseLock }
  /** Returns those of the blobs that the target does not have. */
  missing: (blobs: string[]) => Promise<string[]>
}

interface Changes {
  /** The snapshot that was read, as PostgreSQL writes it. */
  snapshot: string
  write(out: Writable): Promise<void>
  close(): Promise<void>
}

/** Opens the changes in one snapshot. The caller writes them and then closes them. */
export async function openChanges(
  source: ChangesSource,
  request: ChangesRequest,
): Promise<Changes> {
  const session = await openSession(source.database)
  try {
    const { tables, migrations } = await openSnapshot(session)
    const { rows } = await session.query<{ name: string }>(
      'select distinct name from move_change where move_id = $1',
      [request.moveId],
    )
    const { rows: current } = await session.query<{ snapshot: string }>(
      'select pg_current_snapshot()::text as snapshot',
    )
    const changed = withPeople(rows.map(({ name }) => name))
    const holdings = knownHoldings(tables, source.tableRules, 'move').filter(
      ({ table }) => changed.has(table.name),
    )
    const schema = migrations.at(-1)!.number
    return {
      snapshot: current[0]!.snapshot,
      write: (out) => writeChanges(session, { source, request, holdings, schema }, out),
      async close() {
        await closeSnapshot(session).catch(() => {})
        await session.end()
      },
    }
  } catch (error) {
    await session.end()
    throw error
  }
}

/** A new member may have had the account and the tokens before. */
function withPeople(names: string[]): Set<string> {
  const people = ['account', 'token', 'workspace_member', 'pending_member']
  return new Set(
    names.some((name) => people.includes(name)) ? [...names, ...people] : names,
  )
}

interface Writing {
  source: ChangesSource
  request: ChangesRequest
  holdings: Holding[]
  schema: number
}

async function writeChanges(
  session: pg.Client,
  { source, request, holdings, schema }: Writing,
  out: Writable,
): Promise<void> {
  const { workspace, lock } = request
  const heading: ChangesHeading = {
    format: 'botstead changes',
    madeAt: new Date().toISOString(),
    version: source.version,
    schema,
    workspace,
    locked: lock.locked,
    tables: Object.fromEntries(
      holdings.map(({ table }) => [table.name, storedColumns(table)]),
    ),
  }
  const archive = await writeArchive(out, createSigner(source.secrets), heading)
  try {
    await writeNewBlobs(session, archive, { source, request, holdings })
    for (const { table, belongs } of holdings.toReversed())
      if (table.name !== 'account')
        await archive.part(
          `gone/${table.name}`,
          readLines(session, goneKeys(table, belongs, request)),
        )
    for (const { table, rules, belongs } of holdings) {
      const lines = readLines(session, changedRows(table, belongs, request))
      const change = createResealer(rules, {
        from: source.secrets,
        to: lock.secrets,
        workspaceId: workspace.id,
      })
      await archive.part(`tables/${table.name}`, change ? mapLines(lines, change) : lines)
    }
    await archive.end()
  } catch (error) {
    archive.abandon()
    throw error
  }
}

const toLiteral = ({ workspace }: ChangesRequest) => pg.escapeLiteral(workspace.id)

/** Returns a query for the distinct changed keys of a table, as rows `k` of it. */
const changedKeys = ({ name }: CatalogTable, { moveId }: ChangesRequest) =>
  `(select distinct key from move_change where move_id = ${pg.escapeLiteral(moveId)}
      and name = ${pg.escapeLiteral(name)}) c
    cross join lateral jsonb_populate_record(null::${quoted(name)}, c.key) k`

const hasKey = ({ key }: CatalogTable, row: string, other: string) =>
  key.map((name) => `${row}.${quoted(name)} = ${other}.${quoted(name)}`).join(' and ')

/** Of a table without a key, and of accounts and tokens, all rows are written. */
const isWrittenWhole = ({ name, key }: CatalogTable) =>
  key.length === 0 || name === 'account' || name === 'token'

function changedRows(
  table: CatalogTable,
  belongs: Holding['belongs'],
  request: ChangesRequest,
): string {
  const columns = storedColumns(table).map((name) => `r.${quoted(name)}`)
  const from = isWrittenWhole(table)
    ? `${quoted(table.name)} r where`
    : `${changedKeys(table, request)} join ${quoted(table.name)} r on ${hasKey(table, 'r', 'k')} where`
  const order = table.key.length
    ? ` order by ${table.key.map((name) => `r.${quoted(name)}`).join(', ')}`
    : ''
  return `select to_json(one) from (select ${columns.join(', ')} from ${from}
    (${belongs(toLiteral(request))})${order}) one`
}

/** Of a table without a key, the target deletes all rows. */
const goneKeys = (
  table: CatalogTable,
  belongs: Holding['belongs'],
  request: ChangesRequest,
) =>
  table.key.length
    ? `select c.key from ${changedKeys(table, request)} where not exists (select from
        ${quoted(table.name)} r where ${hasKey(table, 'r', 'k')} and (${belongs(toLiteral(request))}))`
    : `select '{}'`

async function writeNewBlobs(
  session: pg.Client,
  archive: ArchiveWriter,
  { source, request, holdings }: Omit<Writing, 'schema'>,
) {
  const queries = holdings
    .filter(({ table }) => hasBlobs(table))
    .map(
      ({ table, belongs }) =>
        `select r.${blobColumn} as name from ${changedKeys(table, request)} join ${quoted(table.name)} r
          on ${hasKey(table, 'r', 'k')}
          where r.${blobColumn} is not null and (${belongs(toLiteral(request))})`,
    )
  if (!queries.length) return
  const { rows } = await session.query<{ name: string }>(queries.join(' union '))
  if (!rows.length) return
  for (const name of await request.missing(rows.map(({ name }) => name)))
    await writeBlob(archive, source.blobs, name)
}

interface Taking {
  heading: ChangesHeading
  from: ValueOpener
}

/** Applies changes in the transaction of the session. Throws ArchiveError. */
export async function takeChanges(
  archive: Pick<ArchiveReader, 'parts'>,
  target: ImportTransaction,
  { heading, from }: Taking,
): Promise<void> {
  const { session, auditKey, tableRules } = target
  const workspaceId = heading.workspace.id
  const holdings = knownHoldings(await readTables(session), tableRules, 'move')
  await session.query(temporaryTables)
  await session.query(
    `create temp table gone (name text not null, line json not null) on commit drop`,
  )
  await session.query(
    'insert into blob_here select there, here from arrival_blob where workspace_id = $1',
    [workspaceId],
  )
  const take = createTableImporter({
    session,
    auditKey,
    holdings,
    columns: heading.tables,
    purpose: 'move',
    sealing: { from, to: target.secrets, workspaceId },
  })
  const postponed: Holding[] = []
  for await (const part of archive.parts()) {
    const [kind, name = ''] = part.path.split(/\/(.*)/s)
    if (kind === 'blobs') await takeBlob(target, part)
    else if (kind === 'gone')
      await takeGone(session, part, find(holdings, name), { workspaceId, postponed })
    else if (kind === 'tables' && name === 'account')
      await moveAccounts(session, part.content, workspaceId)
    else if (kind === 'tables')
      await take(name, part.content).catch((error) => {
        throw explainImportError(error, name)
      })
    else throw new ArchiveError(`The archive has an unexpected part, ${part.path}`)
  }
  for (const holding of postponed) await deleteGone(session, holding, workspaceId)
  await endChain(session, workspaceId)
  await keepBlobs(target, holdings, workspaceId)
}

function find(holdings: Holding[], name: string): Holding {
  const holding = holdings.find(({ table }) => table.name === name)
  if (!holding)
    throw new ArchiveError(`The archive has an unknown workspace table, "${name}"`)
  return holding
}

/** Rows that other rows still refer to are deleted after those have changed. */
async function takeGone(
  session: pg.Client,
  { content }: Part,
  holding: Holding,
  { workspaceId, postponed }: { workspaceId: string; postponed: Holding[] },
) {
  const count = await stage(session, content)
  await session.query('insert into gone select $1, line from staged', [
    holding.table.name,
  ])
  await session.query('truncate staged')
  if (count === 0) return
  await session.query('savepoint gone')
  try {
    await deleteGone(session, holding, workspaceId)
  } catch (error) {
    if ((error as { code?: string }).code !== '23503') throw error
    await session.query('rollback to savepoint gone')
    postponed.push(holding)
  }
  await session.query('release savepoint gone')
}

/** Tokens are deleted also if their owners have left the workspace. */
async function deleteGone(
  session: pg.Client,
  { table, belongs }: Holding,
  workspaceId: string,
) {
  const isOurs = table.name === 'token' ? 'true' : belongs(pg.escapeLiteral(workspaceId))
  const keys = `(select k.* from gone g cross join lateral
    json_populate_record(null::${quoted(table.name)}, g.line) k where g.name = $1)`
  if (!table.key.length)
    return session.query(`delete from ${quoted(table.name)} r where (${isOurs})`)
  return session.query(
    `delete from ${quoted(table.name)} r using ${keys} k where ${hasKey(table, 'r', 'k')} and (${isOurs})`,
    [table.name],
  )
}

/** Deletes a workspace and all its rows, but no accounts. */
export async function deleteWorkspaceRows(
  session: pg.Client,
  tableRules: Tables,
  workspaceId: string,
): Promise<void> {
  const literal = pg.escapeLiteral(workspaceId)
  await session.query(`select set_config('botstead.erased_chain', $1, true)`, [
    workspaceId,
  ])
  const kept = ['account', 'workspace']
  const holdings = knownHoldings(await readTables(session), tableRules)
  for (const { table, belongs } of holdings.toReversed())
    if (!kept.includes(table.name))
      await session.query(
        `delete from ${quoted(table.name)} r where (${belongs(literal)})`,
      )
  await workspaceStore.deleteRow(session, workspaceId)
}
