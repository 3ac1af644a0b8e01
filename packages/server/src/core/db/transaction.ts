// Runs work in one transaction, through all ways to the database. Code inside behaves as it does
// outside: a failed statement rolls back alone (by a savepoint), so the caller can handle a
// conflict and continue, and a nested transaction rolls back its own changes.
import {
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type pg from 'pg'
import { type SessionSettings, toLocalSettings } from './connection/sessions.ts'
import {
  isConnectionBroken,
  isReadOnly,
  markUnchanged,
} from './connection/unavailable.ts'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

type Outside = Pick<Database, 'finds' | 'connect' | 'pools' | 'settings'>

interface TransactionOptions {
  /** Commits only if the lease of this worker was not taken over. */
  fence: string | null
  settings: SessionSettings
  /** Whether the next transaction may reach another session, so that statements have no names. */
  isPooled: boolean
  onFailure(error: unknown): void
}

/**
 * Commits the changes of `work`, or rolls them back when it throws. `work` must await everything
 * that it starts.
 */
export async function runInTransaction<T>(
  client: pg.PoolClient,
  outside: Outside,
  work: (inside: Database) => Promise<T>,
  { fence, settings, isPooled, onFailure }: TransactionOptions,
): Promise<T> {
  const transaction = new Transaction(client, settings, isPooled)
  let mustReplace = false
  let isCommitting = false
  try {
    const result = await work(databaseInside(transaction, outside))
    isCommitting = true
    await transaction.commit(fence)
    return result
  } catch (error) {
    onFailure(error)
    if (!isCommitting && isConnectionBroken(error)) markUnchanged(error)
    mustReplace = !(await transaction.rollback()) || isReadOnly(error)
    throw error
  } finally {
    client.release(mustReplace)
  }
}

function databaseInside(
  transaction: Transaction,
  { finds, connect, pools, settings }: Outside,
): Database {
  const run: Database['run'] = async <Row extends pg.QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
  ) => (await transaction.query<Row>({ name, text, values })).rows
  const inside: Database = {
    db: new Kysely<Schema>({
      dialect: {
        createDriver: () => new InsideDriver(transaction),
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      },
    }),
    finds,
    run,
    lazily: run,
    connect,
    pools,
    settings,
    read: (work) => work(inside),
    inTransaction: (work) => work(inside),
    close: async () => {},
  }
  return inside
}

class Transaction {
  readonly #client: pg.PoolClient
  #last: Promise<unknown> = Promise.resolve()
  readonly #isPooled: boolean
  /** Sent with the next command, to save a round trip. */
  #before: string
  #hasBegun = false
  #over = false

  constructor(client: pg.PoolClient, settings: SessionSettings, isPooled: boolean) {
    this.#client = client
    this.#isPooled = isPooled
    this.#before = `begin; ${toLocalSettings(settings)}`
  }

  query<Row extends pg.QueryResultRow>(
    query: pg.QueryConfig,
  ): Promise<pg.QueryResult<Row>> {
    return this.#inTurn(async () => {
      if (this.#over)
        throw new Error(
          'This transaction has ended: await all statements that belong to it',
        )
      await this.#send('savepoint statement')
      this.#before = 'release savepoint statement; '
      const { name, ...unnamed } = query
      try {
        return await this.#client.query<Row>(this.#isPooled ? unnamed : query)
      } catch (error) {
        // When the connection is broken, report the first error.
        await this.#client.query('rollback to savepoint statement').catch(() => {})
        throw error
      }
    })
  }

  /** Runs a savepoint command, which also ends the savepoint of the last statement. */
  command(text: string): Promise<void> {
    return this.#inTurn(() => this.#send(text))
  }

  async #send(command: string) {
    this.#hasBegun = true
    await this.#client.query(this.#before + command)
    this.#before = ''
  }

  /**
   * Checks the fence in the same round trip as the commit, so a paused process cannot delay a
   * take-over. A query of several commands cannot have parameters; a fence is the id of a worker.
   */
  commit(fence: string | null): Promise<void> {
    return this.#inTurn(async () => {
      this.#over = true
      if (!this.#hasBegun) return
      const check =
        fence === null
          ? ''
          : `select require_workers(array[${this.#client.escapeLiteral(fence)}]); `
      const answers: unknown = await this.#client.query(`${check}commit`)
      const last = [answers].flat().at(-1) as pg.QueryResult
      if (last.command !== 'COMMIT')
        throw new Error('The transaction could not be committed')
    })
  }

  /** Returns false when the connection is no longer usable. */
  rollback(): Promise<boolean> {
    return this.#inTurn(async () => {
      this.#over = true
      return this.#client.query('rollback').then(
        () => true,
        () => false,
      )
    })
  }

  /** Runs steps in order: a connection handles one at a time, and savepoints must nest. */
  #inTurn<T>(step: () => Promise<T>): Promise<T> {
    const done = this.#last.then(step)
    this.#last = done.catch(() => {})
    return done
  }
}

/** A Kysely driver for use inside: its transactions are savepoints. */
class InsideDriver extends PostgresDriver {
  readonly #transaction: Transaction
  readonly #savepoints: string[] = []
  #count = 0

  constructor(transaction: Transaction) {
    const query = (text: string, values: readonly unknown[]) =>
      transaction.query({ text, values: [...values] })
    super({
      pool: {
        connect: async () => ({ query, release() {} }) as never,
        end: async () => {},
      },
    })
    this.#transaction = transaction
  }

  override async beginTransaction() {
    const name = `inside_${++this.#count}`
    this.#savepoints.push(name)
    await this.#transaction.command(`savepoint ${name}`)
  }
  override async commitTransaction() {
    await this.#transaction.command(`release savepoint ${this.#savepoints.pop()}`)
  }
  override async rollbackTransaction() {
    const name = this.#savepoints.pop()
    await this.#transaction.command(
      `rollback to savepoint ${name}; release savepoint ${name}`,
    )
  }
}
