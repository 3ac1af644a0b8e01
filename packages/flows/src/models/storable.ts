// Makes values of models storable. The server rejects NUL, lone surrogates, the key `__proto__` and
// deep nesting, and with them the whole state of the conversation.

/** Less than the server allows, because the value is stored inside of other objects. */
const maxDepth = 32

/** Returns a copy without those. Throws RangeError for a value that is nested too deeply. */
export function toStorable(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) throw new RangeError('The value is nested too deeply')
  if (typeof value === 'string') return toStorableText(value)
  if (Array.isArray(value)) return value.map((item) => toStorable(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    toStorableText(key),
    toStorable(item, depth + 1),
  ])
  return Object.fromEntries(entries.filter(([key]) => key !== '__proto__'))
}

export const toStorableText = (text: string) => text.replaceAll('\0', '').toWellFormed()
