// A database of one's own for each test file: a copy of the migrated template, gone when the file is done, or with the server after the run: dropping
// one makes the server write all that it has in memory, which takes longer than many a test.
import { inject } from 'vitest'
import type { ConnectionSettings } from '../../src/infra/db/open.ts'
import { administer, withDatabase } from './database-names.ts'

export interface TestDatabase {
  settings: ConnectionSettings
  drop(): Promise<void>
}

let count = 0

/** Call it in `beforeAll`, and `drop` in `afterAll`, when everything that uses it is closed. */
export function cloneDatabase(): Promise<TestDatabase> {
  return createTestDatabase(`template ${inject('databasePrefix')}_template`)
}

/** Without any table: for tests of the migrations themselves. */
export function emptyDatabase(): Promise<TestDatabase> {
  return createTestDatabase('template template0')
}

/** For a process of its own, which is told by DATABASE_URL. */
export function urlOf({ connectionString, host, port, user, database: name }: ConnectionSettings): string {
  if (connectionString) return connectionString
  const query = new URLSearchParams({ host: String(host), port: String(port ?? 5432), user: String(user) })
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
  return { settings: withDatabase(server, name), drop }
}
