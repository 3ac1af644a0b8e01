// The one file that knows the driver. It opens a pool, and gives three ways to it: Kysely for what reads better as a builder,
// `run` for prepared statements of the hot path, `lazily` for marks that may be lost in a crash (leases, outcomes), which do not wait for the disk.
// A fourth puts all three into one transaction (one-transaction.ts).
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { inOneTransaction } from './one-transaction.ts'
import type { Schema } from './schema.ts'

// The session speaks UTC (below), and V8 reads this form several times as fast as the driver's own parser.
pg.types.setTypeParser(
  pg.types.builtins.TIMESTAMPTZ,
  (text) => new Date(text.endsWith('+00') ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : text),
)

export type Db = Kysely<Schema>

/** `{connectionString}` or `{host, user, database …}`: whatever `pg` takes. */
export type ConnectionSettings = pg.PoolConfig

export interface Database {
  db: Db
  /** How to reach it, for a thread with a connection of its own. */
  settings: ConnectionSettings
  /** A prepared statement: planned once per connection under its name. The same name must always carry the same text. */
  run<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]>
  /** The same with synchronous_commit off: a crash of the database may forget it, nothing else may. */
  lazily<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]>
  /**
   * All that `work` does with the database that it gets is one transaction. On connections of their own, a few at a time: who waits for one
   * holds no other, and who has one may wait for the others. With a `fence` (queue/fencing.ts), it commits only if
   * that worker's lease was not taken over.
   */
  inOneTransaction<T>(work: (inside: Database) => Promise<T>, fence?: string | null): Promise<T>
  /** A connection of one's own, outside the pool: for LISTEN. The caller ends it. */
  connect(): Promise<pg.Client>
  /** How busy the connections are, by what they are for. */
  pools(): PoolState[]
  close(): Promise<void>
}

export interface PoolState {
  name: string
  inUse: number
  idle: number
  /** Statements for which there is no connection at the moment. */
  waiting: number
}

export interface DatabaseOptions {
  log: Logger
  poolSize?: number
  /** A connection broke: a statement may have been done whose answer nobody will hear. */
  broke?: () => void
}

export function openDatabase(
  settings: ConnectionSettings,
  { log, poolSize = 10, broke = () => {} }: DatabaseOptions,
): Database {
  const open = (options: string, max: number) => openPool({ ...settings, options, max }, log, broke)
  const pool = open(utc, poolSize)
  const hotPool = open(hot, 6)
  const lazyPool = open(lazySession, 2)
  const wholePool = open(whole, 6)
  const database: Database = {
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    settings,
    run: async (name, text, values) => (await hotPool.query({ name, text, values })).rows as never,
    lazily: async (name, text, values) => (await lazyPool.query({ name, text, values })).rows as never,
    inOneTransaction: async (work, fence) =>
      inOneTransaction(await wholePool.connect(), database, work, fence),
    connect: async () => {
      const client = new pg.Client(settings)
      client.on('error', (error) => log.warn({ err: error }, 'a listening connection to the database ended'))
      await client.connect()
      return client
    },
    pools: () =>
      Object.entries({ general: pool, hot: hotPool, lazy: lazyPool, whole: wholePool }).map(([name, one]) =>
        stateOf(name, one),
      ),
    close: async () => void (await Promise.all([pool, hotPool, lazyPool, wholePool].map((one) => one.end()))),
  }
  return database
}

const stateOf = (name: string, { totalCount, idleCount, waitingCount }: pg.Pool): PoolState => ({
  name,
  inUse: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
})

const utc = '-c timezone=UTC'
/**
 * Prepared statements are planned once and kept, and the tables may be empty then: they go by index, whatever the statistics say at that moment,
 * and in its order: a planner that takes a hundred thousand rows for three would fetch them all and sort them.
 */
const hot = `${utc} -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off`
/** For marks that a crash of the database may forget. */
export const lazySession = `${hot} -c synchronous_commit=off`
/**
 * Both kinds of statement come here, and what is looked for by its tags is found by bitmaps only. A process that stands still, or a link that is
 * cut, must not keep what it has locked.
 */
const whole = `${utc} -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off -c idle_in_transaction_session_timeout=15s`

function openPool(settings: ConnectionSettings, log: Logger, broke: () => void) {
  const pool = new pg.Pool({ ...settings, idleTimeoutMillis: 30_000, connectionTimeoutMillis: 10_000 })
  // A connection that dies, idle or checked out, must end its request and not the process: node-postgres throws where nobody listens.
  // Not the error whole: it carries the client, with all that it holds.
  pool.on(
    'error',
    ({ message }) => pool.ending || log.warn({ reason: message }, 'a database connection ended'),
  )
  pool.on('connect', (client) => client.on('error', broke))
  return pool
}
