export { handlers as tableHandlers } from './api/handlers.gen.ts'
export { toTableJob } from './api/tables/tables.ts'
export { createColumnCode, tablesMark } from './column-code.ts'
export { type ColumnModel, type ColumnQuestion, ModelUnavailable } from './column-model.ts'
export { columnNameFor, isTaken } from './column-names.ts'
export {
  type Column,
  type ConvertibleType,
  columnNamed,
  isSearchable,
  maxColumns,
} from './columns.ts'
export { startComputing } from './computing.ts'
export { convertibleColumn } from './conversion-jobs.ts'
export type { JobDeps } from './job-deps.ts'
export { startTableJobs, type TableJobChange, type Works } from './job-runner.ts'
export {
  advance,
  createJob,
  findRejectedRows,
  JobLost,
  type JobRow,
  listed,
  listImports,
  listJobs,
  percent,
  type RejectedRow,
  removeOldJobs,
  type TableTasks,
} from './jobs.ts'
export { coerceCell, notValue } from './rows/cells.ts'
export { clearNextRows, emptyColumn, setSameValues, storeColumn } from './rows/column-values.ts'
export { type Condition, parseFilter } from './rows/filter.ts'
export { conditionSql, ofTable } from './rows/filter-sql.ts'
export { explainQueryErrors, queryTimeouts, withTimeout } from './rows/query-timeouts.ts'
export {
  findRows,
  type Order,
  orderBy,
  orderedIdsSql,
  outputColumns,
  type RowWindow,
} from './rows/row-finder.ts'
export { staleAfter } from './rows/row-followers.ts'
export { isComputed, parseRows, type RowInput } from './rows/row-input.ts'
export { saveTerms } from './rows/row-search.ts'
export { rowSerializer } from './rows/row-serializers.ts'
export type { OutputRow } from './rows/row-types.ts'
export { mentions } from './rows/row-writing.ts'
export {
  deletePiece,
  insertRows,
  lockTable,
  selectionSql,
  streamRows,
  writeRows,
} from './rows/rows.ts'
export { type TableServices, tableBindings } from './services.ts'
export { openSpool, type Spool, through, withSpool } from './streams.ts'
export { createTableCache, readRows } from './table-cache.ts'
export { convertTableColumn, replaceColumn, updateTable } from './table-changes.ts'
export { tables } from './table-rules.ts'
export {
  bytesPerFactor,
  type FoundTable,
  findTable,
  rowCount,
  rowCounts,
  type TableRow,
  wholeBot,
} from './tables.ts'
