// Finds a row by its tags or creates it, exactly once under concurrent calls: webhooks arrive in
// bursts.
//
// Usually the row exists, and one query finds it. Otherwise callers with the same tags run one
// after the other, under an advisory lock that holds across processes, and look again after they
// obtain it. A unique fingerprint in the row would not work: either side may change tags later, and
// each call chooses which tags count.
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

export interface FoundOrCreated<Row> {
  row: Row
  created: boolean
}

interface Steps<Row> {
  find: (db: Db) => Promise<Row | undefined>
  /** Applies the given values to the row that was found. Runs outside of the lock. */
  update: (row: Row) => Promise<Row>
  create: (db: Db) => Promise<Row>
}

/** `key` identifies what must be created only once: tenant, kind, tags. */
export async function getOrCreate<Row>(
  db: Db,
  key: unknown[],
  { find, update, create }: Steps<Row>,
): Promise<FoundOrCreated<Row>> {
  const found = await find(db)
  if (found) return { row: await update(found), created: false }
  const { row, created } = await withLock(db, key, async (locked) => {
    const existing = await find(locked)
    return existing
      ? { row: existing, created: false }
      : { row: await create(locked), created: true }
  })
  return { row: created ? row : await update(row), created }
}

const withLock = <T>(
  db: Db,
  key: unknown[],
  work: (locked: Db) => Promise<T>,
): Promise<T> => withKeysLocked(db, [key], work)

/**
 * Runs `work` under the locks of all keys. All callers lock in the same order, which prevents
 * deadlocks.
 */
export async function withKeysLocked<T>(
  db: Db,
  keys: unknown[][],
  work: (locked: Db) => Promise<T>,
): Promise<T> {
  await enter()
  try {
    return await db.transaction().execute(async (trx) => {
      await lockKeys(trx, keys)
      return work(trx)
    })
  } finally {
    leave()
  }
}

/** Inside of a transaction, until its end. */
export async function lockKeys(trx: Db, keys: unknown[][]): Promise<void> {
  const names = keys.map((key) => JSON.stringify(key))
  await sql`
    select pg_advisory_xact_lock(hash) from (select distinct hashtextextended(name, 0) as hash
      from unnest(${names}::text[]) name order by hash offset 0) locks
  `.execute(trx)
}

// A lock holder may need a second connection of the pool (another one writes the message). The
// limit keeps connections free for that; without it, lock holders could occupy all connections and
// deadlock.
const maxConcurrent = 4
let inside = 0
const waiting: (() => void)[] = []

async function enter() {
  if (inside < maxConcurrent) inside++
  else await new Promise<void>((resolve) => waiting.push(resolve))
}

function leave() {
  const next = waiting.shift()
  if (next) next()
  else inside--
}
