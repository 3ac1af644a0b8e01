// The language of filters, as an algebra. This file reads a filter into conditions and refuses what is none; filter-sql.ts turns conditions into SQL.
//
//   filter    ::= { <path>: condition …, $and: [filter, …], $or: [filter, …], $not: filter }      all of it must hold; {} always does
//   condition ::= a value, which it equals | { $operator: operand, … }                            all of them must hold
//   path      ::= a column, id, createdAt, updatedAt, or column.key.key … into an object; a number is a place in an array
//
// * Nothing and null are the same: a cell that was never set, one set to null, a key that is not there. $eq null and $exists false find it.
// * Every condition is true or false, nothing is unknown: $ne, $nin and $not are exactly the contrary of $eq, $in and what they stand before,
//   so they hold for nothing too.
// * Of a plain column the type is known, and what it is compared with becomes that type as a cell would (cells.ts), or is refused. In an object
//   values keep the type that they have, and of two types neither is equal nor greater.
// * $eq and $in of a text, number or boolean also find an array that has it as an element. Otherwise arrays and objects are equal as a whole.
// * $gt $gte $lt $lte order numbers by size, texts by code points, false before true, moments by time; they are false for anything else.
// * $mod [divisor, remainder] takes the whole part of a number, and the remainder has the sign of the number. $size is the length of an array.
// * $regex searches a text; pattern.ts says which patterns, $options is "i" (upper and lower case are the same) or "c" (they are not; so it is unless said).
// * $and and $or name one filter at least; inside of a condition they name conditions. Nesting and size are bounded.
import { ApiError } from '@botstead/contract'
import { type CellType, type CellValue, coerceCell } from './cells.ts'
import { readPattern } from './pattern.ts'

/** What a filter must know of a column. The id is ours and part of SQL; the name is the author's, and never is. */
export interface FilterColumn {
  id: string
  name: string
  type: string
}

export type Place =
  | { kind: 'system'; name: SystemColumn }
  | { kind: 'plain'; id: string; type: CellType }
  | { kind: 'deep'; id: string; steps: string[] }
export type SystemColumn = 'id' | 'createdAt' | 'updatedAt'
export type Sign = '>' | '>=' | '<' | '<='

export type Condition =
  | { op: 'all' | 'any'; of: Condition[] }
  | { op: 'not'; of: Condition }
  | { op: 'equals'; at: Place; value: unknown }
  | { op: 'in'; at: Place; values: unknown[] }
  | { op: 'compare'; at: Place; sign: Sign; value: CellValue }
  | { op: 'exists'; at: Place }
  | { op: 'mod'; at: Place; divisor: number; remainder: number }
  | { op: 'size'; at: Place; size: number }
  | { op: 'matches'; at: Place; pattern: string; ignoreCase: boolean }

const mostDepth = 16
const mostConditions = 500
const mostValues = 1_000
const mostSteps = 10

/** Throws InvalidQuery with the place of what is wrong. */
export function parseFilter(filter: Record<string, unknown>, columns: FilterColumn[]): Condition {
  return new Reader(columns).filter(filter, 'filter', 0)
}

/** Throws InvalidQuery for a path that leads nowhere. */
export function parsePath(path: string, columns: FilterColumn[], where: string): Place {
  if (path === 'id' || path === 'createdAt' || path === 'updatedAt') return { kind: 'system', name: path }
  const whole = columns.find(({ name }) => name === path)
  if (whole) return placeOf(whole, [])
  const [first, ...steps] = path.split('.')
  const column = columns.find(({ name }) => name === first)
  if (!column) throw refusal(where, `unknown column ${JSON.stringify(first?.slice(0, 100))}`)
  if (placeOf(column, []).kind === 'plain')
    throw refusal(
      where,
      `the column ${JSON.stringify(column.name)} is neither an object nor an array, so it has no path`,
    )
  if (steps.length > mostSteps) throw refusal(where, `a path may have at most ${mostSteps} steps`)
  // PostgreSQL takes more for a place in an array than we want to explain.
  if (steps.some((step) => step === '' || (/^\s*[+-]?\d/.test(step) && !/^\d{1,9}$/.test(step))))
    throw refusal(where, 'invalid path')
  return placeOf(column, steps)
}

export const refusal = (where: string, reason: string) =>
  new ApiError('InvalidQuery', `${where.slice(0, 300)}: ${reason}`)

const plainTypes: readonly string[] = ['string', 'number', 'boolean', 'date'] satisfies CellType[]

function placeOf({ id, type }: FilterColumn, steps: string[]): Place {
  return plainTypes.includes(type)
    ? { kind: 'plain', id, type: type as CellType }
    : { kind: 'deep', id, steps }
}

/** The type of what is there; undefined where it is known only when it is looked at. */
export function typeAt(place: Place): CellType | undefined {
  if (place.kind === 'plain') return place.type
  if (place.kind === 'system') return place.name === 'id' ? 'number' : 'date'
  return undefined
}

const signs: Record<string, Sign> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' }

class Reader {
  readonly #columns: FilterColumn[]
  #count = 0

  constructor(columns: FilterColumn[]) {
    this.#columns = columns
  }

