// Serializes and sends a large response in parts, so that other requests run in between. In one
// piece it would block the event loop as long as parsing it.
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Approximate characters per part. */
const part = 131_072

function* valueParts(value: unknown): Generator<string> {
  if (typeof value === 'string' && value.length > part) yield* textParts(value)
  else if (isPlainObject(value)) yield* jsonParts(value)
  else yield JSON.stringify(value)
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** A surrogate pair stays together: otherwise its halves would be escaped. */
function* textParts(text: string): Generator<string> {
  yield '"'
  for (let at = 0; at < text.length; ) {
    const end = at + part + (/[\ud800-\udbff]/.test(text[at + part - 1] ?? '') ? 1 : 0)
    yield JSON.stringify(text.slice(at, end)).slice(1, -1)
    at = end
  }
  yield '"'
}

/** For `reply.send`, after the content type is set. */
export const responseInParts = (answer: object): Readable => piecesSent(inTurns(jsonParts(answer)))

export const piecesSent = (
  pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
): Readable => Readable.from(pieces, { objectMode: false, highWaterMark: 4 * part })

/** Yields the parts, and lets other requests run after each. */
export async function* inTurns<Part>(parts: Iterable<Part>): AsyncGenerator<Part> {
  for (const one of parts) {
    yield one
    await nextTurn()
  }
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
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue
    text += `${separator}${JSON.stringify(name)}:`
    separator = ','
    if (!Array.isArray(value)) {
      for (const piece of valueParts(convert(value))) {
        text += piece
        if (text.length < part) continue
        yield text
        text = ''
      }
    } else {
      for (const [i, member] of value.entries()) {
        text += `${i === 0 ? '[' : ','}${JSON.stringify(convert(member))}`
        if (text.length < part) continue
        yield text
        text = ''
      }
      text += value.length === 0 ? '[]' : ']'
    }
  }
  yield separator === '{' ? '{}' : `${text}}`
}
