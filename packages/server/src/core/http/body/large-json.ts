// Parses large bodies in parts while they arrive, so that other requests run in between (JSON.parse
// blocks for 10 ms per megabyte) and only unparsed bytes stay in memory.
//
// A worker would not help: transferring the parsed value blocks the event loop as long as parsing.
// Instead, the parser scans the bytes. After each 128 kB it passes the complete
// members among them to JSON.parse, wrapped in brackets, and adds the results to their object or
// array. It assembles only the outer containers that are this large itself; JSON.parse handles
// everything smaller, and so decides about valid JSON. A text that is this large is passed to it in
// pieces as well.
import { ApiError } from '@botstead/contract'
import { nextSlice } from '@botstead/lib'
import { toPieceEnd } from './large-text.ts'

/** Bytes parsed in one slice. */
export const part = 131_072

/** Bytes of one member that is not a text or container: spaces, or a number. */
const maxMember = 8_388_608

/** A container that this parser assembles itself. */
interface Open {
  value: Record<string, unknown> | unknown[]
  /** Where the members begin that are not added yet. */
  from: number
  /** Whether `from` follows an added member; a comma or the container's end must follow. */
  isAfterMember: boolean
}

/** A text that this parser assembles itself. */
interface LongText {
  /** Where it is added; undefined for a body that is a text. */
  around: Open | undefined
  /** In an object. */
  name: string
  value: string
  /** Where its unparsed bytes begin. */
  from: number
}

interface Level {
  isArray: boolean
  /** Where its bracket is. */
  at: number
  /** Where its last comma is, or its bracket. */
  comma: number
}

export class PartsParser {
  readonly #maxDepth: number
  readonly #parse: (part: Buffer) => unknown
  readonly #tenant: string
  /**
   * Unparsed bytes, and chunks that arrived since. All positions below are positions in `#bytes`.
   */
  #bytes = Buffer.alloc(0)
  #next: Buffer[] = []
  #nextSize = 0
  #at = 0
  /** Where to look for the end of an unfinished string. */
  #textFrom: number | null = null
  /** Where the last string begins, at its quote. */
  #textAt = 0
  #long: LongText | null = null
  /** Containers around the current position, from the outermost. */
  readonly #levels: Level[] = []
  /** The outermost `#levels` that this parser assembles. */
  readonly #open: Open[] = []
  #root: { value: unknown } | null = null

  /** `parse` parses JSON texts, and throws if a value cannot be stored. */
  constructor(maxDepth: number, parse: (part: Buffer) => unknown, tenant = '') {
    this.#maxDepth = maxDepth
    this.#tenant = tenant
    this.#parse = parse
  }

