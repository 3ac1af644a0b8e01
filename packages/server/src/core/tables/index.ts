import type { Services } from '../http/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { removeOldJobs } from './jobs/jobs.ts'
import { openTables } from './open.ts'
import { bindings } from './services.ts'
import { tables } from './table-rules.ts'

export const tablesModule = {
  name: 'tables',
  tables,
  bindings,
  handlers,
  open: openTables,
  tasks: ({ db }: Services) => [{ everyMs: 3_600_000, run: () => removeOldJobs(db) }],
}
export {
  type ColumnModel,
  type ColumnQuestion,
  ModelUnavailable,
} from './column-model.ts'
export { csvLine, withoutFormula } from './files/csv.ts'
export { parseFilter } from './rows/filter.ts'
export { matchesRows } from './rows/filter-sql.ts'
export { explainQueryErrors } from './rows/query-timeouts.ts'
export { findLatestRows } from './rows/row-finder.ts'
export type { TableServices } from './services.ts'
export { findTable, wholeBot } from './tables.ts'
