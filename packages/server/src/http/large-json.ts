// Parses large bodies a part at a time, so that others are answered meanwhile: JSON.parse takes 10 ms per megabyte, and would take them at once.
//
// A worker would not help: handing over what it parsed takes the loop as long as parsing it. So the bytes are looked through, and whenever a quarter of a megabyte
// of whole members lies behind, JSON.parse gets them: between brackets of their own, and into the object or array that they belong to. Of the containers that
// are so large, the outer ones are put together here, and all that is smaller by JSON.parse, which so says what is JSON and what is not.
import { setImmediate as others } from 'node:timers/promises'
import { ApiError } from '@botstead/contract'

/** Bytes after which it is somebody else's turn. */
const part = 262_144

/** A container that is put together here. */
interface Open {
  value: Record<string, unknown> | unknown[]
  /** Where its members begin that are not in it yet. */
  from: number
  /** What ends there is a member, after which there must be a comma, or the end. */
  isAfterMember: boolean
}

interface Level {
  isArray: boolean
  /** Where its bracket is. */
  at: number
  /** Its last comma, or its bracket. */
  comma: number
}

/** `parse` gets JSON texts, of which it says whether they can be kept. Throws InvalidPayload. */
export async function parseInParts(bytes: Buffer, mostDepth: number, parse: (part: Buffer) => unknown): Promise<unknown> {
  const parser = new PartsParser(bytes, mostDepth, parse)
  for (let until = part; parser.read(until); until += part) await others()
  return parser.result()
}

class PartsParser {
  readonly #bytes: Buffer
  readonly #mostDepth: number
  readonly #parse: (part: Buffer) => unknown
  /** Containers that the place where we are lies in, from the outermost. */
  readonly #levels: Level[] = []
  /** Of the outer of these. */
  readonly #open: Open[] = []
  #at = 0
  #root: { value: unknown } | null = null

  constructor(bytes: Buffer, mostDepth: number, parse: (part: Buffer) => unknown) {
    this.#bytes = bytes
    this.#mostDepth = mostDepth
    this.#parse = parse
  }

  /** Reads on to there, or a little further. False at the end. */
  read(until: number): boolean {
    const bytes = this.#bytes
    const end = Math.min(until, bytes.length)
    let at = this.#at
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (byte <= 32) continue
      this.#at = at
      if (byte === 34) at = this.#endOfText(at + 1)
      else if (byte === 91 || byte === 123) this.#enter(byte === 91)
      else if (byte === 93 || byte === 125) this.#leave(byte === 93)
      else if (byte === 44 && this.#levels.length > 0) this.#levels.at(-1)!.comma = at
    }
    this.#at = at
    if (this.#at >= bytes.length) return false
    this.#takeWhole()
    return true
  }

  result(): unknown {
    if (this.#open.length > 0) throw broken('it breaks off')
    // It has no large container: JSON.parse says what it is.
    return this.#root === null ? this.#parse(this.#bytes) : this.#root.value
  }

  /** Of its closing quote. */
  #endOfText(from: number): number {
    for (let quote = this.#bytes.indexOf(34, from); quote !== -1; quote = this.#bytes.indexOf(34, quote + 1)) {
      let slashes = 0
      while (this.#bytes[quote - 1 - slashes] === 92) slashes++
      if (slashes % 2 === 0) return quote
    }
    throw broken('a text does not end')
  }

  #enter(isArray: boolean) {
    if (this.#levels.length >= this.#mostDepth) throw new ApiError('InvalidPayload', `The body is nested deeper than ${this.#mostDepth} levels`)
    this.#levels.push({ isArray, at: this.#at, comma: this.#at })
  }

  #leave(isArray: boolean) {
    const level = this.#levels.pop()
    if (level?.isArray !== isArray) throw broken('a bracket closes what it did not open')
    if (this.#open.length <= this.#levels.length) return
    const open = this.#open.pop()!
    this.#passComma(open, this.#at)
    // After a comma there must be something.
    if (!open.isAfterMember) this.#add(open, this.#at, level.comma !== level.at)
    const around = this.#open.at(-1)
    if (around) Object.assign(around, { from: this.#at + 1, isAfterMember: true })
    else this.#close(open.value)
  }

  #close(value: unknown) {
    if (!this.#bytes.subarray(this.#at + 1).every(isSpace)) throw broken('something follows its end')
    this.#root = { value }
  }

  /** Hands whole members to JSON.parse, and opens what has begun and is large. */
  #takeWhole() {
    for (const [depth, level] of this.#levels.entries()) {
      const open = this.#open[depth] ?? this.#begin(this.#open[depth - 1], level)
      this.#passComma(open, level.comma + 1)
      if (level.comma < open.from) continue
      this.#add(open, level.comma, true)
      open.from = level.comma + 1
    }
  }

  /** Of what was put in already as a member, the comma after it. */
  #passComma(open: Open, to: number) {
    if (!open.isAfterMember) return
    while (open.from < to && isSpace(this.#bytes[open.from]!)) open.from++
    if (open.from >= to) return
    if (this.#bytes[open.from] !== 44) throw broken('a comma is missing')
    open.from++
    open.isAfterMember = false
  }

  /** Puts an empty container where it belongs. Before its bracket stands its name, where it lies in an object. */
  #begin(around: Open | undefined, { isArray, at }: Level): Open {
    const value = isArray ? [] : {}
    const before = this.#bytes.subarray(around?.from ?? 0, at)
    if (around?.isAfterMember || (!around && !before.every(isSpace))) throw broken('something stands before a bracket')
    if (around) {
      const names = Object.keys(this.#membersOf(around, [before, nothing]))
      if (names.length !== 1) throw broken('a name is missing')
      if (Array.isArray(around.value)) around.value.push(value)
      else around.value[names[0]!] = value
    }
    const open = { value, from: at + 1, isAfterMember: false }
    this.#open.push(open)
    return open
  }

  #add(open: Open, to: number, isNeeded: boolean) {
    const members = this.#membersOf(open, [this.#bytes.subarray(open.from, to)])
    if (isNeeded && Object.keys(members).length === 0) throw broken('a member is missing')
    if (Array.isArray(open.value)) for (const member of members as unknown[]) open.value.push(member)
    else Object.assign(open.value, members)
  }

  #membersOf({ value }: Open, members: Buffer[]): object {
    const [before, after] = Array.isArray(value) ? brackets : braces
    return this.#parse(Buffer.concat([before, ...members, after])) as object
  }
}

const nothing = Buffer.from('null')
const brackets = [Buffer.from('['), Buffer.from(']')] as const
const braces = [Buffer.from('{'), Buffer.from('}')] as const
const isSpace = (byte: number) => byte === 32 || byte === 10 || byte === 13 || byte === 9
const broken = (reason: string) => new ApiError('InvalidPayload', `The body is not JSON: ${reason}`)
