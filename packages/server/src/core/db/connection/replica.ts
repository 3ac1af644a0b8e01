// Reads from a standby that are as fresh as reads from the primary. Before each, the primary is
// asked for the end of its WAL, and the standby must have replayed everything up to there. So a
// client sees its own writes, whichever server took them. Otherwise the primary serves the read.
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '@botstead/contract'
import { shareNext } from '@botstead/lib'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../database.ts'
import { statement } from '../statement.ts'

interface Replica {
  /**
   * Runs work that only reads, on one connection. Runs it again on the primary if the standby fails;
   * an ApiError of `work` is final.
   */
  read<T>(work: (database: Database) => Promise<T>): Promise<T>
}

interface ReplicaDeps {
  primary: Database
  /** Connections to the standby. */
  pool: pg.Pool
  /** Returns the database with its statements on one connection. */
  bind(client: pg.PoolClient): Database
  log: Logger
}

/** A read waits this long for the standby to catch up. */
const maxLagMs = 50
/** After a failure or a longer lag, all reads use the primary for this long. */
const restMs = 1_000
/** For the pool of a replica. A standby that does not respond must delay reads only shortly. */
export const replicaLimits = {
  max: 10,
  connectionTimeoutMillis: 500,
  query_timeout: 2_000,
} as const

export function openReplica({ primary, pool, bind, log }: ReplicaDeps): Replica {
  const findPosition = shareNext(() => endOfWal(primary))
  let restsUntil = 0
  let isFailing = false

  function rest({ message }: Error) {
    restsUntil = performance.now() + restMs
    if (!isFailing)
      log.warn({ reason: message }, 'no use of the replica: reading from the primary')
    isFailing = true
  }

  /** Returns null if the primary must serve the read. */
  async function connect(): Promise<pg.PoolClient | null> {
    if (performance.now() < restsUntil) return null
    const connecting = pool.connect()
    try {
      const [position, client] = await Promise.all([findPosition(), connecting])
      await waitForReplay(client, position)
      isFailing = false
      return client
    } catch (error) {
      connecting.then(
        (client) => client.release(true),
        () => {},
      )
      rest(error as Error)
      return null
    }
  }

  return {
    async read(work) {
      const client = await connect()
      if (!client) return work(primary)
      let failed = false
      try {
        return await work(bind(client))
      } catch (error) {
        if (error instanceof ApiError) throw error
        failed = true
        rest(error as Error)
      } finally {
        client.release(failed)
      }
      return work(primary)
    },
  }
}

const walPositionStatement = statement(
  'wal-position',
  'select pg_current_wal_insert_lsn()::text as position',
)

/** Returns the end of the WAL, after every commit that any client knows of. */
async function endOfWal({ run }: Database): Promise<string> {
  const [row] = await run<{ position: string }>(...walPositionStatement({}))
  return row!.position
}

const replayedStatement = statement<{ position: string }>(
  'replayed',
  'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= :position::pg_lsn as is_fresh',
)

/** Throws if the standby is too late, or is none. */
async function waitForReplay(client: pg.PoolClient, position: string) {
  const [name, text, values] = replayedStatement({ position })
  const deadline = performance.now() + maxLagMs
  for (let pauseMs = 1; ; pauseMs *= 2) {
    const { rows } = await client.query({ name, text, values })
    if (rows[0].is_fresh) return
    const left = deadline - performance.now()
    if (left <= 0) throw new Error(`it is more than ${maxLagMs} ms behind the primary`)
    await pause(Math.min(pauseMs, left))
  }
}

const systemStatement = statement(
  'system',
  'select system_identifier::text as id from pg_control_system()',
)

/** Throws for a connection to another cluster, where positions mean something else. */
export async function checkSystem(primary: Database, client: pg.ClientBase) {
  const [expected] = await primary.run<{ id: string }>(...systemStatement({}))
  const { rows } = await client.query<{ id: string }>(systemStatement({})[1])
  if (rows[0]!.id !== expected!.id)
    throw new Error('DATABASE_READ_URL does not lead to a replica of this database')
}
