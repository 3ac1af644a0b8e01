// Statements on connections that break: a read is repeated once, on another connection. A failure
// that changed nothing is marked, so that clients retry: of a read, and of a transaction
// before its commit. After any other broken connection, the statement may have taken effect.
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Share } from './share.ts'
import {
  isConnectionBroken,
  isNotSent,
  isReadOnly,
  markUnchanged,
} from './unavailable.ts'

export interface FailureListeners {
  /** The disk of the database is full. */
  onDiskFull: () => void
  /** The server accepts no writes: it may be a former primary. */
  onReadOnly: () => void
}

const readingStart = /^\s*(?:select|with)\b/i
const effects =
  /\b(?:insert|update|delete|merge|truncate|nextval|set_config|pg_notify)\b|\bpg_\w*advisory/i

/** Whether a text may be repeated. The repetition runs in a read-only transaction. */
export const isRead = (text: string): boolean =>
  readingStart.test(text) && !effects.test(text)

export function noteFailure(
  error: unknown,
  { onDiskFull, onReadOnly }: FailureListeners,
): void {
  if ((error as { code?: string }).code === '53100') onDiskFull()
  if (isReadOnly(error)) onReadOnly()
}

/** Runs a read again after its connection broke; `run` sends it on the given connection. */
export async function repeatRead<T>(
  pool: pg.Pool,
  failure: unknown,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  if (!isConnectionBroken(failure)) throw failure
  try {
    const client = await beginRead(pool)
    let isBroken = true
    try {
      const result = await run(client)
      await client.query('commit')
      isBroken = false
      return result
    } finally {
      client.release(isBroken)
    }
  } catch (error) {
    // It is no read: it calls a function that writes.
    if (isReadOnly(error)) throw failure
    throw isConnectionBroken(error) ? markUnchanged(error) : error
  }
}

/** Skips idle connections that have broken, too. */
async function beginRead(pool: pg.Pool): Promise<pg.PoolClient> {
  for (let idle = pool.idleCount; ; idle--) {
    const client = await pool.connect()
    try {
      await client.query('begin read only')
      return client
    } catch (error) {
      client.release(true)
      if (!isConnectionBroken(error) || idle <= 0) throw error
    }
  }
}

type Phase = 'outside' | 'inside' | 'committing'

/** Sends a query of Kysely. */
export type SendQuery = (
  client: pg.PoolClient,
  text: string,
  values?: readonly unknown[],
) => Promise<Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>>

const sendQuery: SendQuery = (client, text, values) =>
  client.query(text, values as unknown[])

/** A pool for Kysely, which runs one statement or one transaction on each connection. */
export const repeatingReads = (
  { pool, connect }: Share,
  listeners: FailureListeners,
  send = sendQuery,
): PostgresPool => ({
  async connect() {
    const client = await connect()
    let phase: Phase = 'outside'
    let commitFailure: unknown = null
    let mustReplace = false
    const query = async (text: string, values?: readonly unknown[]) => {
      phase = phaseAfter(phase, text)
      try {
        return await send(client, text, values)
      } catch (error) {
        noteFailure(error, listeners)
        mustReplace ||= isReadOnly(error)
        if (phase === 'outside' && isRead(text))
          return repeatRead(pool, error, (other) => send(other, text, values))
        if (phase === 'committing') {
          // The rollback after it fails, too, which must not hide that the commit may have succeeded.
          commitFailure ??= error
          throw commitFailure
        }
        if (isNotSent(error) || (phase === 'inside' && isConnectionBroken(error)))
          markUnchanged(error)
        throw error
      }
    }
    return {
      query,
      release: () => client.release(mustReplace),
    } as unknown as PostgresPoolClient
  },
  end: () => pool.end(),
})

function phaseAfter(phase: Phase, text: string): Phase {
  if (/^(?:begin|start transaction)\b/i.test(text)) return 'inside'
  return phase === 'inside' && /^commit\b/i.test(text) ? 'committing' : phase
}
