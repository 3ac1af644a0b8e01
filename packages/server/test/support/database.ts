// A separate database for each test file: a copy of the migrated template. It is deleted after the
// file, or on a disk with the database server after the run, because dropping it forces a checkpoint,
// which takes longer there than many tests.
import { inject } from 'vitest'
import type { ConnectionSettings } from '../../src/core/db/database.ts'
import { administer, withDatabaseName } from './database-names.ts'

export interface TestDatabase {
  settings: ConnectionSettings
  drop(): Promise<void>
}

let count = 0

/** Call this in `beforeAll`, and `drop` in `afterAll` after closing all users of the database. */
export function cloneDatabase(): Promise<TestDatabase> {
  // Copying files takes less CPU than logging each page, but a server with durable files waits for them.
  const strategy = inject('databaseServer').connectionString ? '' : 'strategy file_copy'
  return createTestDatabase(`template ${inject('databasePrefix')}_template ${strategy}`)
}

/** Creates a database without tables, for tests of migrations. */
export function emptyDatabase(): Promise<TestDatabase> {
  return createTestDatabase('template template0')
}

/** Returns the DATABASE_URL for a separate process. */
export function toUrl({
  connectionString,
  host,
  port,
  user,
  database: name,
}: ConnectionSettings): string {
  if (connectionString) return connectionString
  const query = new URLSearchParams({
    host: String(host),
    port: String(port ?? 5432),
    user: String(user),
  })
  return `postgresql:///${name}?${query}`
}

async function createTestDatabase(template: string): Promise<TestDatabase> {
  const server = inject('databaseServer')
  const name = `${inject('databasePrefix')}_${process.pid}_${++count}`
  await administer(server, `create database ${name} ${template}`)
  const drop = async () => {
    if (!inject('databaseServerGoes'))
      await administer(server, `drop database if exists ${name} with (force)`)
  }
  return { settings: withDatabaseName(server, name), drop }
}
