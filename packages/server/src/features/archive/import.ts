// Imports a workspace, with its ids, in one transaction that commits only after the last byte of
// the archive is verified. The archive is untrusted: only rows that belong to this workspace and
// refer to no other workspace are inserted; the database checks types. Blobs get new names and stay
// in `loose_blob` until the commit, so the sweep removes the blobs of an interrupted import.
import { Readable } from 'node:stream'
import pg from 'pg'
import { arrivingAccounts, firstWorkspaceId } from '../../core/accounts/index.ts'
import { endChain } from '../../core/audit/index.ts'
import { type Database, schemaMigrations } from '../../core/db/index.ts'
import { ArrivingBlobs, type Blobs } from '../../core/files/index.ts'
import type { Tables } from '../../core/table-rules/index.ts'
import { importAccounts, moveAccounts } from './accounts.ts'
import { blobsQuery, toBlob } from './backups/snapshot.ts'
import { knownHoldings } from './export.ts'
import { ArchiveError } from './format/archive-error.ts'
import { readTables } from './format/catalog.ts'
import { type ArchiveReader, type Part, readArchive } from './format/container.ts'
import {
  checkWorkspaceHeading,
  type Need,
  type WorkspaceHeading,
} from './format/headings.ts'
import { unlockWith } from './format/passphrase.ts'
import { openSession } from './format/rows.ts'
import type { ValueOpener, ValueSealer } from './format/sealed-values.ts'
import type { Holding, Purpose } from './format/tenancy.ts'
import { createTableImporter, explainImportError } from './table-importer.ts'

interface ImportTarget {
  database: Pick<Database, 'connect'>
  blobs: Pick<Blobs, 'write'>
  secrets: ValueSealer
  tableRules: Tables
  /** Local key of the audit chain. */
  auditKey: Buffer
}
export interface ImportOptions {
  /** Null for an archive without secrets. */
  passphrase: string | null
  /** Required fingerprint of the signer; null accepts any. */
  signedBy: string | null
  maxBytes: number
  /** Whether the first owner gets a token if no member has one; by default, yes. */
  createsToken?: boolean
  onProgress?: (part: string, rows: number) => void
}
export interface ImportResult {
  heading: WorkspaceHeading
  signer: string
  rows: number
  /** The token that `createsToken` allows. */
  firstToken: { email: string; value: string } | null
}

/** Throws ArchiveError, and then imports nothing. */
export async function importWorkspace(
  target: ImportTarget,
  file: string | Readable,
  options: ImportOptions,
): Promise<ImportResult> {
  const archive = await readArchive(file, 'botstead workspace', options.maxBytes)
  const session = await openSession(target.database)
  const outside = await openSession(target.database)
  const arriving = new ArrivingBlobs(outside)
  try {
    const { heading, from } = await prepare(archive, session, options)
    await session.query('begin')
    const taken = await takeParts(
      archive,
      { ...target, session, arriving },
      { heading, from, ...(options.onProgress && { onProgress: options.onProgress }) },
    )
    const firstToken =
      options.createsToken === false
        ? null
        : await arrivingAccounts.createOwnerToken(session, heading.workspace.id)
    await session.query('commit')
    await invalidateCaches(session, heading.workspace.id)
    return { heading, signer: archive.signer, rows: taken, firstToken }
  } catch (error) {
    await session.query('rollback').catch(() => {}) // a broken connection rolls back by itself
    await arriving.release().catch(() => {})
    throw error
  } finally {
    archive.close()
    await Promise.all([session.end(), outside.end()])
  }
}

/** Makes all checks that need only the heading. */
async function prepare(
  archive: ArchiveReader,
  session: pg.Client,
  { passphrase, signedBy }: ImportOptions,
): Promise<{ heading: WorkspaceHeading; from: ValueOpener | null }> {
  const heading = checkWorkspaceHeading(archive.heading)
  if (signedBy !== null && signedBy !== archive.signer)
    throw new ArchiveError(
      `The archive is signed by ${archive.signer}, not by ${signedBy}`,
    )
  const newest = (await schemaMigrations.read()).at(-1)!.number
  if (heading.schema > newest)
    throw new ArchiveError(
      `The archive was made by Botstead ${heading.version}, a newer version: use that version to import it`,
    )
  if (heading.locked && passphrase === null)
    throw new ArchiveError(
      'The secrets of this archive are encrypted: specify the passphrase with which it was exported',
    )
  const from =
    heading.locked && passphrase !== null
      ? await unlockWith(heading.workspace.id, passphrase, heading.locked)
      : null
  const { rows } = await session.query('select from workspace where id = $1', [
    heading.workspace.id,
  ])
  if (rows.length) throw new ArchiveError(explainExisting(heading.workspace.id))
  await checkPackages(session, heading.needs)
  return { heading, from }
}

