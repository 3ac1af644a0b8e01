// Backs up the entire installation: every table and every blob from one snapshot, while servers
// keep running. Encrypted values stay encrypted: they cannot be read without the master key.
import type { Writable } from 'node:stream'
import type pg from 'pg'
import type { Database } from '../../../core/db/index.ts'
import type { Blobs } from '../../../core/files/index.ts'
import type { Secrets } from '../../../core/sealing/index.ts'
import { type SealedRoot, sealedRoots } from '../../../core/sealing/index.ts'
import {
  type CatalogTable,
  quoted,
  storedColumns,
  toColumnList,
} from '../format/catalog.ts'
import { type ArchiveHeading, countParts, writeArchive } from '../format/container.ts'
import { openSession, readTableRows } from '../format/rows.ts'
import { createSigner } from '../format/signing.ts'
import {
  blobsQuery,
  closeSnapshot,
  openSnapshot,
  type Snapshot,
  writeBlob,
} from './snapshot.ts'

export interface InstallationHeading extends ArchiveHeading {
  format: 'botstead installation'
  migrations: Snapshot['migrations']
  /** Table name → columns of its rows. */
  tables: Record<string, string[]>
  /** Detect whether a master key decrypts the backup. */
  roots: SealedRoot[]
  /** Names of the included files of the data folder. */
  files: string[]
}

interface BackupSource {
  database: Database
  blobs: Pick<Blobs, 'read'>
  secrets: Pick<Secrets, 'derive'>
  version: string
}
export interface BackupOptions {
  /** Files of the data folder to include, with their content: the keys, or none. */
  files: Record<string, Buffer>
  /** `share` is between 0 and 1: the share of tables and blobs that are written. */
  onProgress?: (part: string, bytes: number, share: number) => void
}
export interface BackupResult {
  parts: number
  bytes: number
  signer: string
}

/** `archive_job` describes files of this installation, and the backup itself as running. */
const omittedTables = ['migration', 'archive_job']

/** Throws ArchiveError. */
export async function backUp(
  { database, blobs, secrets, version }: BackupSource,
  out: Writable,
  { files, onProgress }: BackupOptions,
): Promise<BackupResult> {
  const session = await openSession(database)
  try {
    const { tables, migrations } = await openSnapshot(session)
    const kept = tables.filter(({ name }) => !omittedTables.includes(name))
    const names = await listBlobs(session, kept)
    const onPart = countParts(kept.length + names.length, onProgress)
    const heading: InstallationHeading = {
      format: 'botstead installation',
      madeAt: new Date().toISOString(),
      version,
      migrations,
      roots: await sealedRoots.list(database),
      tables: Object.fromEntries(kept.map((table) => [table.name, storedColumns(table)])),
      files: Object.keys(files),
    }
    const archive = await writeArchive(out, createSigner(secrets), heading)
    try {
      for (const [name, content] of Object.entries(files))
        await archive.part(`files/${name}`, only(content))
      for (const table of kept) {
        const bytes = await archive.part(
          `tables/${table.name}`,
          readTableRows(session, quoted(table.name), toColumnList(storedColumns(table))),
        )
        onPart(table.name, bytes)
      }
      for (const name of names) {
        const bytes = await writeBlob(archive, blobs, name)
        onPart('files', bytes)
      }
      await closeSnapshot(session)
      return await archive.end()
    } catch (error) {
      archive.abandon()
      throw error
    }
  } finally {
    await session.end()
  }
}

async function* only(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}

async function listBlobs(
  session: pg.ClientBase,
  tables: CatalogTable[],
): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    blobsQuery(tables.map((table) => ({ table, which: 'true' }))),
  )
  return rows.map(({ name }) => name)
}
