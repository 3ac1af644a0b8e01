// A body too large to be one JavaScript string: it exists once, as the bytes that arrived, and is written as JSON piece by piece.
import { isAscii, isUtf8 } from 'node:buffer'
import { StringDecoder } from 'node:string_decoder'

/** May be gone through several times. */
export class Pieces {
  readonly #make: () => Iterable<Buffer>
  /** Estimate of what a JavaScript program needs in memory, in bytes, to have all of it as a string and to parse it. */
  readonly readerBytes: number
  constructor(readerBytes: number, make: () => Iterable<Buffer>) {
    this.readerBytes = readerBytes
    this.#make = make
  }
  [Symbol.iterator](): Iterator<Buffer> {
    return this.#make()[Symbol.iterator]()
  }
}

const pieceBytes = 65_535 // a multiple of three: base64 of pieces is then base64 of the whole

/** The JSON text of an object: `fields` as they are, then texts and base64 of bytes. */
export const jsonPieces = (
  fields: object,
  bytes: { text: Record<string, Buffer>; base64: Record<string, Buffer> },
): Pieces =>
  new Pieces(readerBytesOf(bytes), function* () {
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

/** Between two pieces of what is already JSON. */
export const between = (before: string, pieces: Pieces, after: string): Pieces =>
  new Pieces(pieces.readerBytes, function* () {
    yield Buffer.from(before)
    yield* pieces
    yield Buffer.from(after)
  })

/** Of what JSON escapes all is ASCII: UTF-8 need not be decoded for it, only seen byte by byte. */
function* textPieces(bytes: Buffer): Iterable<Buffer> {
  if (!isUtf8(bytes)) return yield* mendedPieces(bytes)
  for (let at = 0; at < bytes.length; at += pieceBytes)
    yield inString(bytes.toString('latin1', at, Math.min(at + pieceBytes, bytes.length)), 'latin1')
}

/** Bytes that are no UTF-8 become the replacement character. */
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
    yield Buffer.from(bytes.toString('base64', at, Math.min(at + pieceBytes, bytes.length)))
}

/**
 * While a text is read it exists as parts, as one JSON text, and as the parsed value; and once more in the program that works with it. A character takes
 * two bytes as soon as one of the text is beyond Latin-1.
 */
function readerBytesOf({
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

/** Characters that JSON takes for a byte, on average, by a sample. */
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
