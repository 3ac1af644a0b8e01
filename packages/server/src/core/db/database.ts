// The three ways to the database: Kysely for most queries, `run` for prepared statements of the hot
// path, and `lazily` for writes that a crash may lose (leases, outcomes), which do not wait for the
// disk. `inTransaction` combines all three in one transaction. open.ts opens it.
import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { SeveralHosts } from './connection/hosts.ts'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>

/**
 * Any settings of `pg`: `{connectionString}` or `{host, user, database …}`. With `hosts`, these replace
 * the host.
 */
export type ConnectionSettings = pg.PoolConfig & Partial<SeveralHosts>

export interface Database {
  db: Db
  /**
   * For queries that callers compose: only reads, sees only committed data, and ends each statement
   * after `findTimeoutMs`. Runs up to six at a time, because they may be slow.
   */
  finds: Db
  /** For threads with separate connections, which never lead through a pooler. */
  settings: ConnectionSettings
  /**
   * Runs a prepared statement, planned once per connection and name. A name must always have the
   * same text. `statement` binds named values.
   */
  run<Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row[]>
  /** Like `run`, with synchronous_commit off: only a crash of the database can lose the write. */
  lazily<Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row[]>
  /**
   * Runs `work` in one transaction, with the database that it receives. A few connections are kept
   * for transactions: waiting calls hold no other connection, and `work` may use the other
   * ways. With a `fence` (queue/fencing.ts), commits only if that worker's lease was not
   * taken over.
   */
  inTransaction<T>(
    work: (inside: Database) => Promise<T>,
    fence?: string | null,
  ): Promise<T>
  /**
   * Opens a connection outside the pools and without a pooler: for LISTEN, and for locks and settings
   * of a session. The caller ends it.
   */
  connect(): Promise<pg.Client>
  /**
   * Runs work that only reads, on a replica with every commit before this call. Without one, and
   * again after an error of the replica, runs it on this database.
   */
  read<T>(work: (database: Database) => Promise<T>): Promise<T>
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
