// The cells of the grid: their values with edits, and changes of them.
import type { Row } from '@botstead/contract'
import type { GridColumn } from '../columns.ts'
import type { CellAt } from './cell.tsx'
import { inputText, parseCell } from './cell-values.ts'
import type { CellChange, Edits } from './use-edits.ts'
import type { Selection } from './use-selection.ts'

export interface CellSource {
  columns: GridColumn[]
  rowAt: (index: number) => Row | undefined
  edits: Edits
  selection: Selection
}

export interface Cells {
  valueAt: (at: CellAt) => unknown
  /** Saves a value, unless it is equal or the cell cannot be changed. */
  set: (changes: { at: CellAt; value: unknown }[]) => void
  /** Saves an input. An invalid one stays in the cell with the reason. */
  setText: (at: CellAt, text: string) => void
  inRange: () => CellAt[][]
}

/** Rows that one action changes or copies. */
export const maxRows = 1_000

export function toCells({ columns, rowAt, edits, selection }: CellSource): Cells {
  const toChange = (
    { row, column, found = rowAt(row) }: CellAt,
    after: unknown,
  ): CellChange[] => {
    const of = columns[column]
    if (!found || !of || of.isComputed) return []
    const before = found[of.name] ?? null
    const isEqual =
      inputText(before, of) === inputText(after, of) && !edits.ofRow(found.id)?.[of.name]
    return isEqual ? [] : [{ rowId: found.id, column: of.name, before, after }]
  }
  return {
    valueAt({ row, column, found = rowAt(row) }) {
      const { name = '' } = columns[column] ?? {}
      const edit = found && edits.ofRow(found.id)?.[name]
      return edit ? edit.value : found?.[name]
    },
    set: (changes) =>
      edits.apply(changes.flatMap(({ at, value }) => toChange(at, value))),
    setText(at, text) {
      const parsed = parseCell(text, columns[at.column]!)
      if ('value' in parsed) return edits.apply(toChange(at, parsed.value))
      for (const change of toChange(at, text)) edits.reject(change, parsed.wrong)
    },
    inRange() {
      const [from, to] = selection.range.rows
      const rows = between(from, Math.min(to, from + maxRows - 1))
      const columnNumbers = between(...selection.range.columns)
      return rows.map((row) => columnNumbers.map((column) => ({ row, column })))
    },
  }
}

const between = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)
