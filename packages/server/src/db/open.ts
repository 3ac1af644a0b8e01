// The one file that knows the driver. It opens a pool, and gives three ways to it: Kysely for what reads better as a builder,
// `run` for prepared statements of the hot path, `lazily` for marks that may be lost in a crash (leases, outcomes), which do not wait for the disk.
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>

/** `{connectionString}` or `{host, user, database …}`: whatever `pg` takes. */
export type ConnectionSettings = pg.PoolConfig

export interface Database {
  db: Db
  /** A prepared statement: planned once per connection under its name. The same name must always carry the same text. */
  run<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]>
  /** The same with synchronous_commit off: a crash of the database may forget it, nothing else may. */
  lazily<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]>
  /** A connection of one's own, outside the pool: for LISTEN. The caller ends it. */
  connect(): Promise<pg.Client>
  close(): Promise<void>
}

export function openDatabase(settings: ConnectionSettings, { log, poolSize = 10 }: { log: Logger; poolSize?: number }): Database {
  const pool = openPool(settings, log, poolSize)
  const hotPool = openPool({ ...settings, options: hot }, log, 6)
  const lazyPool = openPool({ ...settings, options: `${hot} -c synchronous_commit=off` }, log, 2)
  return {
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    run: async (name, text, values) => (await hotPool.query({ name, text, values })).rows as never,
    lazily: async (name, text, values) => (await lazyPool.query({ name, text, values })).rows as never,
    connect: async () => {
      const client = new pg.Client(settings)
      client.on('error', (error) => log.warn({ err: error }, 'a listening connection to the database ended'))
      await client.connect()
      return client
    },
    close: async () => void (await Promise.all([pool.end(), hotPool.end(), lazyPool.end()])),
  }
}

/**
 * Prepared statements are planned once and kept, and the tables may be empty then: they go by index, whatever the statistics say at that moment.
 */
const hot = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off'

function openPool(settings: ConnectionSettings, log: Logger, max: number) {
  const pool = new pg.Pool({ ...settings, max, idleTimeoutMillis: 30_000, connectionTimeoutMillis: 10_000 })
  // A connection that dies, idle or checked out, must end its request and not the process: node-postgres throws where nobody listens.
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection ended'))
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
