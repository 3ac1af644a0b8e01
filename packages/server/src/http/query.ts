// Parses query strings as the official clients write them: a repeated key is a list, a dot in a key
// nests an object (`tags.foo=bar`). Never throws, because it runs in the router, where an error
// would end the process; the contract's validation rejects invalid values.

/**
 * More pairs or levels than any operation uses. Further pairs are dropped, further dots stay in the
 * key.
 */
const maxPairs = 1_000
const maxDepth = 4

type Value = string | Value[] | Values
interface Values {
  [key: string]: Value
}

/** Objects without a prototype, so that names such as `constructor` are ordinary keys. */
export function parseQuery(text: string): Record<string, unknown> {
  const query = newValues()
  for (const pair of text.split('&', maxPairs)) {
    if (pair === '') continue
    const end = pair.indexOf('=')
    const path = pathOf(decode(end < 0 ? pair : pair.slice(0, end)))
    place(query, path, decode(end < 0 ? '' : pair.slice(end + 1)))
  }
  return query
}

const newValues = (): Values => Object.create(null) as Values

/** Keys with empty steps (`a..b`, `.a`) are not split. */
function pathOf(key: string): string[] {
  const steps = key.split('.')
  if (steps.length === 1 || steps.includes('')) return [key]
  return steps.length <= maxDepth
    ? steps
    : [...steps.slice(0, maxDepth - 1), steps.slice(maxDepth - 1).join('.')]
}

function place(query: Values, path: string[], value: string) {
  let at = query
  for (const step of path.slice(0, -1)) {
    const inner = at[step]
    // `a=1&a.b=2` is contradictory: the first value is kept.
    if (inner !== undefined && !isValues(inner)) return
    const next = inner ?? newValues()
    at[step] = next
    at = next
  }
  const last = path.at(-1)!
  const before = at[last]
  if (before === undefined) at[last] = value
  else if (Array.isArray(before)) before.push(value)
  else if (typeof before === 'string') at[last] = [before, value]
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
