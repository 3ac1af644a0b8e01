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
export { type Computing, startComputing } from './computing.ts'
export { convertibleColumn } from './conversion-jobs.ts'
export { duplicateTable } from './duplicates.ts'
export type { JobDeps } from './job-deps.ts'
export { startTableJobs, type TableJobChange, type TableJobs, type Works } from './job-runner.ts'
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
export { findGroups, groupOrder, parseGroup } from './rows/row-groups.ts'
export {
  isComputed,
  keyColumnOf,
  type ParsedRows,
  parseRows,
  type RowInput,
  shortened,
} from './rows/row-input.ts'
export { saveTerms, searchRows } from './rows/row-search.ts'
export { rowSerializer, selectionOf, toRow, wholeRow } from './rows/row-serializers.ts'
export type { OutputRow } from './rows/row-types.ts'
export { mentions, type RowKey } from './rows/row-writing.ts'
export {
  deletePiece,
  deleteRows,
  findRow,
  insertRows,
  lockTable,
  selectionSql,
  streamRows,
  type WrittenRows,
  writeRows,
} from './rows/rows.ts'
export { openSpool, type Spool, through, withSpool } from './streams.ts'
export { checkUnchanged, createTableCache, readRows, type TableCache } from './table-cache.ts'
export {
  convertTableColumn,
  deleteTable,
  renameTableColumn,
  replaceColumn,
  updateTable,
} from './table-changes.ts'
export { tables } from './table-rules.ts'
export {
  bytesPerFactor,
  countRows,
  createTable,
  type FoundTable,
  findTable,
  getOrCreateTable,
  listTables,
  rowCount,
  rowCounts,
  type TableRow,
  type TableViewer,
  wholeBot,
} from './tables.ts'
