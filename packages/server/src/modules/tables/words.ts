// Job that rebuilds the search terms of all rows after the set of searchable columns changed, in
// batches that save the job's position.
import { sql } from 'kysely'
import type { Db } from '../../infra/db/open.ts'
import { ofTable } from './filter-sql.ts'
import type { JobDeps } from './job-runner.ts'
import { advance, type JobRow, percent } from './jobs.ts'
import { saveTerms } from './row-search.ts'
import type { StoredRow } from './rows.ts'
import { findTable, rowCount, type TableRow, wholeBot } from './tables.ts'

const batchSize = 1_000

export async function rebuildWords(deps: JobDeps, job: JobRow): Promise<null> {
  const table = await findTable(deps.db, wholeBot(job.bot_id), job.bot_table_id)
  const total = await rowCount(deps.db, table)
  let position = Number(job.position)
  for (let done = batchSize; ; done += batchSize) {
    deps.checkStopped()
    const last = await deps.database.inTransaction(async ({ db }) => {
      const found = await saveWords(db, table, position)
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
async function saveWords(db: Db, table: TableRow, after: number): Promise<number | null> {
  const { rows } = await sql<StoredRow>`
    select * from table_row where ${ofTable(table)} and row_id > ${after}::bigint order by row_id
      limit ${batchSize} for no key update`.execute(db)
  await saveTerms(db, table, rows)
  return rows.length > 0 ? Number(rows.at(-1)!.row_id) : null
}
