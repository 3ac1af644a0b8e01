// Job that removes the stored values of deleted columns. Callers cannot see these values, but they
// must not stay in the database.

import { clearNextRows } from '../rows/column-values.ts'
import { rowCount } from '../tables.ts'
import type { JobDeps } from './job-deps.ts'
import { advance, type JobRow, percent, type TableTasks } from './jobs.ts'

const batchSize = 2_000

export async function clearColumns(
  deps: JobDeps,
  job: JobRow<TableTasks['clear_column']>,
): Promise<null> {
  const total = await rowCount(deps.db, job)
  for (let position = Number(job.position), done = 0; ; ) {
    deps.checkStopped()
    const last = await deps.db.transaction().execute(async (trx) => {
      const next = { after: position, limit: batchSize }
      const found = await clearNextRows(trx, job, job.task, next)
      if (found === null) return null
      done += batchSize
      await advance(trx, job, { position: found, progress: percent(done, total) })
      return found
    })
    if (last === null) return null
    position = last
  }
}
