// Converts values to the type of their column. Cells and the operands of filters use the same
// conversion. Invariant of every stored row: the cell of a plain column has exactly its type; nulls
// are not stored.

import { parseExactNumber } from '@botstead/lib'

/** The types of plain columns. All other columns hold JSON as it is. */
export type CellType = 'string' | 'number' | 'boolean' | 'date'
export type CellValue = string | number | boolean

/**
 * Converts a value to a type; `wrong` is the reason for a failure. Null fits no type: callers
 * handle it first.
 */
export function coerceCell(
  type: CellType,
  value: unknown,
): { value: CellValue } | { wrong: string } {
  switch (type) {
    case 'string':
      if (typeof value === 'number' || typeof value === 'boolean')
        return { value: String(value) }
      return typeof value === 'string' ? { value } : { wrong: 'must be a string' }
    case 'number':
      return numberFrom(value)
    case 'boolean':
      if (typeof value === 'boolean') return { value }
      return value === 'true' || value === 'false'
        ? { value: value === 'true' }
        : { wrong: 'must be true or false' }
    case 'date':
      return dateFrom(value)
  }
}

/** Describes the rejected value after `wrong`: `must be a number, not "dear"`. */
export function notValue(value: unknown): string {
  if (Array.isArray(value)) return ', not an array'
  if (typeof value === 'object') return ', not an object'
  if (typeof value !== 'string') return `, not ${value}`
  return `, not ${JSON.stringify(value.length > maxQuoted ? `${value.slice(0, maxQuoted)} …` : value)}`
}

/** Characters of a value in a message. */
const maxQuoted = 50

function numberFrom(value: unknown): { value: number } | { wrong: string } {
  if (typeof value === 'string') {
    const number = parseExactNumber(value)
    if (number !== null) return { value: number }
    return decimal.test(value)
      ? { wrong: 'must be a number that keeps all characters' }
      : { wrong: 'must be a number' }
  }
  if (typeof value !== 'number' || !Number.isFinite(value))
    return { wrong: 'must be a number' }
  return { value: value === 0 ? 0 : value } // never -0, which JSON cannot represent
}

const decimal = /^\s*[+-]?\d[\d.eE+-]*\s*$/

function dateFrom(value: unknown): { value: string } | { wrong: string } {
  if (typeof value === 'string' && isAsStored(value)) return { value }
  const [, day, time = '00:00', offset = 'Z'] =
    typeof value === 'string' ? (moment.exec(value) ?? []) : []
  const date = new Date(`${day}T${time}${offset.replace(/(\d\d)(\d\d)$/, '$1:$2')}`)
  // JavaScript would turn an invalid day such as February 30 into another one.
  const isDay =
    !Number.isNaN(date.getTime()) &&
    new Date(`${day}T00:00Z`).toISOString().startsWith(day!)
  const isShort = isDay && date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999
  return isShort
    ? { value: date.toISOString() }
    : { wrong: 'must be a date, or a date and time, such as 2026-01-31 18:30' }
}

/** Returns whether the value is already in its stored form: a fast path for most values. */
function isAsStored(value: string): boolean {
  if (value.length !== 24) return false
  const date = new Date(value)
  return !Number.isNaN(date.getTime()) && date.toISOString() === value
}

/**
 * A day, or a day and a time. Without an offset the time is UTC, regardless of the machine's time
 * zone.
 */
const moment =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s?(Z|[+-]\d\d:?\d\d)?)?$/
