// Migrates a database to the current schema: numbered, forward-only files, each in one transaction
// with its row in `migration`, under a session lock. So no migration runs twice or partially, and
// after a crash the next process can continue. A file with the marker runs in steps instead:
// migration-steps.ts.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { DatabaseClient } from '../connection/client.ts'
import { isDeadlock } from '../connection/conflicts.ts'
import { DatabaseError, explainConnectionError } from '../connection/database-error.ts'
import type { ConnectionSettings, Database } from '../database.ts'
import { parseSteps, runSteps } from './migration-steps.ts'

interface Migration {
  number: number
  name: string
  checksum: string
  sql: string
}
type Applied = Pick<Migration, 'number' | 'name' | 'checksum'>

/** Works from src/ and dist/, although only src/ contains the SQL. */
const ownMigrations = new URL('../../../../src/core/db/migrations/', import.meta.url)
/** An arbitrary constant that is used for nothing else. */
const lockKey = 7_236_110_842_915
const lockPauseMs = 200

/**
 * Applies pending migrations up to `upTo`. Throws DatabaseError when PostgreSQL is too old, the
 * database is too new, or an applied file has changed.
 */
export async function migrate(
  database: Database | ConnectionSettings,
  log: Logger,
  { folder = ownMigrations, upTo = Number.POSITIVE_INFINITY } = {},
): Promise<void> {
  const migrations = await readMigrations(folder)
  const client = await connect(database)
  try {
    await checkServer(client)
    await lock(client, log)
    await client.query(
      `create table if not exists migration (number integer primary key, name text not null,
        checksum text not null, applied_at timestamptz(3) not null default now())`,
    )
    const { rows } = await client.query<Applied>(
      'select number, name, checksum from migration order by number',
    )
    const isNew = rows.length === 0
    const pending = findPending(migrations, rows).filter(({ number }) => number <= upTo)
    // A new database waits once for the disk, not after each file. After a power cut it has the first ones.
    if (isNew) await client.query('set synchronous_commit = off')
    for (const migration of pending) {
      await apply(client, migration, log)
      if (!isNew) log.info({ migration: migration.name }, 'migrated the database')
    }
    if (isNew) log.info({ migrations: pending.length }, 'created the tables')
  } finally {
    await client.end()
  }
}

/** Lists the pending migrations. Changes nothing and takes no lock. */
export async function findPendingMigrations(
  client: pg.Client,
  folder = ownMigrations,
): Promise<Migration[]> {
  const migrations = await readMigrations(folder)
  const { rows: tables } = await client.query<{ there: boolean }>(
    "select to_regclass('migration') is not null as there",
  )
  const applied = tables[0]?.there
    ? (
        await client.query<Applied>(
          'select number, name, checksum from migration order by number',
        )
      ).rows
    : []
  return findPending(migrations, applied)
}

/**
 * Reads files named like 0001_accounts.sql. Checksums ignore line endings, which a checkout may
 * change.
 */
export async function readMigrations(folder = ownMigrations): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const migrations = await Promise.all(
    files.map(async (file) =>
      toMigration(
        file,
        (await readFile(new URL(file, folder), 'utf8')).replaceAll('\r\n', '\n'),
      ),
    ),
  )
  const twice = migrations.find(({ number }, at) => number === migrations[at - 1]?.number)
  if (twice) throw new DatabaseError(`Two migrations have the number ${twice.number}`)
  return migrations
}

/** Returns the number of the last migration of each released version. */
export const readReleased = async (
  folder = ownMigrations,
): Promise<Record<string, number>> =>
  JSON.parse(await readFile(new URL('released.json', folder), 'utf8'))

function toMigration(file: string, sql: string): Migration {
  const number = Number(/^(\d+)_/.exec(file)?.[1])
  if (!number)
    throw new DatabaseError(`The migration ${file} must be named like 0001_accounts.sql`)
  return {
    number,
    name: file.replace('.sql', ''),
    checksum: createHash('sha256').update(sql).digest('hex'),
    sql,
  }
}

