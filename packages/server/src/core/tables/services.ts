// The services of this module, and how they behave inside of a transaction.
import type { Bindings } from '../db/index.ts'
import type { Computing } from './computing.ts'
import type { TableJobs } from './job-runner.ts'
import type { TableCache } from './table-cache.ts'

export interface TableServices {
  /** Finds tables for reads. */
  tableCache: TableCache
  /** Runs table jobs (imports, exports, column changes) in the background. */
  tableJobs: Pick<TableJobs, 'soon'>
  /** Computes the values of computed columns. */
  computing: Pick<Computing, 'soon' | 'compute'>
}

export const tableBindings = {
  tableCache: 'unchanged',
  // They read rows in separate transactions, so they must look for them after the commit.
  tableJobs: { soon: 'deferred' },
  computing: { soon: 'deferred' },
} satisfies Bindings<TableServices>
