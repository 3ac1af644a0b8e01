// Reads a query string as the official clients write it: repeated keys are a list, a dot in a key opens an object (`tags.foo=bar`).
// Nothing here throws: it runs in the router, where an error would end the process. What is wrong is left for the contract's check to refuse.

/** More pairs, or deeper ones, than any operation takes. The rest is dropped, deeper dots stay in the key. */
const mostPairs = 1_000
const mostDepth = 4

type Value = string | Value[] | Values
interface Values {
  [key: string]: Value
}

/** Objects without a prototype: a key named like something that every object inherits is a key like any other. */
export function parseQuery(text: string): Record<string, unknown> {
  const query = newValues()
  for (const pair of text.split('&', mostPairs)) {
    if (pair === '') continue
    const end = pair.indexOf('=')
    const path = pathOf(decode(end < 0 ? pair : pair.slice(0, end)))
    place(query, path, decode(end < 0 ? '' : pair.slice(end + 1)))
  }
  return query
}

const newValues = (): Values => Object.create(null) as Values

/** Empty steps (`a..b`, `.a`) make no path: the key is taken as it is. */
function pathOf(key: string): string[] {
  const steps = key.split('.')
  if (steps.length === 1 || steps.includes('')) return [key]
  return steps.length <= mostDepth
    ? steps
    : [...steps.slice(0, mostDepth - 1), steps.slice(mostDepth - 1).join('.')]
}

function place(query: Values, path: string[], value: string) {
  let at = query
  for (const step of path.slice(0, -1)) {
    const inner = at[step]
    // `a=1&a.b=2` contradicts itself: what came first stays.
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

const isValues = (value: Value): value is Values => typeof value === 'object' && !Array.isArray(value)

/** A percent sign that encodes nothing stands for itself. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
