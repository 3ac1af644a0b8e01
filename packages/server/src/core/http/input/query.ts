// Parses query strings as clients write them: a list is a repeated key (`a=1&a=2`), `a[]=1` or
// `a[0]=1`; a dot or brackets nest an object (`tags.foo=bar`, `tags[foo]=bar`). Never throws,
// because it runs in the router, where an error would end the process; validation.ts rejects
// invalid values, and a query with a fault.

const maxPairs = 1_000
/** More levels than any operation uses; further steps stay one key. */
const maxDepth = 4

type Value = string | Value[] | Values
interface Values {
  [key: string]: Value
}

/** The key of the reason why a query cannot be read, such as two forms of one parameter. */
export const queryFault = Symbol('fault of a query')
type Query = Record<string, unknown> & { [queryFault]?: string }

/**
 * Objects without a prototype, so that names such as `constructor` are ordinary keys. `a[0]` is
 * such an object too: only the schema knows whether `0` is an index or a name (`toList`).
 */
export function parseQuery(text: string): Query {
  const query = newValues() as Query
  const pairs = text.split('&', maxPairs + 1).filter((pair) => pair !== '')
  if (pairs.length > maxPairs)
    query[queryFault] = `The query has more than ${maxPairs} parameters`
  for (const pair of pairs.slice(0, maxPairs)) {
    const end = pair.indexOf('=')
    const key = decode(end < 0 ? pair : pair.slice(0, end))
    const isPlaced = place(
      query as Values,
      parsePath(key),
      decode(end < 0 ? '' : pair.slice(end + 1)),
    )
    if (!isPlaced)
      query[queryFault] ??= `query/${shortened(key)} contradicts another parameter`
  }
  return query
}

/** Returns the items of an object with indexes as keys (`a[0]=x`) by their order, or null. */
export function toList(value: unknown): unknown[] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const indexes = Object.keys(value)
  if (indexes.length === 0 || !indexes.every((index) => /^\d{1,15}$/.test(index)))
    return null
  // Not an array with these indexes: it could have a length of billions.
  return indexes
    .toSorted((a, b) => Number(a) - Number(b))
    .map((index) => (value as Record<string, unknown>)[index])
}

const newValues = (): Values => Object.create(null) as Values

export const shortened = (key: string) => key.slice(0, 100).toWellFormed()

const steps = /\.([^.[]+)|\[([^[\]]*)\]/y

/** The last step of a list (`a[]`) is ''. A key that is not such a path (`a..b`, `[a`) is one step. */
function parsePath(key: string): string[] {
  const [name] = /^[^.[]+/.exec(key) ?? []
  if (name === undefined || name === key) return [key]
  const path = [name]
  steps.lastIndex = name.length
  for (let end = name.length; end < key.length; end = steps.lastIndex) {
    const step = steps.exec(key)
    if (!step || path.at(-1) === '') return [key]
    path.push(step[1] ?? step[2]!)
  }
  if (path.length <= maxDepth) return path
  return [...path.slice(0, maxDepth - 1), path.slice(maxDepth - 1).join('.')]
}

/** Returns false if the path meets a value of another form (`a=1&a.b=2`); the first is kept. */
function place(query: Values, path: string[], value: string): boolean {
  const isList = path.at(-1) === '' && path.length > 1
  const names = isList ? path.slice(0, -1) : path
  let at = query
  for (const step of names.slice(0, -1)) {
    const inner = at[step] ?? newValues()
    if (!isValues(inner)) return false
    at[step] = inner
    at = inner
  }
  const last = names.at(-1)!
  const before = at[last]
  if (before === undefined) at[last] = isList ? [value] : value
  else if (Array.isArray(before)) before.push(value)
  else if (typeof before === 'string') at[last] = [before, value]
  else return false
  return true
}

const isValues = (value: Value): value is Values =>
  typeof value === 'object' && !Array.isArray(value)

/** A percent sign that encodes nothing is kept. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
