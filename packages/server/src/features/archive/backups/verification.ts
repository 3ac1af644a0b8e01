// Verifies a backup: restores it into a temporary database, which is dropped afterwards. Contents
// of files are read and compared with their sums, but not stored.
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import pg from 'pg'
import { pino } from 'pino'
import {
  type ConnectionSettings,
  type Database,
  openDatabase,
} from '../../../core/db/index.ts'
import { ArchiveError } from '../format/archive-error.ts'
import { restore } from './restore.ts'

interface Deps {
  database: Pick<Database, 'connect'>
  /** Without a pooler. */
  connection: ConnectionSettings
  masterKey: Buffer
  /** Whether a database of this size fits on the disk of the database. */
  hasSpaceFor?: (bytes: number) => Promise<boolean>
}

/** Throws ArchiveError. The role of the database needs the right to create databases. */
export async function verifyBackupFile(
  { database, connection, masterKey, hasSpaceFor = async () => true }: Deps,
  file: string,
): Promise<void> {
  const name = `botstead_verification_${randomBytes(6).toString('hex')}`
  const admin = await database.connect()
  try {
    if (!(await hasSpaceFor(await findSize(admin))))
      throw new ArchiveError(
        'the disk has no space for a second database: free disk space',
      )
    await admin
      .query(`create database ${pg.escapeIdentifier(name)} template template0`)
      .catch(explain)
    await restoreInto(inDatabase(connection, name), file, masterKey).finally(() =>
      admin.query(`drop database ${pg.escapeIdentifier(name)} with (force)`),
    )
  } finally {
    await admin.end()
  }
}

async function findSize(session: Pick<pg.Client, 'query'>): Promise<number> {
  const { rows } = await session.query(
    'select pg_database_size(current_database())::float8 as bytes',
  )
  return rows[0].bytes
}

function explain(error: pg.DatabaseError): never {
  throw error.code === '42501'
    ? new ArchiveError(
        'the database\'s role may not create a temporary database: run "alter role … createdb", ' +
          'or set BOTSTEAD_BACKUP_VERIFY=0',
      )
    : error
}

async function restoreInto(
  settings: ConnectionSettings,
  file: string,
  masterKey: Buffer,
) {
  const database = openDatabase(settings, { log: pino({ level: 'silent' }) })
  const blobs = { write: readOnly, remove: async () => {} }
  const options = {
    masterKey,
    keepFile: async () => {},
    maxBytes: Number.POSITIVE_INFINITY,
  }
  await restore({ settings, database, blobs }, file, options).finally(() =>
    database.close(),
  )
}

async function readOnly(_name: string, content: Readable) {
  for await (const _ of content);
  return { sha256: '' }
}

/** Returns the settings for another database of the same server. */
function inDatabase(
  connection: ConnectionSettings,
  database: string,
): ConnectionSettings {
  const { connectionString, ...rest } = connection
  if (!connectionString) return { ...rest, database }
  const url = new URL(connectionString)
  url.pathname = `/${database}`
  return { ...rest, connectionString: url.href }
}
