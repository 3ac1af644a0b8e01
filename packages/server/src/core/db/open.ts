// Opens the database. Its pools: `hot` and `lazy` for prepared statements, with settings of the session;
// `general` for all others, of which transactions and finds send their settings along; `replica`.
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { DatabaseClient } from './connection/client.ts'
import { getSearch } from './connection/hosts.ts'
import { PreparedQuery, submit } from './connection/prepared-query.ts'
import {
  type FailureListeners,
  isRead,
  noteFailure,
  repeatingReads,
  repeatRead,
  type SendQuery,
} from './connection/repeated-reads.ts'
import { checkSystem, openReplica, replicaLimits } from './connection/replica.ts'
import {
  findSettings,
  hotSession,
  lazySession,
  replicaSession,
  type SessionSettings,
  toOptions,
  transactionSettings,
} from './connection/sessions.ts'
import { connectTimeoutMs, openShare, type Share } from './connection/share.ts'
import { runWithSettings, type Statement } from './connection/statement-settings.ts'
import { isNotSent, isUnusable, markUnchanged } from './connection/unavailable.ts'
import type { ConnectionSettings, Database, PoolState } from './database.ts'
import type { Schema } from './schema.ts'
import { runInTransaction } from './transaction.ts'

// Sessions use UTC (see below), and V8 parses this form several times as fast as the driver's own
// parser does.
pg.types.setTypeParser(
  pg.types.builtins.TIMESTAMPTZ,
  (text) =>
    new Date(text.endsWith('+00') ? `${text.slice(0, 10)}T${text.slice(11, -3)}Z` : text),
)

/** Transactions at a time, each with a connection of the pool `general`. */
const maxTransactions = 6
/** Finds at a time, which may be slow. */
const maxFinds = 6

interface DatabaseOptions {
  log: Logger
  /**
   * A pooler in transaction mode, such as PgBouncer, in front of the same database; the pools then
   * connect to it.
   */
  pooler?: ConnectionSettings | null
  /** A standby, for `read`. */
  replica?: ConnectionSettings | null
  /** Connections for general statements. */
  poolSize?: number
  /**
   * Called when a connection breaks: a statement may have taken effect although its response was
   * lost.
   */
  onConnectionError?: () => void
  /** Called when the database has no disk space for a statement. */
  onDiskFull?: () => void
}

export function openDatabase(
  settings: ConnectionSettings,
  options: DatabaseOptions,
): Database {
  const {
    log,
    pooler = null,
    replica = null,
    poolSize = 10,
    onConnectionError = () => {},
    onDiskFull = () => {},
  } = options
  const { hosts, target = 'read-write' } = pooler ?? settings
  const search = hosts ? getSearch({ ...(pooler ?? settings), hosts, target }) : null
  const listeners = { onDiskFull, onReadOnly: () => search?.lookAgain() }
  const open = (session: SessionSettings, max: number) => {
    const own = pooler
      ? throughPooler(pooler)
      : { ...settings, options: toOptions(session) }
    return openPool({ ...own, max }, log, onConnectionError)
  }
  const general = open({}, poolSize + maxTransactions + maxFinds)
  const statements = openShare(general, poolSize)
  const transactions = openShare(general, maxTransactions)
  const finds = openShare(general, maxFinds)
  const hot = open(hotSession, 6)
  const lazy = open(lazySession, 2)
  const replicaPool = replica && openReplicaPool(replica, log, () => database)
  const shares = { statements, transactions, finds }
  const pools = { general, hot, lazy, ...(replicaPool && { replica: replicaPool }) }
  const database: Database = {
    db: createKysely(repeatingReads(statements, listeners)),
    finds: createKysely(repeatingReads(finds, listeners, sendFind)),
    settings,
    run: createRun(hot, listeners, pooler ? sendWith(hotSession) : sendPrepared),
    lazily: createRun(lazy, listeners, pooler ? sendWith(lazySession) : sendPrepared),
    inTransaction: async (work, fence = null) =>
      runInTransaction(await transactions.connect(), database, work, {
        fence,
        settings: transactionSettings,
        isPooled: pooler !== null,
        onFailure: (error) => noteFailure(error, listeners),
      }),
    connect: async () => {
      const client = new DatabaseClient(settings)
      client.on('error', (error) =>
        log.warn(
          { databaseReason: error.message },
          'a listening connection to the database ended',
        ),
      )
      await client.connect()
      return client
    },
    read: (work) => (reads ? reads.read(work) : work(database)),
    pools: () =>
      Object.entries(pools).map(([name, one]) =>
        toPoolState(name, one, name === 'general' ? Object.values(shares) : []),
      ),
    close: async () =>
      void (await Promise.all(Object.values(pools).map((one) => one.end()))),
  }
  const bind = (client: pg.PoolClient) => bindTo(client, database)
  const reads =
    replicaPool && openReplica({ primary: database, pool: replicaPool, bind, log })
  return database
}

const openReplicaPool = (
  replica: ConnectionSettings,
  log: Logger,
  primary: () => Database,
) =>
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
    db: createKysely({
      connect: async () => ({ query, release() {} }) as never,
      end: async () => {},
    }),
    run: (name, text, values) => submit(client, new PreparedQuery(name, text, values)),
    read: (work) => work(bound),
  }
  return bound
}

const createKysely = (pool: PostgresPool) =>
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })

/** PgBouncer keeps the time zone of each client; other settings travel with the statements. */
const throughPooler = (pooler: ConnectionSettings): ConnectionSettings => ({
  ...pooler,
  onConnect: async (client) => void (await client.query("set timezone = 'UTC'")),
})

type Send = <Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  statement: Statement,
) => Promise<Row[]>

/** Rejects if a value cannot be sent. */
const sendPrepared: Send = async (client, { name, text, values }) =>
  submit(client, new PreparedQuery(name, text, values))

const sendWith =
  (settings: SessionSettings): Send =>
  (client, statement) =>
    runWithSettings(client, settings, statement)

const sendFind: SendQuery = async (client, text, values = []) => {
  const statement = { name: '', text, values: [...values] }
  const rows = await runWithSettings<pg.QueryResultRow>(client, findSettings, statement)
  return { command: 'SELECT', rowCount: rows.length, rows }
}

const createRun =
  (pool: pg.Pool, listeners: FailureListeners, send: Send): Database['run'] =>
  async <Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
  ) => {
    const statement = { name, text, values }
    try {
      return await useClient(pool, (client) => send<Row>(client, statement))
    } catch (error) {
      noteFailure(error, listeners)
      if (!isRead(text)) throw isNotSent(error) ? markUnchanged(error) : error
      return repeatRead(pool, error, (client) => send<Row>(client, statement))
    }
  }

/** With callbacks, because the promises of the driver cost several microseconds. */
const useClient = <T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> =>
  new Promise((resolve, reject) =>
    pool.connect((error, client) => {
      if (!client) return reject(error)
      work(client).then(
        (result) => {
          client.release()
          resolve(result)
        },
        (failure) => {
          client.release(isUnusable(failure))
          reject(failure)
        },
      )
    }),
  )

const toPoolState = (
  name: string,
  { totalCount, idleCount, waitingCount }: pg.Pool,
  shares: Share[],
): PoolState => ({
  name,
  inUse: totalCount - idleCount,
  idle: idleCount,
  waiting: shares.reduce((sum, share) => sum + share.waiting(), waitingCount),
})

function openPool(settings: ConnectionSettings, log: Logger, broke: () => void) {
  const pool = new pg.Pool({
    Client: DatabaseClient as never,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectTimeoutMs,
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