const explainExisting = (id: string) =>
  `The workspace ${id} already exists: ` +
  (id === firstWorkspaceId
    ? 'each installation has a first workspace with this id. Import the archive with the command ' +
      '`import` before the first start of a new installation, or delete the workspace first'
    : 'delete it first, or import into another installation')

export async function checkPackages(session: pg.Client, needs: Need[]) {
  const missing: string[] = []
  for (const kind of ['integration', 'interface', 'plugin'] as const) {
    const wanted = needs.filter((need) => need.kind === kind)
    const { rows } = await session.query<{ id: string }>(
      `select id from ${kind} where id = any($1) and visibility <> 'private'`,
      [wanted.map(({ id }) => id)],
    )
    for (const { id, name, version } of wanted)
      if (!rows.some((row) => row.id === id))
        missing.push(`the ${kind} ${name} ${version} (${id})`)
  }
  if (missing.length)
    throw new ArchiveError(
      `The workspace uses packages of other workspaces that are missing here: ${missing.join(', ')}. ` +
        'Import those workspaces first',
    )
}

export interface ImportTransaction extends ImportTarget {
  /** The session of the transaction. */
  session: pg.Client
  arriving: ArrivingBlobs
}
interface ImportState {
  heading: Pick<WorkspaceHeading, 'workspace' | 'tables'>
  from: ValueOpener | null
  purpose?: Purpose
  onProgress?: ImportOptions['onProgress']
}

/** Temporary tables: staged rows, and the mapping from ids in the archive to local ids. */
export const temporaryTables = `create temp table staged (line json) on commit drop;
  create temp table blob_here (there text primary key, here text not null) on commit drop;
  create temp table account_here (there text primary key, here text not null,
    is_new boolean not null) on commit drop`

/** Returns the number of rows. */
export async function takeParts(
  archive: Pick<ArchiveReader, 'parts'>,
  target: ImportTransaction,
  { heading, from, purpose = 'archive', onProgress }: ImportState,
): Promise<number> {
  const { session, secrets, auditKey, tableRules } = target
  const holdings = knownHoldings(await readTables(session), tableRules, purpose)
  await session.query(temporaryTables)
  const takeAccounts = purpose === 'move' ? moveAccounts : importAccounts
  const take = createTableImporter({
    session,
    auditKey,
    sealing: { from, to: secrets, workspaceId: heading.workspace.id },
    holdings,
    columns: heading.tables,
    purpose,
  })
  const remaining = new Set(Object.keys(heading.tables))
  let rows = 0
  for await (const part of archive.parts()) {
    const [kind, name = ''] = part.path.split(/\/(.*)/s)
    if (kind === 'blobs') await takeBlob(target, part)
    else if (kind !== 'tables' || !remaining.delete(name))
      throw new ArchiveError(`The archive has an unexpected part, ${part.path}`)
    else {
      const taken =
        name === 'account'
          ? takeAccounts(session, part.content, heading.workspace.id)
          : take(name, part.content)
      const count = await taken.catch((error) => {
        throw explainImportError(error, name)
      })
      rows += count
      onProgress?.(name, count)
    }
  }
  if (remaining.size)
    throw new ArchiveError(`The archive lacks the tables ${[...remaining].join(', ')}`)
  if (purpose !== 'move')
    await arrivingAccounts.suspendClaimed(session, heading.workspace.id)
  await endChain(session, heading.workspace.id)
  await keepBlobs(target, holdings, heading.workspace.id)
  return rows
}

export async function takeBlob(
  { session, arriving, blobs }: ImportTransaction,
  part: Part,
) {
  const { size, name: there, content } = toBlob(part)
  const here = await arriving.add()
  await blobs.write(here, Readable.from(content), size)
  await session
    .query('insert into blob_here (there, here) values ($1, $2)', [there, here])
    .catch(() => {
      throw new ArchiveError(`The archive has the blob ${there} twice`)
    })
}

/** Blobs that no row uses stay loose. */
export async function keepBlobs(
  { session, arriving }: ImportTransaction,
  holdings: Holding[],
  workspaceId: string,
) {
  const literal = pg.escapeLiteral(workspaceId)
  const held = blobsQuery(
    holdings.map(({ table, belongs }) => ({ table, which: belongs(literal) })),
  )
  await arriving.keep(session, held)
}

/**
 * Invalidates the caches of all servers: they may contain that the workspace does not exist. The
 * message has the format of `core/realtime/bus.ts`.
 */
export async function invalidateCaches(session: pg.Client, workspaceId: string) {
  const { rows } = await session.query<{ id: string }>(
    'select id from bot where workspace_id = $1',
    [workspaceId],
  )
  for (const what of [{ workspaceId }, ...rows.map(({ id }) => ({ botId: id }))])
    await session.query("select pg_notify('botstead', $1)", [
      `import\n${JSON.stringify({ kind: 'forget', ...what })}`,
    ])
}
