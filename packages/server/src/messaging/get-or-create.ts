// Finds a thing by its tags, or makes it, once however many ask at the same time: webhooks come in bursts.
//
// Mostly the thing is there, and one query finds it. Otherwise askers for the same tags go one after the other, under an advisory lock that
// holds in all processes; who gets it looks again. A unique fingerprint in the row would not do: tags are changed later, by either side,
// and callers choose anew with each call which tags count.
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

export interface Found<Row> {
  row: Row
  created: boolean
}

interface Steps<Row> {
  find: (db: Db) => Promise<Row | undefined>
  /** Outside of the lock: changes what was there by what was given. */
  update: (row: Row) => Promise<Row>
  create: (db: Db) => Promise<Row>
}

/** `key` names what must not be made twice: tenant, kind, tags. */
export async function getOrCreate<Row>(
  db: Db,
  key: unknown[],
  { find, update, create }: Steps<Row>,
): Promise<Found<Row>> {
  const found = await find(db)
  if (found) return { row: await update(found), created: false }
  const { row, created } = await alone(db, key, async (locked) => {
    const meanwhile = await find(locked)
    return meanwhile ? { row: meanwhile, created: false } : { row: await create(locked), created: true }
  })
  return { row: created ? row : await update(row), created }
}

const alone = <T>(db: Db, key: unknown[], work: (locked: Db) => Promise<T>): Promise<T> =>
  aloneWith(db, [key], work)

/** Nobody makes any of these meanwhile. Locks are taken in one order by all, so that nobody waits in a circle. */
export async function aloneWith<T>(db: Db, keys: unknown[][], work: (locked: Db) => Promise<T>): Promise<T> {
  await enter()
  try {
    return await db.transaction().execute(async (trx) => {
      const names = keys.map((key) => JSON.stringify(key))
      await sql`
        select pg_advisory_xact_lock(hash) from (select distinct hashtextextended(name, 0) as hash from unnest(${names}::text[]) name order by hash offset 0) locks
      `.execute(trx)
      return work(trx)
    })
  } finally {
    leave()
  }
}

// Who holds a lock may need a second connection of the pool (a message is written by another); if all were held, all would wait for ever.
const mostAtOnce = 4
let inside = 0
const waiting: (() => void)[] = []

async function enter() {
  if (inside < mostAtOnce) inside++
  else await new Promise<void>((resolve) => waiting.push(resolve))
}

function leave() {
  const next = waiting.shift()
  if (next) next()
  else inside--
}
