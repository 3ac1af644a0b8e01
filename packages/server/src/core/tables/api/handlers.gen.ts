// Written by `npm run generate` from the files beside it.
import { rows } from './tables/rows.ts'
import { tables } from './tables/tables.ts'

export const handlers = {
  tables: {
    rows,
    tables,
  },
}
