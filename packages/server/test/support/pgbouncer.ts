// PgBouncer in transaction mode in front of a test database.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, vi } from 'vitest'
import type { ConnectionSettings } from '../../src/core/db/database.ts'
import { findFreePort } from './nats-server.ts'

export interface PgBouncer {
  settings: ConnectionSettings
  url: string
  close(): Promise<void>
}

/** Debian's folder for it is not in the path of ordinary users. */
const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) =>
  existsSync(path),
)
export const pgbouncerIsMissing = program === undefined
if (pgbouncerIsMissing) console.log('Tests of PgBouncer need the package pgbouncer')

/** All clients share four sessions of the database, so that each transaction may get any. */
export async function openPgBouncer(database: ConnectionSettings): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-pgbouncer-'))
  chmodSync(folder, 0o755)
  const port = await findFreePort()
  const relay = await openRelay(database)
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `test = ${toConnection({ ...database, ...relay.settings })}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 4',
    'server_round_robin = 1',
    'max_client_conn = 500',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o644 })
  // It rejects root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program!, ['-q', ...user, file], { stdio: 'ignore' })
  const settings = { host: '127.0.0.1', port, user: 'test', database: 'test' }
  const close = async () => {
    await end(child)
    relay.close()
    await rm(folder, { recursive: true, force: true })
  }
  await vi
    .waitFor(() => expectAnswer(settings))
    .catch(async (error) => {
      await close()
      throw error
    })
  return { settings, url: `postgres://test@127.0.0.1:${port}/test`, close }
}

/** Returns the database as PgBouncer and libpq name it. */
function toConnection({ connectionString, ...settings }: ConnectionSettings): string {
  const { host, port, user, password, database } = connectionString
    ? new pg.Client({ connectionString })
    : { port: 5432, password: undefined, ...settings }
  const parts = { host, port, user, password, dbname: database }
  return Object.entries(parts)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${name}='${value}'`)
    .join(' ')
}

/** Only its owner and root can reach the socket of the embedded database; PgBouncer is neither. */
async function openRelay({ host }: ConnectionSettings) {
  if (!host?.startsWith('/')) return { settings: {}, close() {} }
  const server = createServer((client) => {
    const session = connect(join(host, '.s.PGSQL.5432'))
    client.pipe(session).pipe(client)
    client.on('error', () => session.destroy())
    session.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { settings: { host: '127.0.0.1', port }, close: () => void server.close() }
}

async function expectAnswer(settings: ConnectionSettings) {
  const client = new pg.Client(settings)
  client.on('error', () => {})
  try {
    await client.connect()
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  } finally {
    await client.end().catch(() => {})
  }
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  setTimeout(() => child.kill('SIGKILL'), 3_000).unref()
  await ended
}
