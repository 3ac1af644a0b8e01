import type { CellStyle } from './cell-styles.ts'
import type { Remarks } from './remarks.ts'
import type { CellView } from './sheets.ts'

/** The parts of an XLSX workbook that give the cells of one sheet their values. */
export interface SheetContext {
  name: string
  view: CellView
  is1904: boolean
  styles: CellStyle[]
  /** With marks. */
  strings: string[]
  remarks: Remarks
}
