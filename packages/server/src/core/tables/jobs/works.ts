// The kinds of table jobs.
import { copyRows } from '../duplicates.ts'
import { exportTable } from '../files/exports.ts'
import { importFile } from '../files/imports.ts'
import type { Workbooks } from '../files/workbooks.ts'
import { rebuildWords } from '../rows/words.ts'
import { changeRows } from './bulk-changes.ts'
import { clearColumns } from './clear-columns.ts'
import { convertColumn } from './convert-column.ts'
import type { JobDeps } from './job-deps.ts'
import type { JobRow, JobType } from './jobs.ts'

/** Runs the job to its end and returns the id of the file that it created, if any. */
type Work = (deps: JobDeps, job: JobRow<never>) => Promise<string | null>

export const toWorks = (
  workbooks: Pick<Workbooks, 'read'>,
): Partial<Record<JobType, Work>> => ({
  clear_vectors: rebuildWords,
  duplicate_table: copyRows,
  export: exportTable,
  import: (deps, job) => importFile({ ...deps, workbooks }, job),
  clear_column: clearColumns,
  delete_rows: changeRows,
  update_rows: changeRows,
  convert_column: convertColumn,
})
