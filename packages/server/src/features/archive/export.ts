// Exports a workspace: all its rows and files from one snapshot, while the server keeps running.
// Secrets are decrypted and encrypted again with the passphrase, or omitted. tenancy.ts selects the
// rows; container.ts writes the file.
import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Database } from '../../core/db/index.ts'
import type { Blobs } from '../../core/files/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'
import type { Tables } from '../../core/table-rules/index.ts'
import { blobsQuery, closeSnapshot, openSnapshot, writeBlob } from './backups/snapshot.ts'
import { ArchiveError } from './format/archive-error.ts'
import {
  type CatalogTable,
  quoted,
  storedColumns,
  toColumnList,
} from './format/catalog.ts'
import { type ArchiveWriter, countParts, writeArchive } from './format/container.ts'
import type { Need, WorkspaceHeading } from './format/headings.ts'
import { lockWith } from './format/passphrase.ts'
import { mapLines, openSession, readLines } from './format/rows.ts'
import { createResealer, type ValueSealer } from './format/sealed-values.ts'
import { createSigner } from './format/signing.ts'
import { findHoldings, type Holding, needsQuery, type Purpose } from './format/tenancy.ts'

interface ExportSource {
  database: Pick<Database, 'connect'>
  blobs: Pick<Blobs, 'read'>
  secrets: Secrets
  tableRules: Tables
  version: string
}
export interface ExportOptions {
  /** Encrypts the secrets; null omits them. */
  passphrase: string | null
  /** By default `archive`. */
  purpose?: Purpose
  /** `share` is between 0 and 1: the share of tables and blobs that are written. */
  onProgress?: (part: string, bytes: number, share: number) => void
}
export interface ExportResult {
  workspace: { id: string; name: string }
  parts: number
  bytes: number
  signer: string
}

/** Throws ArchiveError. */
export async function exportWorkspace(
  source: ExportSource,
  workspaceId: string,
  out: Writable,
  options: ExportOptions,
): Promise<ExportResult> {
  const lock =
    options.passphrase === null ? null : await lockWith(workspaceId, options.passphrase)
  const session = await openSession(source.database)
  try {
    const { tables, migrations } = await openSnapshot(session)
    const all = knownHoldings(tables, source.tableRules, options.purpose)
    const holdings = lock ? all : all.filter(({ rules }) => !rules.onlyWithSecrets)
    const literal = pg.escapeLiteral(workspaceId)
    const { rows: found } = await session.query<{ id: string; name: string }>(
      'select id, name from workspace where id = $1',
      [workspaceId],
    )
    const [workspace] = found
    if (!workspace) throw new ArchiveError(`Workspace "${workspaceId}" was not found`)
    const heading: WorkspaceHeading = {
      format: 'botstead workspace',
      madeAt: new Date().toISOString(),
      version: source.version,
      workspace,
      schema: migrations.at(-1)!.number,
      ...(lock && { locked: lock.locked }),
      tables: Object.fromEntries(
        holdings.map(({ table }) => [table.name, storedColumns(table)]),
      ),
      needs: (await session.query<Need>(needsQuery(all, literal))).rows,
    }
    const archive = await writeArchive(out, createSigner(source.secrets), heading)
    try {
      const names = await listBlobs(session, holdings, literal)
      const onPart = countParts(names.length + holdings.length, options.onProgress)
      for (const name of names)
        onPart('files', await writeBlob(archive, source.blobs, name))
      for (const holding of holdings) {
        const to = lock?.secrets ?? null
        const bytes = await writeTable(session, archive, source, {
          holding,
          literal,
          workspaceId,
          to,
        })
        onPart(holding.table.name, bytes)
      }
      await closeSnapshot(session)
      return { workspace, ...(await archive.end()) }
    } catch (error) {
      archive.abandon()
      throw error
    }
  } finally {
    await session.end()
  }
}

/** Throws ArchiveError for tables without a rule: no archive is better than an incomplete one. */
export function knownHoldings(
  tables: CatalogTable[],
  tableRules: Tables,
  purpose?: Purpose,
): Holding[] {
  const { holdings, unknown } = findHoldings(tables, tableRules, purpose)
  if (unknown.length)
    throw new ArchiveError(
      `No workspace rule covers these tables: ${unknown.join(', ')}. Nothing was written`,
    )
  return holdings
}

interface TableWriting {
  holding: Holding
  literal: string
  workspaceId: string
  to: ValueSealer | null
}

/** Returns its bytes. */
async function writeTable(
  session: pg.Client,
  archive: ArchiveWriter,
  { secrets }: ExportSource,
  { holding: { table, rules, belongs }, literal, workspaceId, to }: TableWriting,
): Promise<number> {
  const columns = storedColumns(table).map((name) => {
    const empty = to ? undefined : rules.sealed?.[name]?.empty
    return empty ? `${empty} as ${quoted(name)}` : `r.${quoted(name)}`
  })
  const order = table.key.length ? ` order by ${toColumnList(table.key, 'r.')}` : ''
  const lines = readLines(
    session,
    `select to_json(one) from (select ${columns.join(', ')} from ${quoted(table.name)} r
      where ${belongs(literal)}${order}) one`,
  )
  const change = to && createResealer(rules, { from: secrets, to, workspaceId })
  return archive.part(`tables/${table.name}`, change ? mapLines(lines, change) : lines)
}

async function listBlobs(
  session: pg.Client,
  holdings: Holding[],
  literal: string,
): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    blobsQuery(
      holdings.map(({ table, belongs }) => ({ table, which: belongs(literal) })),
    ),
  )
  return rows.map(({ name }) => name)
}
