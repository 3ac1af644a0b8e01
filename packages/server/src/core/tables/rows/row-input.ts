// Reads the rows of a request by the columns of their table: converts values (cells.ts) and reports
// invalid ones with their location. A row with an error is skipped, the others are written. This
// file does not use the database; rows.ts reports errors that depend on it.
import { ApiError } from '@botstead/contract'
import type { Column } from '../columns.ts'
import { keyTypes, type TableRow } from '../tables.ts'
import { type CellType, coerceCell, notValue } from './cells.ts'

export interface RowInput {
  /** Index of the row in the request; all messages about the row begin with it. */
  n: number
  /** Row number, if the request names one. */
  id: number | null
  /** Column id → value. */
  data: Record<string, unknown>
  /** Ids of columns to clear. */
  cleared: string[]
  /** Why it cannot be a new row; null if it can. */
  lacks: string | null
}

export interface ParsedRows {
  rows: RowInput[]
  errors: string[]
  warnings: string[]
}

/** System fields, which callers send back with rows that they have read. */
const systemNames = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'computed',
  'stale',
  'similarity',
])
const maxRemarks = 100

export function parseRows(
  table: Pick<TableRow, 'columns' | 'compute_enabled'>,
  given: Record<string, unknown>[],
): ParsedRows {
  const columns = new Map(table.columns.map((column) => [column.name, column]))
  const errors: string[] = []
  const unknown = new Set<string>()
  const computed = new Set<string>()
  const rows = given.flatMap((row, n): RowInput[] => {
    const input: RowInput = {
      n,
      id: typeof row.id === 'number' ? row.id : null,
      data: {},
      cleared: [],
      lacks: null,
    }
    const wrong: string[] = []
    for (const [name, value] of Object.entries(row)) {
      const column = columns.get(name)
      if (value === undefined || (!column && systemNames.has(name))) continue
      if (!column) unknown.add(name)
      else if (isComputed(table, column)) computed.add(name)
      else readCell(column, value, input, wrong)
    }
    const missing = table.columns.filter(
      (column) =>
        column.required &&
        !isComputed(table, column) &&
        !Object.hasOwn(input.data, column.id),
    )
    if (missing.length > 0)
      input.lacks = `${quoted(missing.map(({ name }) => name))} must have a value`
    if (input.id !== null && !isRowId(input.id)) wrong.push('`id` must be a row number')
    if (wrong.length > 0) errors.push(`rows[${n}]: ${wrong.join('; ')}`)
    return wrong.length > 0 ? [] : [input]
  })
  const warnings = [
    ...(unknown.size > 0
      ? [`Ignored the values of unknown columns: ${quoted([...unknown])}`]
      : []),
    ...(computed.size > 0
      ? [`Ignored the values of computed columns: ${quoted([...computed])}`]
      : []),
  ]
  return { rows, errors, warnings }
}

/** Returns whether the server computes the values of this column, and ignores those of callers. */
export const isComputed = (
  table: Pick<TableRow, 'compute_enabled'>,
  { computed }: Column,
) => table.compute_enabled && computed !== undefined && computed.enabled !== false

function readCell(
  column: Column,
  value: unknown,
  { data, cleared }: RowInput,
  wrong: string[],
) {
  if (value === null) {
    if (!column.nullable) wrong.push(`${quoted([column.name])} must not be null`)
    else cleared.push(column.id)
    return
  }
  const cell = toCell(column, value)
  if ('wrong' in cell)
    wrong.push(`${quoted([column.name])} ${cell.wrong}${notValue(value)}`)
  else data[column.id] = cell.value
}

function toCell(
  { type, schema }: Column,
  value: unknown,
): { value: unknown } | { wrong: string } {
  if (type === 'null') return { wrong: 'must be null' }
  if (type === 'array')
    return Array.isArray(value) ? { value } : { wrong: 'must be an array' }
  if (type === 'object')
    return typeof value === 'object' ? { value } : { wrong: 'must be an object' }
  const cell = coerceCell(type satisfies CellType, value)
  if ('value' in cell && schema.enum && !schema.enum.includes(String(cell.value)))
    return { wrong: `must be one of ${quoted(schema.enum.slice(0, 20))}` }
  return cell
}

export const isRowId = (id: number) =>
  Number.isInteger(id) && id >= 0 && id <= 2_147_483_647
const quoted = (names: string[]) =>
  names
    .slice(0, 20)
    .map((name) => JSON.stringify(name.slice(0, 100)))
    .join(', ')

/** Keeps the first remarks and the number of the others. */
export function shortened(remarks: string[]): string[] {
  return remarks.length <= maxRemarks
    ? remarks
    : [...remarks.slice(0, maxRemarks), `… and ${remarks.length - maxRemarks} more`]
}

/** Returns the column that identifies rows for an upsert. Throws InvalidPayload. */
export function findKeyColumn(
  { columns }: Pick<TableRow, 'columns'>,
  name: string,
): 'id' | Column {
  if (name === 'id') return 'id'
  const column = columns.find((one) => one.name === name)
  if (!column || !keyTypes.includes(column.type))
    throw new ApiError(
      'InvalidPayload',
      `\`keyColumn\` must name a stored string, number, boolean or date column; ${quoted([name])} is not one`,
    )
  return column
}
