// Chooses, marks and edits cells by mouse and touch.
import { type MouseEvent, useRef } from 'react'
import type { CellAt } from './cell.tsx'
import type { Selection } from './use-selection.ts'

interface Mouse {
  selection: Selection
  edit: (at: CellAt) => void
  onChoose: (index: number, isExtending: boolean) => void
}

/** Between the clicks of a double-click, in ms. Not every browser reports those of a finger. */
const doubleClickMs = 500

export function useMouse({ selection, edit, onChoose }: Mouse) {
  const { active, moveTo } = selection
  const lastAt = useRef(Number.NEGATIVE_INFINITY)
  return {
    onMouseDown(event: MouseEvent) {
      const at = findCell(event)
      if (!at || event.button !== 0) return
      const clickedAt = lastAt.current
      lastAt.current = Number.NEGATIVE_INFINITY
      if (at.column === null) return onChoose(at.row, event.shiftKey)
      const to = { row: at.row, column: at.column }
      const isActive = to.row === active.row && to.column === active.column
      const isQuick = event.timeStamp - clickedAt < doubleClickMs
      if (!isActive || !isQuick || event.shiftKey) {
        lastAt.current = event.timeStamp
        return moveTo(to, event.shiftKey)
      }
      event.preventDefault()
      edit(to)
    },
    onMouseOver(event: MouseEvent) {
      const at = event.buttons === 1 ? findCell(event) : null
      if (at && at.column !== null) moveTo({ row: at.row, column: at.column }, true)
    },
  }
}

/** The cell of an event; `column` is null for the number of a row. */
function findCell({ target }: MouseEvent): { row: number; column: number | null } | null {
  if (!(target instanceof Element) || target.closest('textarea')) return null
  const row = target.closest<HTMLElement>('[data-row]')?.dataset.row
  if (row === undefined) return null
  const column = target.closest<HTMLElement>('[data-column]')?.dataset.column
  if (column !== undefined) return { row: Number(row), column: Number(column) }
  return target.closest('[data-choose]') ? { row: Number(row), column: null } : null
}