  /** Adds chunks. Throws InvalidPayload as soon as they cannot become valid JSON. */
  async take(chunks: Buffer[]): Promise<void> {
    for (const chunk of chunks) {
      this.#next.push(chunk)
      this.#nextSize += chunk.length
      // Waits for as many new bytes as there are old ones, so that each part does not copy a long
      // member.
      if (this.#nextSize < Math.max(part, this.#bytes.length)) continue
      await nextSlice(this.#tenant)
      this.#read()
    }
  }

  /** Returns the parsed value. Throws InvalidPayload. */
  async end(): Promise<unknown> {
    await nextSlice(this.#tenant)
    this.#read()
    if (this.#textFrom !== null) throw invalidJson('a string is not terminated')
    if (this.#open.length > 0) throw invalidJson('it ends too early')
    // Not a container: JSON.parse handles it.
    return this.#root === null ? this.#parse(this.#bytes) : this.#root.value
  }

  #read() {
    this.#bytes = Buffer.concat([this.#bytes, ...this.#next])
    this.#next = []
    this.#nextSize = 0
    if (!this.#root) this.#scan()
    if (!this.#root) this.#addAll()
    else if (this.#bytes.subarray(this.#at).every(isSpace)) this.#at = this.#bytes.length
    else throw invalidJson('unexpected content after its end')
    this.#release(
      this.#root ? this.#at : (this.#long?.from ?? this.#open.at(-1)?.from ?? 0),
    )
    if (!this.#root && !this.#long && this.#bytes.length > maxMember)
      throw invalidJson(
        `more than ${maxMember} bytes of spaces or digits follow each other`,
      )
  }

  #addAll() {
    if (!this.#long) {
      this.#addComplete()
      if (this.#textFrom === null || this.#bytes.length - this.#textAt < part) return
      this.#long = this.#beginText()
    }
    this.#addPiece(this.#long, toPieceEnd(this.#bytes, this.#long.from))
  }

  /** Expects the name of a property, if it is in an object, before the text. */
  #beginText(): LongText {
    const around = this.#open.at(-1)
    const before = this.#bytes.subarray(around?.from ?? 0, this.#textAt)
    const from = this.#textAt + 1
    if (around && !Array.isArray(around.value) && before.every(isSpace))
      throw invalidJson(`a property name has more than ${part} bytes`)
    if (around) return { around, name: this.#nameBefore(around, before), value: '', from }
    if (!before.every(isSpace)) throw invalidJson('unexpected content before a string')
    return { around, name: '', value: '', from }
  }

  #addPiece(long: LongText, to: number) {
    const piece = this.#bytes.subarray(long.from, to)
    long.value += this.#parse(Buffer.concat([quote, piece, quote])) as string
    long.from = to
  }

  #endLongText(long: LongText, at: number) {
    this.#addPiece(long, at)
    this.#long = null
    const { around, name, value } = long
    if (!around) this.#root = { value }
    else if (Array.isArray(around.value)) around.value.push(value)
    else around.value[name] = value
    if (around) Object.assign(around, { from: at + 1, isAfterMember: true })
  }

  #scan() {
    const bytes = this.#bytes
    let at = this.#at
    for (; at < bytes.length && !this.#root; at++) {
      const byte = bytes[at]!
      if (byte <= 32 && this.#textFrom === null) continue
      this.#at = at
      if (byte === 34 || this.#textFrom !== null) at = this.#passText(at)
      else if (byte === 91 || byte === 123) this.#enter(byte === 91)
      else if (byte === 93 || byte === 125) this.#leave(byte === 93)
      else if (byte === 44 && this.#levels.length > 0) this.#levels.at(-1)!.comma = at
    }
    this.#at = Math.min(at, bytes.length)
  }

  /** Returns the position of the string's closing quote, as `#endOfText` does. */
  #passText(at: number): number {
    if (this.#textFrom === null) this.#textAt = at
    const end = this.#endOfText(this.#textFrom ?? at + 1)
    if (this.#long && this.#textFrom === null) this.#endLongText(this.#long, end)
    return end
  }

  /** Releases the bytes before `until`, which are parsed. */
  #release(until: number) {
    this.#bytes = this.#bytes.subarray(until)
    this.#at -= until
    if (this.#textFrom !== null) this.#textFrom -= until
    if (this.#long) this.#long.from -= until
    this.#textAt -= until
    for (const level of this.#levels) {
      level.at -= until
      level.comma -= until
    }
    for (const open of this.#open) open.from -= until
  }

  /**
   * Returns the position of the string's closing quote, or the number of bytes if it has not
   * arrived.
   */
  #endOfText(from: number): number {
    this.#textFrom = null
    for (
      let quote = this.#bytes.indexOf(34, from);
      quote !== -1;
      quote = this.#bytes.indexOf(34, quote + 1)
    ) {
      let slashes = 0
      while (this.#bytes[quote - 1 - slashes] === 92) slashes++
      if (slashes % 2 === 0) return quote
    }
    this.#textFrom = this.#bytes.length
    return this.#bytes.length
  }

  #enter(isArray: boolean) {
    if (this.#levels.length >= this.#maxDepth)
      throw new ApiError(
        'InvalidPayload',
        `The body is nested deeper than ${this.#maxDepth} levels`,
      )
    this.#levels.push({ isArray, at: this.#at, comma: this.#at })
  }

  #leave(isArray: boolean) {
    const level = this.#levels.pop()
    if (level?.isArray !== isArray)
      throw invalidJson('a closing bracket does not match its opening bracket')
    if (this.#open.length <= this.#levels.length) {
      if (this.#levels.length === 0)
        this.#root = { value: this.#parse(this.#bytes.subarray(0, this.#at + 1)) }
      return
    }
    const open = this.#open.pop()!
    this.#passComma(open, this.#at)
    // A comma must be followed by a member.
    if (!open.isAfterMember) this.#add(open, this.#at, level.comma !== level.at)
    const around = this.#open.at(-1)
    if (around) Object.assign(around, { from: this.#at + 1, isAfterMember: true })
    else this.#root = { value: open.value }
  }

  /** Passes complete members to JSON.parse, and opens unfinished large containers. */
  #addComplete() {
    for (const [depth, level] of this.#levels.entries()) {
      const open = this.#open[depth] ?? this.#begin(this.#open[depth - 1], level)
      this.#passComma(open, level.comma + 1)
      if (level.comma < open.from) continue
      this.#add(open, level.comma, true)
      open.from = level.comma + 1
    }
  }

  /** Skips the comma after a container that was added as a member. */
  #passComma(open: Open, to: number) {
    if (!open.isAfterMember) return
    while (open.from < to && isSpace(this.#bytes[open.from]!)) open.from++
    if (open.from >= to) return
    if (this.#bytes[open.from] !== 44) throw invalidJson('a comma is missing')
    open.from++
    open.isAfterMember = false
  }

  /** Adds an empty container to its parent. In an object, its name precedes the bracket. */
  #begin(around: Open | undefined, { isArray, at }: Level): Open {
    const value = isArray ? [] : {}
    const before = this.#bytes.subarray(around?.from ?? 0, at)
    if (!around && !before.every(isSpace))
      throw invalidJson('unexpected content before a bracket')
    if (around) {
      const name = this.#nameBefore(around, before)
      if (Array.isArray(around.value)) around.value.push(value)
      else around.value[name] = value
    }
    const open = { value, from: at + 1, isAfterMember: false }
    this.#open.push(open)
    return open
  }

  /** Returns the name before a member's value; in an array, checks that nothing precedes it. */
  #nameBefore(around: Open, before: Buffer): string {
    if (around.isAfterMember) throw invalidJson('a comma is missing')
    const names = Object.keys(this.#membersOf(around, [before, nothing]))
    if (names.length !== 1) throw invalidJson('a property name is missing')
    return names[0]!
  }

  #add(open: Open, to: number, isNeeded: boolean) {
    const members = this.#membersOf(open, [this.#bytes.subarray(open.from, to)])
    if (isNeeded && Object.keys(members).length === 0)
      throw invalidJson('a value is missing')
    if (Array.isArray(open.value))
      for (const member of members as unknown[]) open.value.push(member)
    else Object.assign(open.value, members)
  }

  #membersOf({ value }: Open, members: Buffer[]): object {
    const [before, after] = Array.isArray(value) ? brackets : braces
    return this.#parse(Buffer.concat([before, ...members, after])) as object
  }
}

const quote = Buffer.from('"')
const nothing = Buffer.from('null')
const brackets = [Buffer.from('['), Buffer.from(']')] as const
const braces = [Buffer.from('{'), Buffer.from('}')] as const
const isSpace = (byte: number) => byte === 32 || byte === 10 || byte === 13 || byte === 9
const invalidJson = (reason: string) =>
  new ApiError('InvalidPayload', `The body is not JSON: ${reason}`)
