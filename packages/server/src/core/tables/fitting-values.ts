// Values for computed columns, as code and models return them.
import { isDeeper, maxJsonDepth } from '@botstead/lib'
import { rejectUnstorable } from '../lib/index.ts'
import type { ColumnResult } from './column-model.ts'
import type { Column } from './columns.ts'
import { coerceCell } from './rows/cells.ts'
import { bytesPerFactor, type TableRow } from './tables.ts'

/** Converts a value to the column's type, and checks that the database can store it. */
export function toFittingValue(
  { factor }: TableRow,
  { type }: Column,
  value: unknown,
): ColumnResult {
  if (value === null) return { value }
  if (isDeeper(value, maxJsonDepth))
    return { error: `The value exceeds ${maxJsonDepth} nesting levels` }
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > bytesPerFactor * factor)
    return { error: `The value exceeds ${bytesPerFactor * factor} bytes` }
  const unstorable = whyUnstorable(value)
  if (unstorable) return { error: unstorable }
  if (type === 'object')
    return isObject(value) ? { value } : { error: 'The value must be an object' }
  if (type === 'array')
    return Array.isArray(value) ? { value } : { error: 'The value must be an array' }
  if (type === 'null') return { value: null }
  const cell = coerceCell(type, value)
  return 'wrong' in cell ? { error: `The value ${cell.wrong}` } : cell
}

function whyUnstorable(value: unknown): string | null {
  try {
    rejectUnstorable(value, '', 'The value')
    return null
  } catch (error) {
    return (error as Error).message
  }
}

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
