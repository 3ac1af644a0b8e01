// The active cell of the grid, and the marked range between it and its anchor.
import { useState } from 'react'
import type { CellAt } from './cell.tsx'

interface Range {
  rows: readonly [from: number, to: number]
  columns: readonly [from: number, to: number]
}

export interface Selection {
  active: CellAt
  range: Range
  /** Extends the range, or moves it with its anchor. */
  moveTo: (to: CellAt, isExtending: boolean) => void
}

export function useSelection(rows: number, columns: number): Selection {
  const [{ active, anchor }, set] = useState({
    active: { row: 0, column: 0 },
    anchor: { row: 0, column: 0 },
  })
  const within = ({ row, column }: CellAt) => ({
    row: Math.max(0, Math.min(rows - 1, row)),
    column: Math.max(0, Math.min(columns - 1, column)),
  })
  const [to, from] = [within(active), within(anchor)]
  return {
    active: to,
    range: { rows: sorted(from.row, to.row), columns: sorted(from.column, to.column) },
    moveTo: (next, isExtending) =>
      set({ active: within(next), anchor: isExtending ? from : within(next) }),
  }
}

const sorted = (a: number, b: number): readonly [number, number] =>
  a < b ? [a, b] : [b, a]

type Press = { key: string; ctrlKey: boolean; metaKey: boolean }

/** Returns the cell to which a key moves, or null for other keys. */
export function movedBy(
  { key, ctrlKey, metaKey }: Press,
  { row, column }: CellAt,
  pageRows: number,
): CellAt | null {
  const far = ctrlKey || metaKey ? Number.MAX_SAFE_INTEGER : 1
  switch (key) {
    case 'ArrowUp':
      return { row: row - far, column }
    case 'ArrowDown':
      return { row: row + far, column }
    case 'ArrowLeft':
      return { row, column: column - far }
    case 'ArrowRight':
      return { row, column: column + far }
    case 'PageUp':
      return { row: row - pageRows, column }
    case 'PageDown':
      return { row: row + pageRows, column }
    case 'Home':
      return { row: far > 1 ? 0 : row, column: 0 }
    case 'End':
      return {
        row: far > 1 ? Number.MAX_SAFE_INTEGER : row,
        column: Number.MAX_SAFE_INTEGER,
      }
    default:
      return null
  }
}
