// Restores a backup into an empty database: its original schema, every row and every blob, in one
// transaction that commits only after the last byte of the archive is verified; then newer
// migrations run. A wrong master key is detected first.
import { Readable } from 'node:stream'
import type pg from 'pg'
import { pino } from 'pino'
import {
  type ConnectionSettings,
  type Database,
  schemaMigrations,
} from '../../../core/db/index.ts'
import type { Blobs } from '../../../core/files/index.ts'
import { sealedRoots } from '../../../core/sealing/index.ts'
import { ArchiveError } from '../format/archive-error.ts'
import {
  type CatalogTable,
  quoted,
  readTables,
  storedColumns,
  toColumnList,
} from '../format/catalog.ts'
import { type ArchiveReader, type Part, readArchive } from '../format/container.ts'
import { checkInstallationHeading } from '../format/headings.ts'
import { openSession, writeTableRows } from '../format/rows.ts'
import type { InstallationHeading } from './backup.ts'
import { toBlob } from './snapshot.ts'

interface RestoreTarget {
  settings: ConnectionSettings
  database: Pick<Database, 'connect'>
  blobs: Pick<Blobs, 'write' | 'remove'>
}
export interface RestoreOptions {
  /** The local key; null uses the key in the backup. */
  masterKey: Buffer | null
  /** Writes a file of the data folder, unless it exists. */
  keepFile: (name: string, content: Buffer) => Promise<void>
  maxBytes: number
  onProgress?: (part: string, bytes: number) => void
}
export interface RestoreResult {
  heading: InstallationHeading
  signer: string
}

/** The allowed names of data folder files in a backup. */
const keyFiles = ['keys/master.key', 'keys/chat.key', 'credentials.json']
const noLog = pino({ level: 'silent' })

/** Throws ArchiveError; then only an empty schema remains. */
export async function restore(
  target: RestoreTarget,
  file: string,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const archive = await readArchive(file, 'botstead installation', options.maxBytes)
  const session = await openSession(target.database)
  const blobs: string[] = []
  try {
    const heading = checkInstallationHeading(archive.heading)
    checkMasterKey(heading, options.masterKey)
    await checkSchema(session, heading)
    await schemaMigrations.apply(target.settings, noLog, {
      upTo: heading.migrations.at(-1)!.number,
    })
    await session.query('begin')
    await takeParts(archive, { session, heading, blobs, target, options })
    await session.query('commit')
    await schemaMigrations.apply(target.settings, noLog)
    await session.query('analyze')
    return { heading, signer: archive.signer }
  } catch (error) {
    const { rowCount } = await session
      .query('rollback; select from workspace limit 1')
      .then(getLast, () => ({ rowCount: 1 }))
    if (!rowCount) for (const name of blobs) await target.blobs.remove(name)
    throw error
  } finally {
    archive.close()
    await session.end()
  }
}

const getLast = (results: unknown) => (results as pg.QueryResult[]).at(-1)!

function checkMasterKey({ roots, files }: InstallationHeading, masterKey: Buffer | null) {
  if (masterKey) {
    if (!sealedRoots.isOpenedByAny(roots, masterKey))
      throw new ArchiveError(
        'The local master key does not decrypt this backup: replace it with keys/master.key of the ' +
          'original installation, or set BOTSTEAD_MASTER_KEY to that key',
      )
  } else if (!files.includes('keys/master.key'))
    throw new ArchiveError(
      'This backup does not contain its master key, so its secrets cannot be read: copy ' +
        'keys/master.key (and keys/chat.key) of the original installation into the data folder, or set ' +
        'BOTSTEAD_MASTER_KEY',
    )
}

