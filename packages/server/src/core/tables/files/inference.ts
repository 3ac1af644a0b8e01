// Infers the columns of a file from its first records. A text becomes a number only if the number keeps
// all of its characters: codes such as 00123 and 1e5 stay texts.
import { parseExactNumber } from '@botstead/lib'

export type ColumnShape = {
  type: 'string' | 'number' | 'boolean' | 'object' | 'array'
  format?: 'date-time'
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3}0*)?)?(Z|[+-]\d\d:?\d\d)$/

/** Returns the object or array that a text contains as JSON, as exports write them. */
function inText(value: unknown): object | null {
  try {
    return typeof value === 'string' && /^[[{]/.test(value) ? JSON.parse(value) : null
  } catch {
    return null
  }
}

/**
 * Infers the type of a column from its non-null values. Texts may be numbers and so on, unless `isTyped`:
 * then only dates are texts. Returns null without any value.
 */
export function inferShape(values: unknown[], isTyped = false): ColumnShape | null {
  const given = values.filter(
    (value) => value !== null && value !== undefined && value !== '',
  )
  if (given.length === 0) return values.length > 0 ? { type: 'string' } : null
  const all = (test: (value: unknown) => boolean) => given.every(test)
  if (areNumbers(given, isTyped)) return { type: 'number' }
  if (
    all(
      (value) =>
        typeof value === 'boolean' ||
        (!isTyped && typeof value === 'string' && /^(true|false)$/i.test(value)),
    )
  )
    return { type: 'boolean' }
  if (all((value) => typeof value === 'string' && moment.test(value)))
    return { type: 'string', format: 'date-time' }
  const written = (value: unknown) => (isTyped ? null : inText(value))
  if (all((value) => Array.isArray(value) || Array.isArray(written(value))))
    return { type: 'array' }
  if (
    given.some((value) => typeof value === 'object') ||
    all((value) => written(value) !== null)
  )
    return { type: 'object' }
  return { type: 'string' }
}

/**
 * Zeros at the end of decimals are part of an amount if all amounts have as many decimals, as 12.50 and
 * 3.00; of versions, as 1.9 and 1.10, they distinguish values.
 */
function areNumbers(values: unknown[], isTyped: boolean): boolean {
  const decimals = new Set<number>()
  let hasZeros = false
  for (const value of values) {
    if (typeof value === 'number') continue
    if (isTyped || typeof value !== 'string' || parseExactNumber(value) === null)
      return false
    const fraction = /\.(\d*)/.exec(value)?.[1]
    if (fraction !== undefined) decimals.add(fraction.length)
    hasZeros ||= fraction?.endsWith('0') === true
  }
  return !hasZeros || decimals.size === 1
}

/** Infers the missing columns, at most as many as the table can add. */
export function inferColumns(
  records: Record<string, unknown>[],
  isKnown: (name: string) => boolean,
  maxNew: number,
  isTyped = false,
): Record<string, ColumnShape> {
  const values = new Map<string, unknown[]>()
  for (const record of records)
    for (const [name, value] of Object.entries(record)) {
      if (isKnown(name)) continue
      if (!values.has(name)) values.set(name, [])
      values.get(name)!.push(value)
    }
  const shapes = [...values].flatMap(([name, all]): [string, ColumnShape][] => {
    const shape = inferShape(all, isTyped)
    return shape ? [[name, shape]] : []
  })
  return Object.fromEntries(shapes.slice(0, maxNew))
}
