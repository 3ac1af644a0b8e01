// Opens the database: its pools of connections, each with the session settings for its statements,
// and the replica.
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { DatabaseClient } from './connection/client.ts'
import { searchOf } from './connection/hosts.ts'
import { runPooled, type SessionSettings, toLocalSettings } from './connection/pooled-query.ts'
import { PreparedQuery, submit } from './connection/prepared-query.ts'
import {
  type FailureListeners,
  isRead,
  noteFailure,
  repeatingReads,
  repeatRead,
} from './connection/repeated-reads.ts'
import { checkSystem, openReplica, replicaLimits } from './connection/replica.ts'
import { isNotSent, markUnchanged } from './connection/unavailable.ts'
import type { ConnectionSettings, Database, PoolState } from './database.ts'
import type { Schema } from './schema.ts'
import { runInTransaction } from './transaction.ts'

// Sessions use UTC (see below), and V8 parses this form several times as fast as the driver's own
// parser does.
pg.types.setTypeParser(
  pg.types.builtins.TIMESTAMPTZ,
  (text) => new Date(text.endsWith('+00') ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : text),
)

interface DatabaseOptions {
  log: Logger
  /**
   * A pooler in transaction mode, such as PgBouncer, in front of the same database; the pools then
   * connect to it.
   */
  pooler?: ConnectionSettings | null
  /** A standby, for `read`. */
  replica?: ConnectionSettings | null
  poolSize?: number
  /**
   * Called when a connection breaks: a statement may have taken effect although its response was
   * lost.
   */
  onConnectionError?: () => void
  /** Called when the database has no disk space for a statement. */
  onDiskFull?: () => void
}

export function openDatabase(settings: ConnectionSettings, options: DatabaseOptions): Database {
  const {
    log,
    pooler = null,
    replica = null,
    poolSize = 10,
    onConnectionError = () => {},
    onDiskFull = () => {},
  } = options
  const { hosts, target = 'read-write' } = pooler ?? settings
  const search = hosts ? searchOf({ ...(pooler ?? settings), hosts, target }) : null
  const listeners = { onDiskFull, onReadOnly: () => search?.lookAgain() }
  const open = (session: SessionSettings, max: number) => {
    const own = pooler ? throughPooler(pooler) : { ...settings, options: toOptions(session) }
    return openPool({ ...own, max }, log, onConnectionError)
  }
  const pool = open({}, poolSize)
  const hotPool = open(hot, 6)
  const lazyPool = open(lazy, 2)
  const transactionPool = open(transaction, 6)
  const findPool = open(find, 6)
  const replicaPool = replica && openReplicaPool(replica, log, () => database)
  const pools = {
    general: pool,
    hot: hotPool,
    lazy: lazyPool,
    whole: transactionPool,
    finds: findPool,
    ...(replicaPool && { replica: replicaPool }),
  }
  const runIn = (pool: pg.Pool, session: SessionSettings) =>
    pooler ? pooledStatementsOf(pool, session) : statementsOf(pool, listeners)
  const database: Database = {
    db: kyselyOf(repeatingReads(pool, listeners)),
    finds: kyselyOf(
      pooler ? pooledQueriesOf(findPool, pooledFind) : repeatingReads(findPool, listeners),
    ),
    settings,
    run: runIn(hotPool, hot),
    lazily: runIn(lazyPool, lazy),
    inTransaction: async (work, fence = null) =>
      runInTransaction(await transactionPool.connect(), database, work, {
        fence,
        localSettings: pooler && toLocalSettings(transaction),
        onFailure: (error) => noteFailure(error, listeners),
      }),
    connect: async () => {
      const client = new DatabaseClient(settings)
      client.on('error', (error) =>
        log.warn({ databaseReason: error.message }, 'a listening connection to the database ended'),
      )
      await client.connect()
      return client
    },
    read: (work) => (reads ? reads.read(work) : work(database)),
    pools: () => Object.entries(pools).map(([name, one]) => stateOf(name, one)),
    close: async () => void (await Promise.all(Object.values(pools).map((one) => one.end()))),
  }
  const bind = (client: pg.PoolClient) => bindTo(client, database)
  const reads = replicaPool && openReplica({ primary: database, pool: replicaPool, bind, log })
  return database
}

const openReplicaPool = (replica: ConnectionSettings, log: Logger, primary: () => Database) =>
  openPool(
    {
      ...replica,
      ...replicaLimits,
      options: toOptions(replicaSession),
      onConnect: (client) => checkSystem(primary(), client),
    },
    log,
    () => {},
  )

