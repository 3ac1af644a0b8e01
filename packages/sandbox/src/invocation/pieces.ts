// A body that may exceed the length of a JavaScript string: kept once, as the bytes received, and
// written as JSON in pieces.
import { isAscii, isUtf8 } from 'node:buffer'
import { StringDecoder } from 'node:string_decoder'

/** Can be iterated several times. */
export class Pieces {
  readonly #make: () => Iterable<Buffer>
  /**
   * The estimated memory, in bytes, that a JavaScript program needs to hold the body as a string
   * and parse it.
   */
  readonly readerBytes: number
  constructor(readerBytes: number, make: () => Iterable<Buffer>) {
    this.readerBytes = readerBytes
    this.#make = make
  }
  [Symbol.iterator](): Iterator<Buffer> {
    return this.#make()[Symbol.iterator]()
  }
}

const pieceBytes = 65_535 // a multiple of three, so that concatenated base64 pieces are valid base64

/** Reserves no memory of the reader (0): any program can read such a text. */
export const textInPieces = (text: string): Pieces =>
  new Pieces(0, function* () {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += pieceBytes)
      yield bytes.subarray(at, at + pieceBytes)
  })

/** Writes a JSON object: `fields` unchanged, then texts as strings, then bytes as base64. */
export const jsonPieces = (
  fields: object,
  bytes: { text: Record<string, Buffer>; base64: Record<string, Buffer> },
): Pieces =>
  new Pieces(estimateReaderBytes(bytes), function* () {
    const begin = JSON.stringify(fields).slice(0, -1)
    yield Buffer.from(begin)
    let comma = begin === '{' ? '' : ','
    for (const [encoded, values] of [
      [textPieces, bytes.text] as const,
      [base64Pieces, bytes.base64] as const,
    ]) {
      for (const [name, value] of Object.entries(values)) {
        yield Buffer.from(`${comma}${JSON.stringify(name)}:"`)
        yield* encoded(value)
        yield Buffer.from('"')
        comma = ','
      }
    }
    yield Buffer.from('}')
  })

/** Surrounds pieces of JSON with other JSON text. */
export const between = (before: string, pieces: Pieces, after: string): Pieces =>
  new Pieces(pieces.readerBytes, function* () {
    yield Buffer.from(before)
    yield* pieces
    yield Buffer.from(after)
  })

/**
 * All characters that JSON escapes are ASCII, so valid UTF-8 can be processed byte by byte without
 * decoding.
 */
function* textPieces(bytes: Buffer): Iterable<Buffer> {
  if (!isUtf8(bytes)) return yield* mendedPieces(bytes)
  for (let at = 0; at < bytes.length; at += pieceBytes)
    yield inString(
      bytes.toString('latin1', at, Math.min(at + pieceBytes, bytes.length)),
      'latin1',
    )
}

/** Replaces invalid UTF-8 with the replacement character. */
function* mendedPieces(bytes: Buffer): Iterable<Buffer> {
  const decoder = new StringDecoder('utf8')
  for (let at = 0; at < bytes.length; at += pieceBytes)
    yield inString(decoder.write(bytes.subarray(at, at + pieceBytes)), 'utf8')
  yield inString(decoder.end(), 'utf8')
}

const inString = (text: string, encoding: 'latin1' | 'utf8') =>
  Buffer.from(JSON.stringify(text).slice(1, -1), encoding)

function* base64Pieces(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes)
    yield Buffer.from(
      bytes.toString('base64', at, Math.min(at + pieceBytes, bytes.length)),
    )
}

/**
 * While a reader parses a text, it exists as pieces, as one JSON text and as the parsed value, and
 * once more in the program that uses it. A character takes two bytes as soon as the text has one
 * beyond Latin-1.
 */
function estimateReaderBytes({
  text,
  base64,
}: {
  text: Record<string, Buffer>
  base64: Record<string, Buffer>
}): number {
  const ofTexts = Object.values(text).map((bytes) => {
    const width = isAscii(bytes) ? 1 : 2
    return width * bytes.length * (2 * escapedLength(bytes) + 2)
  })
  const ofBase64 = Object.values(base64).map((bytes) => 7 * bytes.length)
  return [...ofTexts, ...ofBase64].reduce((sum, one) => sum + one, 0)
}

const sampled = 4_096

/** Estimates the average number of JSON characters per byte from a sample. */
function escapedLength(bytes: Buffer): number {
  const step = Math.max(1, Math.floor(bytes.length / sampled))
  let count = 0
  let characters = 0
  for (let at = 0; at < bytes.length; at += step) {
    count += 1
    characters += JSON.stringify(String.fromCharCode(bytes[at]!)).length - 2
  }
  return count === 0 ? 1 : characters / count
}
