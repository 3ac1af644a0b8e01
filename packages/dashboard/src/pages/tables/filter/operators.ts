// The operators of the filter language for each type of column, and values of their inputs.
import { type ColumnType, type GridColumn, isJsonType } from '../columns.ts'
import type { FilterRule, Operator } from './filter-tree.ts'

/** A column that filters can name, also of the system. */
export interface FilterColumn {
  name: string
  type: ColumnType
}

export const filterColumns = (columns: GridColumn[]): FilterColumn[] => [
  ...columns.map(({ name, type }) => ({ name, type })),
  { name: 'id', type: 'number' },
  { name: 'createdAt', type: 'date' },
  { name: 'updatedAt', type: 'date' },
]

const order = ['gt', 'gte', 'lt', 'lte'] as const
const presence = ['filled', 'empty'] as const
const texts = ['contains', 'begins', 'regex'] as const
const json = [
  'eq',
  'ne',
  ...texts,
  ...order,
  'in',
  'nin',
  'mod',
  'size',
  ...presence,
] as const

const byType: Record<ColumnType, readonly Operator[]> = {
  string: ['eq', 'ne', ...texts, ...order, 'in', 'nin', ...presence],
  number: ['eq', 'ne', ...order, 'in', 'nin', 'mod', ...presence],
  boolean: ['eq', 'ne', ...presence],
  date: ['eq', 'ne', ...order, 'in', 'nin', ...presence],
  object: json,
  array: json,
}

/** With the current one, also if it is unusual. */
export const toOperators = (type: ColumnType, current: Operator): Operator[] => [
  ...new Set([...byType[type], current]),
]

export function findColumn(
  columns: FilterColumn[],
  path: string,
): FilterColumn | undefined {
  return (
    columns.find(({ name }) => name === path) ??
    columns.find(({ name, type }) => isJsonType(type) && path.startsWith(`${name}.`))
  )
}

/** The path inside an object or a list. */
export const toInnerPath = (path: string, column: FilterColumn) =>
  path.slice(column.name.length + 1)

/** The input of an operator. */
type InputKind = 'none' | 'text' | 'value' | 'list' | 'pair' | 'count'

export function inputKind(op: Operator): InputKind {
  if (op === 'filled' || op === 'empty') return 'none'
  if (op === 'contains' || op === 'begins' || op === 'regex') return 'text'
  if (op === 'in' || op === 'nin') return 'list'
  if (op === 'mod') return 'pair'
  return op === 'size' ? 'count' : 'value'
}

/** The same rule with another operator. Its value stays, if it fits. */
export function withOperator(rule: FilterRule, op: Operator): FilterRule {
  const kind = inputKind(op)
  const ignoreCase = op === 'contains' || op === 'begins'
  if (kind === inputKind(rule.op)) return { ...rule, op }
  return { ...rule, op, ignoreCase, value: converted(rule.value, kind) }
}

function converted(value: unknown, kind: InputKind): unknown {
  const one = Array.isArray(value) ? value[0] : value
  const isEmpty = one === undefined || one === null || one === ''
  if (kind === 'list') return isEmpty ? [] : [one]
  if (kind === 'pair') return [2, 0]
  if (kind === 'count') return 0
  return isEmpty || typeof one === 'object' ? '' : one
}

/** Inside objects and lists, values keep their types: `12` is a number, `"12"` a text. */
export function toValue(text: string, type: ColumnType): unknown {
  if (type === 'number')
    return text.trim() !== '' && Number.isFinite(+text) ? +text : text
  if (type === 'boolean')
    return text === 'true' || text === 'false' ? text === 'true' : text
  if (!isJsonType(type)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A day without a time is meant as a whole: these operators compare with its end. */
const comparesEnd = (op: Operator | undefined) => op === 'gt' || op === 'lte'
const start = '00:00:00'
const end = '23:59:59'

/** Returns day and time (UTC) of a value, as inputs have them; no time for a whole day. */
export function partsOfDate(value: unknown): { day: string; time: string } {
  const text = typeof value === 'string' ? value : ''
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text)
  const date = new Date(
    hasZone || text === '' ? text : `${text}${text.includes('T') ? 'Z' : ''}`,
  )
  if (Number.isNaN(date.getTime())) return { day: '', time: '' }
  const [day, given] = [date.toISOString().slice(0, 10), date.toISOString().slice(11, 19)]
  if (given === start || given === end) return { day, time: '' }
  return { day, time: given.replace(/:00$/, '') }
}

export function toDateValue(day: string, time: string, op?: Operator): string {
  if (day === '') return ''
  if (time !== '') return `${day}T${time.length === 5 ? `${time}:00` : time}Z`
  return comparesEnd(op) ? `${day}T${end}.999Z` : `${day}T${start}Z`
}

/** The text of an input, which `toValue` reads again. */
export function toText(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) return isJsonType(type) ? 'null' : ''
  if (typeof value !== 'string') return JSON.stringify(value)
  const isText = !isJsonType(type) || toValue(value, type) === value
  return isText ? value : JSON.stringify(value)
}
