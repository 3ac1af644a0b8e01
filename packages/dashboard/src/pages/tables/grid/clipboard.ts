// Copies and pastes ranges of cells, in the format of spreadsheets.
import type { ClipboardEvent } from 'react'
import type { GridColumn } from '../columns.ts'
import { editedText, fromTsv, parseCell, toTsv } from './cell-values.ts'
import { type Cells, maxRows } from './cells.ts'
import type { Selection } from './use-selection.ts'

interface Clipboard {
  cells: Cells
  columns: GridColumn[]
  selection: Selection
  isEditable: boolean
}

export function clipboardHandlers({ cells, columns, selection, isEditable }: Clipboard) {
  const { range, moveTo } = selection
  return {
    onCopy(event: ClipboardEvent) {
      if (isField(event)) return
      const copied = cells
        .inRange()
        .map((row) => row.map((at) => editedText(cells.valueAt(at))))
      event.clipboardData.setData('text/plain', toTsv(copied))
      event.preventDefault()
    },
    onPaste(event: ClipboardEvent) {
      if (isField(event) || !isEditable) return
      event.preventDefault()
      const pasted = fromTsv(event.clipboardData.getData('text/plain')).slice(0, maxRows)
      const [row, column] = [range.rows[0], range.columns[0]]
      cells.set(
        pasted.flatMap((texts, down) =>
          texts.map((text, right) => {
            const at = { row: row + down, column: column + right }
            const parsed = parseCell(text, columns[at.column] ?? { type: 'string' })
            return { at, value: 'wrong' in parsed ? text : parsed.value }
          }),
        ),
      )
      const width = Math.max(...pasted.map((texts) => texts.length))
      moveTo({ row, column }, false)
      moveTo({ row: row + pasted.length - 1, column: column + width - 1 }, true)
    },
  }
}

/** The editor of a cell has its own clipboard. */
const isField = ({ target }: ClipboardEvent) => target instanceof HTMLTextAreaElement
