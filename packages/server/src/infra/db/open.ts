// The only module that uses the driver. Offers three ways to the database: Kysely for most queries,
// `run` for prepared statements of the hot path, and `lazily` for writes that a crash may lose
// (leases, outcomes), which do not wait for the disk. `runInTransaction` combines all three in one
// transaction (transaction.ts).
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { PreparedQuery } from './prepared-query.ts'
import type { Schema } from './schema.ts'
import { runInTransaction } from './transaction.ts'

// Sessions use UTC (see below), and V8 parses this form several times as fast as the driver's own
// parser does.
pg.types.setTypeParser(
  pg.types.builtins.TIMESTAMPTZ,
  (text) => new Date(text.endsWith('+00') ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : text),
)

export type Db = Kysely<Schema>

/** Any settings of `pg`: `{connectionString}` or `{host, user, database …}`. */
export type ConnectionSettings = pg.PoolConfig

export interface Database {
  db: Db
  /**
   * For queries that callers compose: only reads, sees only committed data, and ends each statement
   * after `findTimeoutMs`. A separate pool with these settings, so that a query needs one round
   * trip.
   */
  finds: Db
  /** For threads with separate connections. */
  settings: ConnectionSettings
  /**
   * Runs a prepared statement, planned once per connection and name. A name must always have the
   * same text. `statement` binds named values.
   */
  run<Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<Row[]>
  /** Like `run`, with synchronous_commit off: only a crash of the database can lose the write. */
  lazily<Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row[]>
  /**
   * Runs `work` in one transaction, with the database that it receives. A separate pool of a few
   * connections serves it: waiting calls hold no other connection, and `work` may wait for the
   * other pools. With a `fence` (queue/fencing.ts), commits only if that worker's lease was not
   * taken over.
   */
  inTransaction<T>(work: (inside: Database) => Promise<T>, fence?: string | null): Promise<T>
  /** Opens a connection outside the pools, for LISTEN. The caller ends it. */
  connect(): Promise<pg.Client>
  /** Returns the use of each pool. */
  pools(): PoolState[]
  close(): Promise<void>
}

export interface PoolState {
  name: string
  inUse: number
  idle: number
  /** Statements waiting for a connection. */
  waiting: number
}

interface DatabaseOptions {
  log: Logger
  poolSize?: number
  /**
   * Called when a connection breaks: a statement may have taken effect although its response was
   * lost.
   */
  onConnectionError?: () => void
}

export function openDatabase(
  settings: ConnectionSettings,
  { log, poolSize = 10, onConnectionError = () => {} }: DatabaseOptions,
): Database {
  const open = (options: string, max: number) =>
    openPool({ ...settings, options, max }, log, onConnectionError)
  const pool = open(utc, poolSize)
  const hotPool = open(hot, 6)
  const lazyPool = open(lazySession, 2)
  const transactionPool = open(transactionSession, 6)
  const findPool = open(findSession, 6)
  const pools = {
    general: pool,
    hot: hotPool,
    lazy: lazyPool,
    whole: transactionPool,
    finds: findPool,
  }
  const database: Database = {
    db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
    finds: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: findPool }) }),
    settings,
    run: statementsOf(hotPool),
    lazily: statementsOf(lazyPool),
    inTransaction: async (work, fence) =>
      runInTransaction(await transactionPool.connect(), database, work, fence),
    connect: async () => {
      const client = new pg.Client(settings)
      client.on('error', (error) =>
        log.warn({ err: error }, 'a listening connection to the database ended'),
      )
      await client.connect()
      return client
    },
    pools: () => Object.entries(pools).map(([name, one]) => stateOf(name, one)),
    close: async () => void (await Promise.all(Object.values(pools).map((one) => one.end()))),
  }
  return database
}

const statementsOf =
  (pool: pg.Pool): Database['run'] =>
  async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) => {
    const query: unknown = pool.query(new PreparedQuery(name, text, values) as never)
    return query as Promise<Row[]> // the driver's type declarations omit the promise
  }

const stateOf = (name: string, { totalCount, idleCount, waitingCount }: pg.Pool): PoolState => ({
  name,
  inUse: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
})

const utc = '-c timezone=UTC'
/**
 * Generic plans are kept, and tables may be empty at planning time. So force index scans regardless
 * of statistics, and in index order: a planner that expects three rows where there are a hundred
 * thousand would fetch and sort them.
 */
const hot =
  `${utc} -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off ` +
  '-c jit=off'
/** For writes that a crash of the database may lose. */
export const lazySession = `${hot} -c synchronous_commit=off`
/**
 * For transactions, which run both kinds of statement; searches by tag need bitmap scans. A frozen
 * process or a cut link must not hold its locks forever.
 */
const transactionSession = [
  utc,
  '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off',
  '-c idle_in_transaction_session_timeout=15s',
].join(' ')

/** In milliseconds. */
export const findTimeoutMs = 10_000
/**
 * Disables parallel append: the order of rows depends on reading the parts of a union in sequence
 * (modules/tables/row-finder.ts).
 */
const findSession = [
  utc,
  `-c statement_timeout=${findTimeoutMs} -c default_transaction_read_only=on -c work_mem=64MB`,
  '-c jit=off -c enable_parallel_append=off',
].join(' ')

function openPool(settings: ConnectionSettings, log: Logger, broke: () => void) {
  const pool = new pg.Pool({
    ...settings,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
  })
  // A broken connection must fail its request but not the process: node-postgres throws without a
  // listener. Log only the message, because the error carries the whole client.
  pool.on(
    'error',
    ({ message }) => pool.ending || log.warn({ reason: message }, 'a database connection ended'),
  )
  pool.on('connect', (client) => client.on('error', broke))
  return pool
}