async function checkSchema(
  session: pg.Client,
  { migrations, version }: InstallationHeading,
) {
  const ours = await schemaMigrations.read()
  const newest = migrations.at(-1)!.number
  const same = (one: { number: number; checksum: string }) =>
    migrations.some(
      ({ number, checksum }) => number === one.number && checksum === one.checksum,
    )
  if (newest > ours.at(-1)!.number)
    throw new ArchiveError(
      `The backup was made by Botstead ${version}, a newer version: use that version to restore it`,
    )
  const until = ours.filter(({ number }) => number <= newest)
  if (until.length !== migrations.length || !until.every(same))
    throw new ArchiveError(
      `This version does not know the schema of the backup, made by Botstead ${version}: use that version`,
    )
  const tables = await readTables(session)
  for (const { name } of tables.filter(({ name }) => name !== 'migration')) {
    const { rowCount } = await session.query(`select from ${quoted(name)} limit 1`)
    if (rowCount)
      throw new ArchiveError(
        `The database is not empty ("${name}" has rows): restore into an empty database`,
      )
  }
  const { rows: applied } = tables.length
    ? await session.query<{ number: number; checksum: string }>(
        'select number, checksum from migration',
      )
    : { rows: [] }
  if (applied.length && (applied.length !== migrations.length || !applied.every(same)))
    throw new ArchiveError(
      'The database has no rows, but its schema differs from the backup: create a new database ' +
        'without tables',
    )
}

interface Taking {
  session: pg.Client
  heading: InstallationHeading
  /** Names of the written blobs. */
  blobs: string[]
  target: RestoreTarget
  options: RestoreOptions
}

async function takeParts(archive: ArchiveReader, taking: Taking) {
  const { session, heading, options } = taking
  const tables = new Map((await readTables(session)).map((table) => [table.name, table]))
  const remaining = new Set(Object.keys(heading.tables))
  const files = new Map<string, Buffer>()
  for await (const part of archive.parts()) {
    const [kind, name = ''] = part.path.split(/\/(.*)/s)
    if (kind === 'blobs') await takeBlob(taking, part)
    else if (kind === 'files' && keyFiles.includes(name))
      files.set(name, await readSmall(part))
    else if (kind === 'tables' && remaining.delete(name) && tables.has(name))
      await takeTable(session, tables.get(name)!, heading.tables[name]!, part)
    else throw new ArchiveError(`The backup has an unexpected part, ${part.path}`)
    options.onProgress?.(name, 0)
  }
  if (remaining.size)
    throw new ArchiveError(`The backup lacks ${[...remaining].join(', ')}`)
  const master = files.get('keys/master.key')
  if (
    master &&
    !options.masterKey &&
    !sealedRoots.isOpenedByAny(
      heading.roots,
      Buffer.from(master.toString().trim(), 'hex'),
    )
  )
    throw new ArchiveError(
      'The master key in this backup does not decrypt it: use keys/master.key of the original installation',
    )
  for (const [name, content] of files) await options.keepFile(name, content)
}

/**
 * Inserts rows with triggers disabled, to keep their values; counters continue from the restored
 * values.
 */
export async function takeTable(
  session: pg.Client,
  table: CatalogTable,
  columns: string[],
  { content }: Pick<Part, 'content'>,
) {
  const name = quoted(table.name)
  const known = storedColumns(table)
  const strange = columns.find((column) => !known.includes(column))
  if (strange !== undefined)
    throw new ArchiveError(
      `The backup has the column ${table.name}.${strange}, which its schema lacks`,
    )
  await session.query(`alter table ${name} disable trigger user`)
  await writeTableRows(session, name, toColumnList(columns), content).catch(
    (error: pg.DatabaseError) => {
      throw /^(22|23)/.test(error.code ?? '')
        ? new ArchiveError(
            `Rows of ${table.name} in the backup are invalid: ${error.detail ?? error.message}`,
          )
        : error
    },
  )
  await session.query(`alter table ${name} enable trigger user`)
  for (const { name: column } of table.columns.filter(({ counted }) => counted))
    await session.query(
      `select setval(pg_get_serial_sequence($1, $2), max(${quoted(column)})) from ${name}`,
      [name, column],
    )
}

async function takeBlob({ target, blobs }: Taking, part: Part) {
  const { size, name, content } = toBlob(part)
  blobs.push(name)
  await target.blobs.write(name, Readable.from(content), size)
}

const maxFileBytes = 64 * 1024

async function readSmall({ path, content }: Part): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    length += chunk.length
    if (length > maxFileBytes)
      throw new ArchiveError(`${path} in the backup is too large`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
