// A plain evaluator of filters on rows in memory. It shares no code with the compiler, and runs
// only patterns that the tests generate.
export type MemoryRow = Record<string, unknown>
type Json = unknown

export function matches(row: MemoryRow, filter: Record<string, Json>): boolean {
  return Object.entries(filter).every(([key, value]) => {
    if (key === '$and')
      return (value as Record<string, Json>[]).every((one) => matches(row, one))
    if (key === '$or')
      return (value as Record<string, Json>[]).some((one) => matches(row, one))
    if (key === '$not') return !matches(row, value as Record<string, Json>)
    return holds(valueAt(row, key.split('.')), value)
  })
}

function valueAt(value: Json, [step, ...rest]: string[]): Json {
  if (step === undefined) return value ?? null
  if (typeof value !== 'object' || value === null) return null
  if (Array.isArray(value))
    return /^\d+$/.test(step) ? valueAt(value[Number(step)], rest) : null
  return Object.hasOwn(value, step) ? valueAt((value as MemoryRow)[step], rest) : null
}

function holds(value: Json, condition: Json): boolean {
  if (!isObject(condition) || !Object.keys(condition).some((key) => key.startsWith('$')))
    return equal(value, condition)
  return Object.entries(condition).every(([operator, operand]) => {
    const list = operand as Json[]
    switch (operator) {
      case '$eq':
        return equal(value, operand)
      case '$ne':
        return !equal(value, operand)
      case '$in':
        return list.some((one) => equal(value, one))
      case '$nin':
        return !list.some((one) => equal(value, one))
      case '$exists':
        return (value !== null) === operand
      case '$gt':
        return order(value, operand) > 0
      case '$gte':
        return order(value, operand) >= 0
      case '$lt':
        return order(value, operand) < 0
      case '$lte':
        return order(value, operand) <= 0
      case '$mod':
        return (
          typeof value === 'number' &&
          whole(value) % BigInt(list[0] as number) === BigInt(list[1] as number)
        )
      case '$size':
        return Array.isArray(value) && value.length === operand
      case '$regex':
        return (
          typeof value === 'string' &&
          new RegExp(operand as string, condition.$options === 'i' ? 'iu' : 'u').test(
            value,
          )
        )
      case '$options':
        return true
      case '$not':
        return !holds(value, operand)
      case '$and':
        return list.every((one) => holds(value, one))
      case '$or':
        return list.some((one) => holds(value, one))
      default:
        throw new Error(`no such operator: ${operator}`)
    }
  })
}

/**
 * The integer part of a number's decimal form, which is what the database stores: 1e23, not the
 * nearest binary number.
 */
function whole(value: number): bigint {
  const [digits, exponent] = String(Math.trunc(value)).split('e+')
  if (exponent === undefined) return BigInt(digits!)
  const [before, after = ''] = digits!.split('.')
  return BigInt(before + after.padEnd(Number(exponent), '0'))
}

function equal(value: Json, other: Json): boolean {
  if (same(value, other)) return true
  return (
    Array.isArray(value) &&
    other !== null &&
    typeof other !== 'object' &&
    value.some((one) => same(one, other))
  )
}

function same(a: Json, b: Json): boolean {
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((one, i) => same(one, b[i]))
    )
  if (!isObject(a) || !isObject(b)) return a === b
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
  )
}

/** Compares two values; NaN if they have no order. */
function order(a: Json, b: Json): number {
  if (typeof a !== typeof b) return Number.NaN
  if (typeof a === 'number' || typeof a === 'boolean')
    return (
      Number(a) - Number(b) ||
      (a === b ? 0 : Math.sign(Number(a > (b as typeof a)) - 0.5))
    )
  return typeof a === 'string'
    ? Buffer.compare(Buffer.from(a), Buffer.from(b as string))
    : Number.NaN
}

const isObject = (value: Json): value is MemoryRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
