// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'
import type { Computing } from './computing.ts'
import type { Workbooks } from './files/workbooks.ts'
import type { TableJobs } from './jobs/job-runner.ts'
import type { RowViews } from './rows/row-views.ts'
import type { TableCache } from './table-cache.ts'

export interface TableServices {
  /** Finds tables for reads. */
  tableCache: TableCache
  /** Finds pages of sorted and filtered tables. */
  rowViews: RowViews
  /** Reads workbooks for imports. */
  workbooks: Pick<Workbooks, 'read'>
  /** Runs table jobs (imports, exports, column changes) in the background. */
  tableJobs: Pick<TableJobs, 'soon'>
  /** Computes the values of computed columns. */
  computing: Pick<Computing, 'soon' | 'compute'>
}

export const bindings = {
  tableCache: 'unchanged',
  rowViews: 'unchanged',
  workbooks: 'unchanged',
  // They read rows in separate transactions, so they must look for them after the commit.
  tableJobs: { soon: 'deferred' },
  computing: { soon: 'deferred' },
} satisfies Bindings<TableServices>
