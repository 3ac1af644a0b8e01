// The kinds of table jobs of this feature.
import type { Works } from '../../core/tables/index.ts'
import { changeRows } from './bulk-changes.ts'
import { clearColumns } from './clear-columns.ts'
import { convertColumn } from './convert-column.ts'
import { exportTable } from './files/exports.ts'
import { importFile } from './files/imports.ts'
import type { Workbooks } from './files/workbooks.ts'

export const toWorks = (workbooks: Pick<Workbooks, 'read'>): Works => ({
  export: exportTable,
  import: (deps, job) => importFile({ ...deps, workbooks }, job),
  clear_column: clearColumns,
  delete_rows: changeRows,
  update_rows: changeRows,
  convert_column: convertColumn,
})
