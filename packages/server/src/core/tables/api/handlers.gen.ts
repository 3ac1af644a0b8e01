// Written by `npm run generate` from the files beside it.
import { tableChanges } from './platform/table-changes.ts'
import { tableImports } from './platform/table-imports.ts'
import { tableViews } from './platform/table-views.ts'
import { rows } from './tables/rows.ts'
import { tables } from './tables/tables.ts'

export const handlers = {
  platform: {
    tableChanges,
    tableImports,
    tableViews,
  },
  tables: {
    rows,
    tables,
  },
}
