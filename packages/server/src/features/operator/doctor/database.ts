// Checks a database that the operator runs: version, durability, TLS, privileges and migrations.
import { ownCommand } from '@botstead/lib'
import type pg from 'pg'
import type { Section } from '../../../core/config/index.ts'
import { connections, DatabaseClient, schemaMigrations } from '../../../core/db/index.ts'
import { type Finding, finding } from './finding.ts'

/** Settings without which a crash of the machine loses acknowledged writes. */
const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }

/** Whether the connection uses TLS or does not leave the machine. */
const isPrivate = `(
  inet_server_addr() is null
  or inet_server_addr() <<= any ('{127.0.0.0/8,::1}')
  or coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false)
)`

export async function examineDatabase(config: Section<'database'>): Promise<Finding[]> {
  const name = config.databaseDirectUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  const url = config.databaseDirectUrl ?? config.databaseUrl
  if (!url)
    return [
      finding(
        'database',
        'embedded: the server starts, configures and stops it',
        true,
        '',
      ),
    ]
  const client = new DatabaseClient({
    ...connections.toSettings(url),
    connectionTimeoutMillis: 5_000,
  })
  try {
    await client.connect()
    return await inspect(client)
  } catch (error) {
    return [
      finding(
        'database',
        `the database at ${name} cannot be reached ` +
          `(${(error as { code?: string }).code ?? 'no response'})`,
        false,
        `start the database, or correct ${name}`,
      ),
    ]
  } finally {
    await client.end().catch(() => {})
  }
}

async function inspect(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as version,
      (select rolsuper from pg_roles where rolname = current_user) as super,
      ${isPrivate} as private, ${Object.keys(durable)
        .map((name) => `current_setting('${name}') as ${name}`)
        .join(', ')}`,
  )
  const [row] = rows as [
    Record<string, string> & { version: number; super: boolean; private: boolean },
  ]
  const { length: unapplied } = await schemaMigrations.findPending(client)
  const off = Object.entries(durable).filter(
    ([name, value]) =>
      row[name] !== value &&
      !(
        name === 'synchronous_commit' &&
        ['remote_apply', 'remote_write'].includes(row[name]!)
      ),
  )
  return [
    finding(
      'database',
      `PostgreSQL ${Math.floor(row.version / 10_000)}`,
      row.version >= 150_000,
      'use PostgreSQL 15 or newer',
    ),
    finding(
      'database',
      off.length === 0
        ? 'keeps acknowledged writes after a crash'
        : `not on: ${off.map(([name]) => name).join(', ')}`,
      off.length === 0,
      'set it to on: a crash may lose acknowledged writes',
    ),
    finding(
      'database',
      row.private ? 'the connection is private' : 'the connection is not encrypted',
      row.private,
      'add sslmode=verify-full to its URL',
    ),
    finding(
      'database',
      row.super
        ? 'the database user is a superuser'
        : 'the database user is not a superuser',
      !row.super,
      'use a database user that owns only the database of Botstead',
      'advice',
    ),
    finding(
      'database',
      unapplied === 0 ? 'the schema is up to date' : `${unapplied} pending migrations`,
      unapplied === 0,
      `run "${ownCommand} migrate", or start the server, which applies them`,
      'advice',
    ),
  ]
}
