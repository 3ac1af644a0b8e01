// Owns table_terms_refill: rebuilds the search terms of all rows, in batches that save the position.
// A job does so after the set of searchable columns changed, and a background task after an upgrade
// with different terms.
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { isAwake } from '../../queue/index.ts'
import { isSearchable } from '../columns.ts'
import type { JobDeps } from '../jobs/job-deps.ts'
import { advance, type JobRow, percent } from '../jobs/jobs.ts'
import { findTable, rowCount, type TableRow, wholeBot } from '../tables.ts'
import { ofTable } from './filter-sql.ts'
import { saveTerms } from './row-search.ts'
import type { StoredRow } from './row-types.ts'

const batchSize = 1_000

export async function rebuildWords(deps: JobDeps, job: JobRow): Promise<null> {
  const table = await findTable(deps.db, wholeBot(job.bot_id), job.bot_table_id)
  const total = await rowCount(deps.db, table)
  let position = Number(job.position)
  for (let done = batchSize; ; done += batchSize) {
    deps.checkStopped()
    const last = await deps.database.inTransaction(async ({ db }) => {
      const found = await saveWords(db, table, position, batchSize)
      if (found !== null)
        await advance(db, job, { position: found, progress: percent(done, total) })
      return found
    })
    if (last === null) return null
    position = last
  }
}

/**
 * Returns the id of the last row of the batch; null at the end. It locks the rows: a concurrent
 * change writes its terms afterwards.
 */
async function saveWords(
  db: Db,
  table: TableRow,
  after: number,
  limit: number,
): Promise<number | null> {
  const { rows } = await sql<StoredRow>`
    select * from table_row where ${ofTable(table)} and row_id > ${after}::bigint order by row_id
      limit ${limit} for no key update`.execute(db)
  await saveTerms(db, table, rows)
  return rows.length > 0 ? Number(rows.at(-1)!.row_id) : null
}

/** Rows of the background task, which must not delay requests. */
const refillSize = 50

/** Rebuilds the terms of some rows. Returns false if no table has earlier ones. */
export const refillTerms = (db: Db): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{
      bot_id: string
      bot_table_id: string
      after_row: string
    }>`
      select f.bot_id, f.bot_table_id, f.after_row from table_terms_refill f
      where ${sql.raw(isAwake('f.bot_id'))} limit 1 for no key update skip locked`.execute(
      trx,
    )
    const [refill] = rows
    if (!refill) return false
    const table = await findTable(trx, wholeBot(refill.bot_id), refill.bot_table_id)
    const last = isSearchable(table)
      ? await saveWords(trx, table, Number(refill.after_row), refillSize)
      : null
    const change =
      last === null
        ? sql`delete from table_terms_refill`
        : sql`update table_terms_refill set after_row = ${last}`
    await sql`${change} where ${ofTable(table)}`.execute(trx)
    return true
  })
