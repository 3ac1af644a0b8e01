// Finds and replaces the texts in a value of JSON. Keys, numbers and other types stay.

/** Levels of containers; bodies have fewer. */
const maxDepth = 1_000

/** Returns the texts of a value, in the order of its members; null if it is nested too deeply. */
export function listTexts(value: unknown): string[] | null {
  const texts: string[] = []
  const isListed = (part: unknown, depth: number): boolean => {
    if (typeof part === 'string') texts.push(part)
    if (!isContainer(part)) return true
    if (depth === 0) return false
    for (const inside of Array.isArray(part) ? part : Object.values(part))
      if (!isListed(inside, depth - 1)) return false
    return true
  }
  return isListed(value, maxDepth) ? texts : null
}

/** Replaces texts, in the order of `listTexts`; null leaves one as it is. */
export function withTexts<Value>(value: Value, replaced: (string | null)[]): Value {
  let next = 0
  const copy = (part: unknown): unknown => {
    if (typeof part === 'string') return replaced[next++] ?? part
    if (!isContainer(part)) return part
    // Own properties, as defined: a key may be `__proto__`.
    return Array.isArray(part)
      ? part.map(copy)
      : Object.fromEntries(
          Object.entries(part).map(([key, inside]) => [key, copy(inside)]),
        )
  }
  return copy(value) as Value
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
