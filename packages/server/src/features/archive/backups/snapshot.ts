// Reads a consistent snapshot of the database, and the blobs that it names.

import { ownCommand } from '@botstead/lib'
import type pg from 'pg'
import { schemaMigrations } from '../../../core/db/index.ts'
import {
  BlobNotFound,
  type Blobs,
  lockBlobs,
  unlockBlobs,
} from '../../../core/files/index.ts'
import { ArchiveError } from '../format/archive-error.ts'
import { type CatalogTable, quoted, readTables } from '../format/catalog.ts'
import type { ArchiveWriter, Part } from '../format/container.ts'

export interface Snapshot {
  tables: CatalogTable[]
  migrations: { number: number; name: string; checksum: string }[]
}

/**
 * Begins the snapshot, which lasts until the session's transaction ends. Throws ArchiveError for a
 * schema that is not up to date.
 */
export async function openSnapshot(session: pg.ClientBase): Promise<Snapshot> {
  // Take the lock before the snapshot: it may contain blobs that are released from now on.
  await session.query(lockBlobs)
  await session.query('begin isolation level repeatable read read only')
  const tables = await readTables(session)
  if (!tables.some(({ name }) => name === 'migration'))
    throw new ArchiveError('The database is empty: there is nothing to archive')
  const { rows: migrations } = await session.query(
    'select number, name, checksum from migration order by number',
  )
  const missing = (await schemaMigrations.read()).filter(
    ({ number }) => !migrations.some((one) => one.number === number),
  )
  if (missing.length)
    throw new ArchiveError(
      `The database schema is out of date: start the server once, or run "${ownCommand} migrate"`,
    )
  return { tables, migrations }
}

export async function closeSnapshot(session: pg.ClientBase): Promise<void> {
  await session.query('rollback')
  await session.query(unlockBlobs)
}

/** By convention, a column with this name contains the row's blob name, or null. */
export const blobColumn = 'blob'
export const hasBlobs = ({ columns }: CatalogTable) =>
  columns.some(({ name }) => name === blobColumn)

/** Returns a query for the blob names of rows; `which` is a condition on the row `r`. */
export const blobsQuery = (tables: { table: CatalogTable; which: string }[]) =>
  tables
    .filter(({ table }) => hasBlobs(table))
    .map(
      ({ table, which }) =>
        `select r.${blobColumn} as name from ${quoted(table.name)} r where r.${blobColumn} is not null
          and ${which}`,
    )
    .join(' union ')

/**
 * Writes a blob as one part. The part's path contains the size, so the blob is read twice, first to
 * measure it.
 */
export async function writeBlob(
  archive: ArchiveWriter,
  blobs: Pick<Blobs, 'read'>,
  name: string,
): Promise<number> {
  let size = 0
  const first = await blobs.read(name).catch((error) => {
    throw error instanceof BlobNotFound
      ? new ArchiveError(
          `The content ${name} of a file is missing from the blob store: restore it, or delete the file`,
        )
      : error
  })
  for await (const chunk of first) size += (chunk as Buffer).length
  return archive.part(`blobs/${size}/${name}`, await blobs.read(name))
}

/** Throws ArchiveError for a part that is not a blob and, during reading, for a wrong size. */
export function toBlob({ path, content }: Part): {
  size: number
  name: string
  content: AsyncIterable<Buffer>
} {
  const [, size, name] = /^blobs\/(0|[1-9]\d{0,14})\/(\w[\w-]{0,79})$/.exec(path) ?? []
  if (size === undefined || name === undefined)
    throw new ArchiveError(`The archive has an unexpected part, ${path}`)
  return { size: Number(size), name, content: exactly(Number(size), path, content) }
}

async function* exactly(
  size: number,
  path: string,
  content: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of content) {
    length += chunk.length
    yield chunk
  }
  if (length !== size)
    throw new ArchiveError(`The size of ${path} in the archive does not match`)
}
