// The services of this feature, which its handlers receive beside those of the core, and how they behave
// inside of a transaction.
import type { Bindings } from '../../core/db/index.ts'
import type { Workbooks } from './files/workbooks.ts'
import type { RowViews } from './row-views.ts'

export interface TableToolServices {
  /** Finds pages of sorted and filtered tables. */
  rowViews: RowViews
  workbooks: Pick<Workbooks, 'read'>
}

export const tableToolBindings = {
  rowViews: 'unchanged',
  workbooks: 'unchanged',
} satisfies Bindings<TableToolServices>
