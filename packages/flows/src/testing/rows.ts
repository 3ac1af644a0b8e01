// In-memory tables for tests of bots. Supports the filter operators that concern one row.
import { RE2JS } from 're2js'

type Json = Record<string, unknown>
type Row = Json & { id: number }

/** Values of the key column are unique: as on the server, a row with one that is taken is left out. */
export function tableInMemory(now: () => number, given: Json[], keyColumn?: string) {
  const rows: Row[] = []
  let count = 0
  const stamp = () => new Date(now()).toISOString()
  const isTaken = (values: Json, own?: Row) => {
    const key = keyColumn === undefined ? undefined : values[keyColumn]
    return key != null && rows.some((row) => row !== own && row[keyColumn!] === key)
  }
  const create = (values: Json): Row | undefined => {
    if (isTaken(values)) return undefined
    const row: Row = { ...values, id: ++count, createdAt: stamp(), updatedAt: stamp() }
    rows.push(row)
    return row
  }
  for (const values of given) create(values)
  const change = (row: Row, values: Json) =>
    Object.assign(row, values, { id: row.id, updatedAt: stamp() })
  const byId = (id: unknown) => rows.find((row) => row.id === Number(id))
  return {
    rows,
    create,
    get: byId,
    find({
      filter = {},
      search,
      orderBy = 'id',
      orderDirection = 'asc',
      limit = 100,
      offset = 0,
    }: Json): Row[] {
      const words = typeof search === 'string' ? search.toLowerCase().split(/\s+/) : []
      const found = rows.filter(
        (row) =>
          fits(row, filter as Json) &&
          words.every((word) => JSON.stringify(row).toLowerCase().includes(word)),
      )
      const sign = orderDirection === 'desc' ? -1 : 1
      const sorted = found.sort(
        (a, b) => sign * order(a[String(orderBy)], b[String(orderBy)]),
      )
      return sorted.slice(Number(offset), Number(offset) + Number(limit))
    },
    update: (values: Json) => {
      const row = byId(values.id)
      return row && !isTaken(values, row) ? change(row, values) : undefined
    },
    upsert(values: Json, by: string) {
      const row = rows.find((one) => one[by] === values[by])
      if (!row) return create(values)
      return isTaken(values, row) ? undefined : change(row, values)
    },
    remove(which: { ids?: number[]; filter?: Json }): number {
      const gone = rows.filter((row) =>
        which.ids ? which.ids.includes(row.id) : fits(row, which.filter ?? {}),
      )
      for (const row of gone) rows.splice(rows.indexOf(row), 1)
      return gone.length
    },
  }
}

function order(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a ?? '') < String(b ?? '') ? -1 : 1
}

function fits(row: Json, filter: Json): boolean {
  return Object.entries(filter).every(([key, condition]) => {
    if (key === '$and') return (condition as Json[]).every((one) => fits(row, one))
    if (key === '$or') return (condition as Json[]).some((one) => fits(row, one))
    if (key === '$not') return !fits(row, condition as Json)
    const value = key
      .split('.')
      .reduce<unknown>((at, step) => (at as Json | undefined)?.[step], row)
    return holds(value ?? null, condition)
  })
}

function holds(value: unknown, condition: unknown): boolean {
  const isOperators =
    typeof condition === 'object' &&
    condition !== null &&
    Object.keys(condition).some((key) => key.startsWith('$'))
  if (!isOperators) return equals(value, condition)
  return Object.entries(condition as Json).every(([operator, operand]) => {
    if (operator === '$options') return true
    const test = Object.hasOwn(operators, operator) ? operators[operator]! : null
    if (!test)
      throw new TypeError(
        `Conversation scripts do not support the filter operator "${operator}"`,
      )
    return test(value, operand, condition as Json)
  })
}

const equals = (value: unknown, to: unknown) =>
  JSON.stringify(value ?? null) === JSON.stringify(to ?? null) ||
  (Array.isArray(value) && value.some((item) => item === to))
const compared = (value: unknown, to: unknown) =>
  typeof value === typeof to && value !== null && ['number', 'string'].includes(typeof to)
    ? order(value, to)
    : Number.NaN

const operators: Record<
  string,
  (value: unknown, operand: unknown, condition: Json) => boolean
> = {
  $eq: equals,
  $ne: (value, to) => !equals(value, to),
  $gt: (value, to) => compared(value, to) > 0,
  $gte: (value, to) => compared(value, to) >= 0,
  $lt: (value, to) => compared(value, to) < 0,
  $lte: (value, to) => compared(value, to) <= 0,
  $in: (value, all) => (all as unknown[]).some((one) => equals(value, one)),
  $nin: (value, all) => !(all as unknown[]).some((one) => equals(value, one)),
  $exists: (value, wanted) => (value !== null) === wanted,
  $not: (value, condition) => !holds(value, condition),
  $size: (value, size) => Array.isArray(value) && value.length === size,
  $regex: (value, pattern, { $options }) =>
    typeof value === 'string' &&
    RE2JS.compile(String(pattern), $options === 'i' ? RE2JS.CASE_INSENSITIVE : 0)
      .matcher(value)
      .find(),
}
