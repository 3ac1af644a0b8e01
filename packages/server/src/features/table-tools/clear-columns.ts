// Job that removes the stored values of deleted columns. Callers cannot see these values, but they
// must not stay in the database.
import { sql } from 'kysely'
import type { JobDeps } from '../../core/tables/job-deps.ts'
import { advance, type JobRow, percent, type TableTasks } from '../../core/tables/jobs.ts'
import { rowCount } from '../../core/tables/tables.ts'

const batchSize = 2_000

export async function clearColumns(
  deps: JobDeps,
  job: JobRow<TableTasks['clear_column']>,
): Promise<null> {
  const { values, marks } = job.task
  const here = sql`bot_id = ${job.bot_id} and bot_table_id = ${job.bot_table_id}`
  const total = await rowCount(deps.db, job)
  for (let position = Number(job.position), done = 0; ; ) {
    deps.checkStopped()
    const last = await deps.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ row_id: string }>`
        with piece as (
          select row_id from table_row where ${here} and row_id > ${position} order by row_id
            limit ${batchSize}
        ), cleared as (
          update table_row r set data = r.data - ${values}::text[], computed = r.computed - ${marks}::text[],
            stale = array(select unnest(r.stale) except select unnest(${marks}::text[]))
          where ${here} and r.row_id = any(array(select row_id from piece))
            and (r.data ?| ${values}::text[] or r.computed ?| ${marks}::text[] or r.stale && ${marks}::text[])
        )
        select max(row_id) as row_id from piece`.execute(trx)
      const [found] = rows
      if (!found?.row_id) return null
      done += batchSize
      await advance(trx, job, { position: Number(found.row_id), progress: percent(done, total) })
      return Number(found.row_id)
    })
    if (last === null) return null
    position = last
  }
}
