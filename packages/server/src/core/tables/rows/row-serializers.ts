// Converts a stored row for responses: columns by name, null for empty cells, and system fields.
import type { Row } from '@botstead/contract'
import type { Column } from '../columns.ts'
import type { TableRow } from '../tables.ts'
import type { OutputRow, StoredRow } from './row-types.ts'

/** The selected columns, and the selected paths in them: null for the entire column. */
type RowSelection = { column: Column; parts: string[][] | null }[]

export const wholeRow = (columns: Column[]): RowSelection =>
  columns.map((column) => ({ column, parts: null }))

/** Parses a selection of names and paths into objects. Unknown ones produce warnings. */
export function parseSelection(
  select: string[],
  columns: Column[],
): { selection: RowSelection; warnings: string[] } {
  const chosen = new Map<Column, string[][] | null>()
  const warnings: string[] = []
  for (const path of new Set(select)) {
    const [name, ...steps] = path.split('.')
    const column = columns.find((one) => one.name === name)
    if (column)
      chosen.set(
        column,
        steps.length === 0 || chosen.get(column) === null
          ? null
          : [...(chosen.get(column) ?? []), steps],
      )
    else if (!['id', 'createdAt', 'updatedAt'].includes(path) && warnings.length < 20)
      warnings.push(`Unknown column ${JSON.stringify(path.slice(0, 100))}`)
  }
  return {
    selection: columns
      .filter((column) => chosen.has(column))
      .map((column) => ({ column, parts: chosen.get(column)! })),
    warnings,
  }
}

export const toRow = (table: TableRow, row: OutputRow): Row => rowSerializer(table)(row)

/** Returns the conversion of one table's rows. */
export function rowSerializer(
  { columns }: TableRow,
  selection: RowSelection = wholeRow(columns),
): (row: OutputRow) => Row {
  return ({ row_id, created_at, updated_at, data, computed, stale }) => {
    const shown: Record<string, unknown> = {
      id: Number(row_id),
      createdAt: created_at.toISOString(),
      updatedAt: updated_at.toISOString(),
    }
    for (const { column, parts } of selection)
      shown[column.name] = shownCell(data[column.id] ?? null, parts)
    shown.computed = computed === null ? {} : toComputed(columns, computed)
    shown.stale =
      stale === null
        ? []
        : columns.filter(({ id }) => stale.includes(id)).map(({ name }) => name)
    return shown as Row
  }
}

const toComputed = (columns: Column[], computed: StoredRow['computed']) =>
  Object.fromEntries(
    columns
      .filter(({ id }) => Object.hasOwn(computed, id))
      .map(({ id, name }) => [name, computed[id]!]),
  )

function shownCell(cell: unknown, parts: string[][] | null): unknown {
  if (parts === null || typeof cell !== 'object' || cell === null) return cell
  const shown: Record<string, unknown> = {}
  for (const [step, ...rest] of parts) {
    if (!Object.hasOwn(cell, step!)) continue
    const deeper = parts
      .filter(([first, ...more]) => first === step && more.length > 0)
      .map(([, ...more]) => more)
    const isWhole =
      rest.length === 0 || parts.some((path) => path.length === 1 && path[0] === step)
    shown[step!] = shownCell(
      (cell as Record<string, unknown>)[step!],
      isWhole ? null : deeper,
    )
  }
  return shown
}