  filter(filter: unknown, where: string, depth: number): Condition {
    if (!isObject(filter)) throw refusal(where, 'a filter must be an object')
    this.#enter(where, depth)
    const of = Object.entries(filter).map(([key, value]): Condition => {
      const here = `${where}.${key}`
      if (key === '$and' || key === '$or')
        return this.#several(key, value, here, (one, at) => this.filter(one, at, depth + 1))
      if (key === '$not') return { op: 'not', of: this.filter(value, here, depth + 1) }
      if (key.startsWith('$'))
        throw refusal(here, 'this operator is not allowed here; use $and, $or, $not or a column')
      return this.#condition(parsePath(key, this.#columns, here), value, here, depth + 1)
    })
    return { op: 'all', of }
  }

  #several(
    key: '$and' | '$or',
    value: unknown,
    where: string,
    read: (one: unknown, where: string) => Condition,
  ): Condition {
    if (!Array.isArray(value) || value.length === 0) throw refusal(where, 'must be a non-empty array')
    return { op: key === '$and' ? 'all' : 'any', of: value.map((one, i) => read(one, `${where}.${i}`)) }
  }

  #condition(at: Place, condition: unknown, where: string, depth: number): Condition {
    this.#enter(where, depth)
    if (!isObject(condition)) return this.#equals(at, condition, where)
    const operators = Object.keys(condition).filter((key) => key.startsWith('$'))
    if (operators.length === 0) return this.#equals(at, condition, where)
    if (operators.length < Object.keys(condition).length)
      throw refusal(where, 'do not mix operators and keys')
    if ('$options' in condition && !('$regex' in condition)) throw refusal(where, '$options requires $regex')
    const of = operators
      .filter((operator) => operator !== '$options')
      .map((operator) => {
        const here = `${where}.${operator}`
        if (operator === '$regex') return this.#matches(at, condition[operator], condition.$options, here)
        return this.#operator(at, operator, condition[operator], here, depth)
      })
    return { op: 'all', of }
  }

  #operator(at: Place, operator: string, operand: unknown, where: string, depth: number): Condition {
    const sign = Object.hasOwn(signs, operator) ? signs[operator] : undefined
    if (sign) return this.#compare(at, sign, operand, where)
    const inner = (one: unknown, here: string) => this.#condition(at, one, here, depth + 1)
    switch (operator) {
      case '$eq':
        return this.#equals(at, operand, where)
      case '$ne':
        return { op: 'not', of: this.#equals(at, operand, where) }
      case '$in':
        return this.#oneOf(at, operand, where)
      case '$nin':
        return { op: 'not', of: this.#oneOf(at, operand, where) }
      case '$exists':
        if (typeof operand !== 'boolean') throw refusal(where, 'must be true or false')
        return operand ? { op: 'exists', at } : { op: 'not', of: { op: 'exists', at } }
      case '$mod':
        return this.#mod(at, operand, where)
      case '$size':
        if (typeAt(at)) throw refusal(where, 'must refer to an array column')
        if (!isCount(operand)) throw refusal(where, 'must be a non-negative integer')
        return { op: 'size', at, size: operand }
      case '$not':
        return { op: 'not', of: inner(operand, where) }
      case '$and':
      case '$or':
        return this.#several(operator, operand, where, inner)
      default:
        throw refusal(where, 'unknown operator')
    }
  }

  #equals(at: Place, value: unknown, where: string): Condition {
    return { op: 'equals', at, value: this.#operand(at, value, where) }
  }

  #oneOf(at: Place, operand: unknown, where: string): Condition {
    if (!Array.isArray(operand) || operand.length > mostValues)
      throw refusal(where, `must be an array of at most ${mostValues} values`)
    return { op: 'in', at, values: operand.map((value, i) => this.#operand(at, value, `${where}.${i}`)) }
  }

  #compare(at: Place, sign: Sign, operand: unknown, where: string): Condition {
    const value = this.#operand(at, operand, where)
    if (value === null || typeof value === 'object')
      throw refusal(where, 'must be a string, number, boolean or date')
    return { op: 'compare', at, sign, value: value as CellValue }
  }

  #mod(at: Place, operand: unknown, where: string): Condition {
    const type = typeAt(at)
    if (type && type !== 'number') throw refusal(where, 'must refer to a number column')
    const [divisor, remainder] = Array.isArray(operand) && operand.length === 2 ? operand : []
    if (!Number.isSafeInteger(divisor) || !Number.isSafeInteger(remainder) || divisor === 0)
      throw refusal(where, 'must be [divisor, remainder], two integers with a non-zero divisor')
    return { op: 'mod', at, divisor, remainder }
  }

  #matches(at: Place, pattern: unknown, options: unknown, where: string): Condition {
    const type = typeAt(at)
    if (type && type !== 'string') throw refusal(where, 'must refer to a string column')
    if (typeof pattern !== 'string') throw refusal(where, 'must be a pattern string')
    if (options !== undefined && options !== 'i' && options !== 'c')
      throw refusal(where, '$options must be "i" or "c"')
    return {
      op: 'matches',
      at,
      pattern: readPattern(pattern, (reason) => refusal(where, reason)),
      ignoreCase: options === 'i',
    }
  }

  #operand(at: Place, value: unknown, where: string): unknown {
    const type = typeAt(at)
    if (value === null || !type) return value ?? null
    const cell = coerceCell(type, value)
    if ('wrong' in cell) throw refusal(where, cell.wrong)
    return cell.value
  }

  #enter(where: string, depth: number) {
    if (depth > mostDepth) throw refusal(where, `exceeds ${mostDepth} nesting levels`)
    if (++this.#count > mostConditions) throw refusal(where, `exceeds ${mostConditions} conditions`)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 2_147_483_647
