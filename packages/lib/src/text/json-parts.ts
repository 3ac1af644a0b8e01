// Serializes large values in parts, so that other requests run in between.
import { nextSlice } from '../concurrency/slices.ts'

/** Approximate characters per part. */
export const partLength = 131_072

function* valueParts(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length > partLength) yield* textParts(value)
  else if (isPlainObject(value)) yield* jsonParts(value)
  else yield JSON.stringify(value)
}

export const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype

/** A surrogate pair stays together: otherwise its halves would be escaped. */
function* textParts(text: string): Generator<string> {
  yield '"'
  for (let at = 0; at < text.length; ) {
    const end =
      at + partLength + (/[\ud800-\udbff]/.test(text[at + partLength - 1] ?? '') ? 1 : 0)
    yield JSON.stringify(text.slice(at, end)).slice(1, -1)
    at = end
  }
  yield '"'
}

/** As `Object.entries`, without all pairs at once: for 45,000 properties they take 30 ms. */
function* iterateEntries(object: object): Generator<[string, unknown]> {
  for (const name of Object.keys(object))
    yield [name, object[name as keyof typeof object]]
}

/**
 * Yields the JSON of an object in parts: arrays in it member by member, and long texts in pieces.
 */
export function* jsonParts(
  object: object,
  convert: (value: unknown) => unknown = (value) => value,
): Generator<string> {
  let text = ''
  let separator = '{'
  for (const [name, value] of iterateEntries(object)) {
    if (value === undefined) continue
    text += `${separator}${JSON.stringify(name)}:`
    separator = ','
    if (!Array.isArray(value)) {
      for (const piece of valueParts(convert(value))) {
        text += piece
        if (text.length < partLength) continue
        yield text
        text = ''
      }
    } else {
      for (const [i, member] of value.entries()) {
        text += `${i === 0 ? '[' : ','}${JSON.stringify(convert(member))}`
        if (text.length < partLength) continue
        yield text
        text = ''
      }
      text += value.length === 0 ? '[]' : ']'
    }
  }
  yield separator === '{' ? '{}' : `${text}}`
}

/** Yields the JSON of JSON values as `JSON.stringify(object, null, 2)`, in parts. */
export function* indentedJsonParts(object: object): Generator<string> {
  let text = ''
  for (const piece of indentedPieces(object, '\n')) {
    text += piece
    if (text.length < partLength) continue
    yield text
    text = ''
  }
  yield text
}

function* indentedPieces(value: unknown, line: string): Generator<string> {
  const isArray = Array.isArray(value)
  if (!isArray && !isPlainObject(value)) return yield* valueParts(value)
  const inner = `${line}  `
  let separator = isArray ? '[' : '{'
  for (const [name, member] of isArray ? value.entries() : iterateEntries(value)) {
    if (member === undefined) continue
    yield separator + inner + (isArray ? '' : `${JSON.stringify(name)}: `)
    yield* indentedPieces(member, inner)
    separator = ','
  }
  const end = isArray ? ']' : '}'
  yield separator === ',' ? line + end : separator + end
}

/** Returns the JSON of an object, in slices of the tenant; null if it is longer than `max` characters. */
export async function toJsonInSlices(
  object: object,
  { tenant, max }: { tenant: string; max: number },
): Promise<string | null> {
  const parts: string[] = []
  let length = 0
  await nextSlice(tenant)
  for (const part of jsonParts(object)) {
    parts.push(part)
    length += part.length
    if (length > max) return null
    await nextSlice(tenant)
  }
  return parts.join('')
}
