// Sheets of workbooks of any format.

export type CellValue = string | number | boolean | null

/** A row with cells: its number in the sheet, from 1. */
export interface WorkbookRow {
  number: number
  cells: CellValue[]
}

/**
 * `data`: values for tables; dates in ISO 8601, nothing for errors. `text`: all cells as texts as a
 * person reads them.
 */
export type CellView = 'data' | 'text'

export interface Sheet {
  name: string
  isHidden: boolean
  /** Rows with cells. Throws UnreadableFile. */
  rows(view: CellView): AsyncGenerator<WorkbookRow>
  /** About the rows that were read: what they leave out. */
  remarks(): string[]
}

export const remedy = ': save it as XLSX, ODS or CSV'
