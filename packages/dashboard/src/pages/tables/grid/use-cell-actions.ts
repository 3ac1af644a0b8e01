// Actions on cells by keyboard, and those of mouse and clipboard.
import { type KeyboardEvent, useState } from 'react'
import type { CellAt } from './cell.tsx'
import { inputText } from './cell-values.ts'
import { type CellSource, type Cells, toCells } from './cells.ts'
import { clipboardHandlers } from './clipboard.ts'
import { useMouse } from './mouse.ts'
import { movedBy } from './use-selection.ts'

interface Grid extends CellSource {
  isEditable: boolean
  pageRows: number
  focus: () => void
  onChoose: (index: number, isExtending: boolean) => void
}

export function useCellActions(grid: Grid) {
  const cells = toCells(grid)
  const editor = useCellEditor(grid, cells)
  const { edit, close } = editor
  const handlers = {
    onKeyDown: keyHandler(grid, cells, edit),
    ...useMouse({ ...grid, edit }),
    ...clipboardHandlers({ ...grid, cells }),
  }
  const saveOpened = (value: unknown) =>
    editor.opened && cells.set([{ at: editor.opened, value }])
  return { ...editor, close, saveOpened, valueAt: cells.valueAt, handlers }
}

/** Where the active cell goes after a key ended its editor. */
const steps: Record<string, CellAt> = {
  Enter: { row: 1, column: 0 },
  Tab: { row: 0, column: 1 },
  BackTab: { row: 0, column: -1 },
}

function useCellEditor(
  { columns, rowAt, selection, isEditable, focus }: Grid,
  cells: Cells,
) {
  const [editing, setEditing] = useState<(CellAt & { text: string }) | null>(null)
  const [opened, setOpened] = useState<CellAt | null>(null)
  return {
    editing,
    opened,
    /** With a text, the editor begins with it instead of the value. */
    edit(at: CellAt, text?: string) {
      const column = columns[at.column]
      const found = rowAt(at.row)
      if (!column || !found) return
      if (column.type === 'object' || column.type === 'array')
        return setOpened({ ...at, found })
      if (!isEditable || column.isComputed) return
      const value = cells.valueAt(at)
      if (column.type !== 'boolean')
        return setEditing({ ...at, found, text: text ?? inputText(value, column) })
      // Typed letters must not change the value by accident.
      if (text === undefined || text === ' ') cells.setText(at, toggled(value))
    },
    /** A null discards the input. */
    end(text: string | null, key: string) {
      if (editing && text !== null) cells.setText(editing, text)
      setEditing(null)
      if (key === '') return
      focus()
      const step = steps[key]
      const { row, column } = selection.active
      if (step)
        selection.moveTo({ row: row + step.row, column: column + step.column }, false)
    },
    close() {
      setOpened(null)
      focus()
    },
  }
}

const toggled = (value: unknown) => (String(value) === 'true' ? 'false' : 'true')

const keyHandler = (
  grid: Grid,
  cells: Cells,
  edit: (at: CellAt, text?: string) => void,
) => {
  const { selection, edits, isEditable, pageRows, onChoose } = grid
  const { active, moveTo } = selection
  return (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const { key, shiftKey } = event
    const isCommand = event.ctrlKey || event.metaKey
    const to = movedBy(event, active, pageRows)
    if (to) moveTo(to, shiftKey)
    else if (isCommand && key.toLowerCase() === 'z')
      (shiftKey ? edits.redo : edits.undo)?.()
    else if (isCommand && key.toLowerCase() === 'y') edits.redo?.()
    else if (isCommand || event.altKey) return
    else if (key === ' ' && shiftKey) onChoose(active.row, false)
    else if (key === 'Enter' || key === 'F2') edit(active)
    else if ((key === 'Delete' || key === 'Backspace') && isEditable)
      cells.set(cells.inRange().flatMap((row) => row.map((at) => ({ at, value: null }))))
    else if (key === 'Escape') discard(grid)
    else if (key.length === 1) edit(active, key)
    else return
    event.preventDefault()
  }
}

/** Discards a rejected input of the active cell, else the range. */
function discard({ columns, rowAt, edits, selection: { active, moveTo } }: Grid) {
  const row = rowAt(active.row)
  const name = columns[active.column]?.name
  if (row && name && edits.ofRow(row.id)?.[name]?.error) edits.discard(row.id, name)
  else moveTo(active, false)
}
