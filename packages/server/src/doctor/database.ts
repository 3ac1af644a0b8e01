// The database, unless it is our own: whether it keeps what it acknowledges, and gives us no more than we need.
import pg from 'pg'
import type { Config } from '../config.ts'
import { findUnapplied } from '../db/migrate.ts'
import { type Finding, finding } from './finding.ts'

/** Settings without which a crash of the machine loses what was answered for. */
const kept = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }

/** TLS, or a way that does not leave the machine. */
const unseen = `(inet_server_addr() is null or inet_server_addr() <<= any ('{127.0.0.0/8,::1}') or coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false))`

export async function examineDatabase({ databaseUrl }: Config): Promise<Finding[]> {
  if (!databaseUrl)
    return [finding('database', 'embedded: started, set up and stopped by the server', true, '')]
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    return await look(client)
  } catch (error) {
    return [
      finding(
        'database',
        `DATABASE_URL cannot be reached (${(error as { code?: string }).code ?? 'no answer'})`,
        false,
        'start it, or mend the address',
      ),
    ]
  } finally {
    await client.end().catch(() => {})
  }
}

async function look(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as version, (select rolsuper from pg_roles where rolname = current_user) as super,
      ${unseen} as unseen, ${Object.keys(kept)
        .map((name) => `current_setting('${name}') as ${name}`)
        .join(', ')}`,
  )
  const [is] = rows as [Record<string, string> & { version: number; super: boolean; unseen: boolean }]
  const unapplied = await findUnapplied(client)
  const off = Object.entries(kept).filter(
    ([name, value]) =>
      is[name] !== value &&
      !(name === 'synchronous_commit' && ['remote_apply', 'remote_write'].includes(is[name]!)),
  )
  return [
    finding(
      'database',
      `PostgreSQL ${Math.floor(is.version / 10_000)}`,
      is.version >= 150_000,
      'use PostgreSQL 15 or newer',
    ),
    finding(
      'database',
      off.length === 0 ? 'keeps what it acknowledges' : `${off.map(([name]) => name).join(', ')} is off`,
      off.length === 0,
      'set it to on: a crash may lose what was answered for',
    ),
    finding(
      'database',
      is.unseen ? 'nobody on the way can read along' : 'what is said to it can be read on the way',
      is.unseen,
      'sslmode=verify-full in DATABASE_URL',
    ),
    finding(
      'database',
      is.super ? 'its user is a superuser' : 'its user is an ordinary one',
      !is.super,
      'give Botstead a user that owns its own database and nothing else',
      'advice',
    ),
    finding(
      'database',
      unapplied === 0 ? 'is up to date' : `${unapplied} migrations are to be applied`,
      unapplied === 0,
      'the next start applies them, or botstead migrate',
      'advice',
    ),
  ]
}