/** Returns the database with its statements on one connection. */
function bindTo(client: pg.PoolClient, database: Database): Database {
  const query = client.query.bind(client)
  const bound: Database = {
    ...database,
    db: kyselyOf({ connect: async () => ({ query, release() {} }) as never, end: async () => {} }),
    run: (name, text, values) => submit(client, new PreparedQuery(name, text, values)),
    read: (work) => work(bound),
  }
  return bound
}

const kyselyOf = (pool: PostgresPool) =>
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })

/** PgBouncer keeps the time zone of each client; other settings travel with the statements. */
const throughPooler = (pooler: ConnectionSettings): ConnectionSettings => ({
  ...pooler,
  onConnect: async (client) => void (await client.query("set timezone = 'UTC'")),
})

const statementsOf =
  (pool: pg.Pool, listeners: FailureListeners): Database['run'] =>
  async <Row extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) => {
    try {
      const query: unknown = pool.query(new PreparedQuery(name, text, values) as never)
      return await (query as Promise<Row[]>) // the driver's type declarations omit the promise
    } catch (error) {
      noteFailure(error, listeners)
      if (!isRead(text)) throw isNotSent(error) ? markUnchanged(error) : error
      return repeatRead(pool, error, (client) =>
        submit<Row>(client, new PreparedQuery(name, text, values)),
      )
    }
  }

const pooledStatementsOf =
  (pool: pg.Pool, session: SessionSettings): Database['run'] =>
  async <Row extends pg.QueryResultRow>(_name: string, text: string, values: unknown[]) => {
    const client = await pool.connect()
    try {
      return await runPooled<Row>(client, session, { text, values, isPrepared: true })
    } finally {
      client.release()
    }
  }

/** For Kysely: single queries, each with the settings. */
const pooledQueriesOf = (pool: pg.Pool, session: SessionSettings): PostgresPool => ({
  async connect() {
    const client = await pool.connect()
    const query = async (text: string, values: readonly unknown[]) => {
      const statement = { text, values: [...values], isPrepared: false }
      const rows = await runPooled(client, session, statement)
      return { command: 'SELECT', rowCount: rows.length, rows }
    }
    return { query, release: () => client.release() } as PostgresPoolClient
  },
  end: () => pool.end(),
})

const stateOf = (name: string, { totalCount, idleCount, waitingCount }: pg.Pool): PoolState => ({
  name,
  inUse: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
})

/** Returns the settings as an option of a connection. All sessions use UTC. */
const toOptions = (session: SessionSettings) =>
  Object.entries({ timezone: 'UTC', ...session })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/**
 * Generic plans are kept, and tables may be empty at planning time. So force index scans regardless
 * of statistics, and in index order: a planner that expects three rows where there are a hundred
 * thousand would fetch and sort them.
 */
const hot: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  jit: 'off',
}
/** For writes that a crash of the database may lose. */
const lazy: SessionSettings = { ...hot, synchronous_commit: 'off' }
export const lazySession = toOptions(lazy)
/**
 * For transactions, which run both kinds of statement; searches by tag need bitmap scans. A frozen
 * process or a cut link must not hold its locks forever.
 */
const transaction: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
  idle_in_transaction_session_timeout: '15s',
}

/** For reads, which run both kinds of statement too. */
const replicaSession: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
  default_transaction_read_only: 'on',
}

/** In milliseconds. */
export const findTimeoutMs = 10_000
/**
 * Disables parallel append: the order of rows depends on reading the parts of a union in sequence
 * (core/tables/rows/row-finder.ts).
 */
const find: SessionSettings = {
  statement_timeout: String(findTimeoutMs),
  default_transaction_read_only: 'on',
  work_mem: '64MB',
  jit: 'off',
  enable_parallel_append: 'off',
}
/** The default applies to later transactions, and these settings arrive within one. */
const pooledFind: SessionSettings = { ...find, transaction_read_only: 'on' }

function openPool(settings: ConnectionSettings, log: Logger, broke: () => void) {
  const pool = new pg.Pool({
    Client: DatabaseClient as never,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    ...settings,
  })
  // A broken connection must fail its request but not the process: node-postgres throws without a
  // listener. Log only the message, because the error carries the whole client.
  pool.on(
    'error',
    ({ message }) =>
      pool.ending || log.warn({ databaseReason: message }, 'a database connection ended'),
  )
  pool.on('connect', (client) => client.on('error', broke))
  return pool
}
