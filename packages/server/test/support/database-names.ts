import pg from 'pg'
import type { ConnectionSettings } from '../../src/core/db/database.ts'

/** The same server, another database. */
export function withDatabaseName(
  settings: ConnectionSettings,
  database: string,
): ConnectionSettings {
  if (!settings.connectionString) return { ...settings, database }
  const url = new URL(settings.connectionString)
  url.pathname = `/${database}`
  return { ...settings, connectionString: url.href }
}

/** One statement that cannot run inside a transaction, on a separate connection. */
export async function administer(settings: ConnectionSettings, statement: string) {
  const client = new pg.Client(settings)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
