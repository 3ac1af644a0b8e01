// Infers the columns of a file from its first records. A number with a leading zero stays text: it
// is a code, and would lose the zero.

export type ColumnShape = {
  type: 'string' | 'number' | 'boolean' | 'object' | 'array'
  format?: 'date-time'
}

const number = /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?([eE][+-]?\d{1,2})?$/
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/

/** Returns the object or array that a text contains as JSON, as exports write them. */
function inText(value: unknown): object | null {
  try {
    return typeof value === 'string' && /^[[{]/.test(value) ? JSON.parse(value) : null
  } catch {
    return null
  }
}

/** Infers the type of a column from its non-null values. Returns null without any. */
export function inferShape(values: unknown[]): ColumnShape | null {
  const given = values.filter((value) => value !== null && value !== undefined && value !== '')
  if (given.length === 0) return values.length > 0 ? { type: 'string' } : null
  const all = (test: (value: unknown) => boolean) => given.every(test)
  if (
    all((value) => typeof value === 'number' || (typeof value === 'string' && number.test(value)))
  )
    return { type: 'number' }
  if (
    all(
      (value) =>
        typeof value === 'boolean' || (typeof value === 'string' && /^(true|false)$/i.test(value)),
    )
  )
    return { type: 'boolean' }
  if (all((value) => typeof value === 'string' && moment.test(value)))
    return { type: 'string', format: 'date-time' }
  if (all((value) => Array.isArray(value) || Array.isArray(inText(value)))) return { type: 'array' }
  if (given.some((value) => typeof value === 'object') || all((value) => inText(value) !== null))
    return { type: 'object' }
  return { type: 'string' }
}

/** Infers the missing columns, at most as many as the table can add. */
export function inferColumns(
  records: Record<string, unknown>[],
  isKnown: (name: string) => boolean,
  maxNew: number,
): Record<string, ColumnShape> {
  const values = new Map<string, unknown[]>()
  for (const record of records)
    for (const [name, value] of Object.entries(record)) {
      if (isKnown(name)) continue
      if (!values.has(name)) values.set(name, [])
      values.get(name)!.push(value)
    }
  const shapes = [...values].flatMap(([name, all]): [string, ColumnShape][] => {
    const shape = inferShape(all)
    return shape ? [[name, shape]] : []
  })
  return Object.fromEntries(shapes.slice(0, maxNew))
}
