// The services of this feature, which its handlers receive beside those of the core.
import type { Workbooks } from './files/workbooks.ts'
import type { RowViews } from './row-views.ts'

export interface TableToolServices {
  /** Finds pages of sorted and filtered tables. */
  rowViews: RowViews
  workbooks: Pick<Workbooks, 'read'>
}