function findPending(migrations: Migration[], applied: Applied[]): Migration[] {
  for (const { number, name, checksum } of applied) {
    const ours = migrations.find((migration) => migration.number === number)
    if (!ours)
      throw new DatabaseError(
        `The database is newer than this version of Botstead (it has the migration ${name}): start ` +
          'the newer version',
      )
    if (ours.checksum !== checksum)
      throw new DatabaseError(
        `The migration ${name} was changed after this database had applied it: restore the file, and ` +
          'put the change into a new migration',
      )
  }
  const newest = applied.at(-1)?.number ?? 0
  const pending = migrations.filter(
    ({ number }) => !applied.some((one) => one.number === number),
  )
  const late = pending.find(({ number }) => number < newest)
  if (late)
    throw new DatabaseError(
      `The migration ${late.name} comes too late: this database already has number ${newest}. Give it ` +
        'a higher number',
    )
  return pending
}

async function connect(database: Database | ConnectionSettings): Promise<pg.Client> {
  if ('connect' in database) return await database.connect()
  const client = new DatabaseClient({ connectionTimeoutMillis: 10_000, ...database })
  client.on('error', () => {})
  await client.connect().catch((error) => {
    throw explainConnectionError(error, database)
  })
  return client
}

async function checkServer(client: pg.Client) {
  const { rows } = await client.query(
    `select current_setting('server_version') as version,
      current_setting('server_version_num')::int as number, current_setting('server_encoding') as encoding,
      pg_backend_pid() as pid`,
  )
  const { version, number, encoding, pid } = rows[0]
  if (number < 150_000)
    throw new DatabaseError(
      `PostgreSQL ${version} is too old: Botstead needs version 15 or newer`,
    )
  if (encoding !== 'UTF8')
    throw new DatabaseError(
      `The database has the encoding ${encoding}: create it with "encoding 'UTF8'"`,
    )
  if (isPooled(client, pid))
    throw new DatabaseError(
      'The URL of the database leads through a pooler such as PgBouncer: set DATABASE_DIRECT_URL ' +
        'to the URL of PostgreSQL itself',
    )
}

/** Through a pooler, the process id of the connection is not that of its PostgreSQL process. */
const isPooled = (client: pg.Client, pid: number) =>
  (client as unknown as { processID: number }).processID !== pid

/**
 * Takes a session lock, which lasts until the connection ends. Polls, because a statement that
 * waits has a snapshot: `create index concurrently` of the holder waits for the end of all of them.
 */
async function lock(client: pg.Client, log: Logger) {
  for (let waiting = false; !(await tryLock(client)); await pause(lockPauseMs)) {
    if (!waiting) log.info('waiting for another process that migrates the database')
    waiting = true
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [
    lockKey,
  ])
  return rows[0].locked
}

/** Enough for servers under load. A deadlock of the same statements in each attempt is an error. */
const maxAttempts = 20

/**
 * Repeats a migration after a deadlock: it locks tables in its own order, while servers of the previous
 * version work on them.
 */
async function apply(client: pg.Client, migration: Migration, log: Logger) {
  for (let attempt = 1; ; attempt++) {
    const error = await attemptOnce(client, migration)
    if (!error) return
    if (!isDeadlock(error) || attempt === maxAttempts) throw failed(migration, error)
    log.warn(
      { migration: migration.name, attempt },
      'repeating a migration after a deadlock',
    )
    await pause(Math.random() * lockPauseMs)
  }
}

/** Returns the error after which the transaction was rolled back. */
async function attemptOnce(
  client: pg.Client,
  migration: Migration,
): Promise<Error | null> {
  const steps = parseSteps(migration.sql)
  try {
    if (steps) await runSteps(client, steps)
    await client.query('begin')
    if (!steps) await client.query(migration.sql)
    await record(client, migration)
    await client.query('commit')
    return null
  } catch (error) {
    await client.query('rollback').catch(() => {})
    return error as Error
  }
}

const failed = ({ name }: Migration, cause: Error) =>
  new DatabaseError(`The migration ${name} failed: ${cause.message}`, { cause })

const record = (client: pg.Client, { number, name, checksum }: Migration) =>
  client.query('insert into migration (number, name, checksum) values ($1, $2, $3)', [
    number,
    name,
    checksum,
  ])

/** Migrations of the schema. */
export const schemaMigrations = {
  findPending: findPendingMigrations,
  apply: migrate,
  read: readMigrations,
}
