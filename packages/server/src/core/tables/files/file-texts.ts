// Decodes the bytes of text files while they arrive: by byte order mark, by the declared character set, as
// UTF-8, or else as the character set that is detected. Rejects what no character set explains, instead of
// replacing it.
import { ApiError } from '@botstead/contract'
import { decodeWindows1252, detectEncoding, detectUtf16 } from '@botstead/extraction'

/** What a reader leaves out or assumes; reported with the result. */
export interface Notes {
  notes: Set<string>
}

/** Throws InvalidDataFormat. `charset` is the one of the file's media type. */
export async function* decodeTexts(
  bytes: AsyncIterable<Buffer>,
  charset: string | undefined,
  { notes }: Notes,
): AsyncGenerator<string> {
  let decoder: Decoder | undefined
  for await (const chunk of bytes) {
    decoder ??= decoderFor(chunk, charset, notes)
    yield decoder.decode(chunk)
  }
  yield decoder?.end() ?? ''
}

interface Decoder {
  decode(chunk: Buffer): string
  end(): string
}

function decoderFor(head: Buffer, charset = '', notes: Set<string>): Decoder {
  const label = markedCharset(head) ?? detectUtf16(head) ?? charset.toLowerCase()
  if (latin.test(label)) return new Utf8OrOther(notes, true)
  if (label !== '' && !/^utf-?8$/.test(label) && isKnown(label))
    return new Declared(label)
  // Character sets of seven bits are valid UTF-8.
  const escaped = head.includes(escapeByte) ? detectEncoding(head) : null
  if (escaped !== null && escaped !== 'utf-8' && isKnown(escaped)) {
    notes.add(assumed(escaped))
    return new Declared(escaped)
  }
  return new Utf8OrOther(notes, false)
}

const escapeByte = 0x1b
const assumed = (charset: string) => `The text is not UTF-8: it was read as ${charset}`

const latin = /^(?:windows-1252|cp1252|iso-8859-1|latin1|us-ascii)$/

function isKnown(label: string): boolean {
  try {
    return new TextDecoder(label) !== null
  } catch {
    return false
  }
}

function markedCharset([first, second, third]: Buffer): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null
}

const invalid = (charset: string, remedy = 'save it as UTF-8') =>
  new ApiError('InvalidDataFormat', `The text is not ${charset}: ${remedy}`)

class Declared implements Decoder {
  readonly #label: string
  readonly #decoder: InstanceType<typeof TextDecoder>

  constructor(label: string) {
    this.#label = label
    this.#decoder = new TextDecoder(label, { fatal: true })
  }

  decode = (chunk: Buffer) => this.#attempt(chunk, true)
  end = () => this.#attempt(Buffer.alloc(0), false)

  #attempt(chunk: Buffer, stream: boolean): string {
    try {
      return this.#decoder.decode(chunk, { stream })
    } catch {
      throw invalid(this.#label)
    }
  }
}

/** The bytes that windows-1252 does not define. */
const undefined1252 = /[\x81\x8d\x8f\x90\x9d]/

/**
 * Takes the text for UTF-8, because servers declare one character set for all files. At the first byte that
 * is not, the text must have another character set, which is certain if all characters so far are ASCII:
 * these are equal in both. It is detected, unless windows-1252 is declared.
 */
class Utf8OrOther implements Decoder {
  readonly #notes: Set<string>
  readonly #isDeclared1252: boolean
  #rest: Buffer = Buffer.alloc(0)
  #isAscii = true
  #other: Decoder | null = null
  #isFresh = true

  constructor(notes: Set<string>, isDeclared1252: boolean) {
    this.#notes = notes
    this.#isDeclared1252 = isDeclared1252
  }

  decode(chunk: Buffer): string {
    if (this.#other) return this.#other.decode(chunk)
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    const whole = bytes.length - unfinished(bytes)
    this.#rest = bytes.subarray(whole)
    return this.#decodeUtf8(bytes.subarray(0, whole), bytes)
  }

  end(): string {
    const rest = this.#rest
    this.#rest = Buffer.alloc(0)
    const text = rest.length > 0 ? this.#decodeUtf8(rest, rest) : ''
    return text + this.#endOther()
  }

  #endOther = () => this.#other?.end() ?? ''

  /** `all` is decoded instead if it has another character set. */
  #decodeUtf8(bytes: Buffer, all: Buffer): string {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: !this.#isFresh })
    try {
      const text = decoder.decode(bytes)
      if (bytes.length > 0) this.#isFresh = false
      this.#isAscii &&= text.length === bytes.length
      return text
    } catch {
      if (!this.#isAscii || (!this.#isDeclared1252 && isMixed(all)))
        throw invalid('UTF-8 throughout, and not windows-1252 either')
      this.#rest = Buffer.alloc(0)
      this.#other = this.#decoderOf(all)
      return this.#other.decode(all)
    }
  }

  #decoderOf(bytes: Buffer): Decoder {
    if (this.#isDeclared1252) return new Windows1252()
    const found = detectEncoding(bytes)
    const isOther = found !== null && found !== 'utf-8' && isKnown(found)
    this.#notes.add(assumed(isOther ? found : 'windows-1252'))
    return isOther ? new Declared(found) : new Windows1252()
  }
}

class Windows1252 implements Decoder {
  decode(bytes: Buffer): string {
    const text = decodeWindows1252(bytes)
    if (undefined1252.test(text))
      throw invalid('UTF-8 or windows-1252', 'save it as UTF-8, or declare its charset')
    return text
  }

  end = () => ''
}

/** Returns the number of bytes of a character that begins at the end, and continues in the next chunk. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return lengthAfter(byte) > back ? back : 0
  }
  return 0
}

/** Of a character that begins with this byte. */
function lengthAfter(byte: number): number {
  if (byte < 0xe0) return 2
  return byte < 0xf0 ? 3 : 4
}

/** Returns whether most characters beyond ASCII are valid UTF-8, although others are not. */
function isMixed(bytes: Buffer): boolean {
  let balance = 0
  for (const char of new TextDecoder('utf-8').decode(bytes))
    if (char === '\ufffd') balance--
    else if (char > '\x7f') balance++
  return balance > 0
}
