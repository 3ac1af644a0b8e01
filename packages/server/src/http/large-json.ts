// Parses large bodies while they arrive, a part at a time: others are answered meanwhile (JSON.parse takes 10 ms per megabyte, and would take them at once),
// and no more of the bytes is in memory than what is not parsed yet.
//
// A worker would not help: handing over what it parsed takes the loop as long as parsing it. So the bytes are looked through, and whenever a quarter of a megabyte
// has come, JSON.parse gets the whole members among them: between brackets of their own, and into the object or array that they belong to. Of the containers that
// are so large, the outer ones are put together here, and all that is smaller by JSON.parse, which so says what is JSON and what is not.
import { setImmediate as others } from 'node:timers/promises'
import { ApiError } from '@botstead/contract'

/** Bytes after which it is somebody else's turn. */
export const part = 262_144

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

export class PartsParser {
  readonly #mostDepth: number
  readonly #parse: (part: Buffer) => unknown
  /** What has come and is not parsed yet, and what has come since; all places below are places in the former. */
  #bytes = Buffer.alloc(0)
  #next: Buffer[] = []
  #nextSize = 0
  #at = 0
  /** Where the end of a text is looked for that has begun. */
  #textFrom: number | null = null
  /** Containers that the place where we are lies in, from the outermost. */
  readonly #levels: Level[] = []
  /** Of the outer of these. */
  readonly #open: Open[] = []
  #root: { value: unknown } | null = null

  /** `parse` gets JSON texts, of which it says whether they can be kept. */
  constructor(mostDepth: number, parse: (part: Buffer) => unknown) {
    this.#mostDepth = mostDepth
    this.#parse = parse
  }

  /** What comes next. Throws InvalidPayload as soon as it cannot become JSON any more. */
  async take(chunks: Buffer[]): Promise<void> {
    for (const chunk of chunks) {
      this.#next.push(chunk)
      this.#nextSize += chunk.length
      // A member that goes on for long is not copied again with each part of it.
      if (this.#nextSize < Math.max(part, this.#bytes.length)) continue
      this.#read()
      await others()
    }
  }

  /** All of it. Throws InvalidPayload. */
  end(): unknown {
    this.#read()
    if (this.#textFrom !== null) throw broken('a text does not end')
    if (this.#open.length > 0) throw broken('it breaks off')
    // It is no container: JSON.parse says what it is.
    return this.#root === null ? this.#parse(this.#bytes) : this.#root.value
  }

  #read() {
    this.#bytes = Buffer.concat([this.#bytes, ...this.#next])
    this.#next = []
    this.#nextSize = 0
    if (!this.#root) this.#look()
    if (!this.#root) this.#takeWhole()
    else if (this.#bytes.subarray(this.#at).every(isSpace)) this.#at = this.#bytes.length
    else throw broken('something follows its end')
    this.#letGo(this.#root ? this.#at : (this.#open.at(-1)?.from ?? 0))
  }

  #look() {
    const bytes = this.#bytes
    let at = this.#at
    for (; at < bytes.length && !this.#root; at++) {
      const byte = bytes[at]!
      if (byte <= 32 && this.#textFrom === null) continue
      this.#at = at
      if (byte === 34 || this.#textFrom !== null) at = this.#endOfText(this.#textFrom ?? at + 1)
      else if (byte === 91 || byte === 123) this.#enter(byte === 91)
      else if (byte === 93 || byte === 125) this.#leave(byte === 93)
      else if (byte === 44 && this.#levels.length > 0) this.#levels.at(-1)!.comma = at
    }
    this.#at = Math.min(at, bytes.length)
  }

  /** All before is parsed. */
  #letGo(until: number) {
    this.#bytes = this.#bytes.subarray(until)
    this.#at -= until
    if (this.#textFrom !== null) this.#textFrom -= until
    for (const level of this.#levels) {
      level.at -= until
      level.comma -= until
    }
    for (const open of this.#open) open.from -= until
  }

  /** Of its closing quote; of all that there is, while there is none. */
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
    if (this.#levels.length >= this.#mostDepth)
      throw new ApiError('InvalidPayload', `The body is nested deeper than ${this.#mostDepth} levels`)
    this.#levels.push({ isArray, at: this.#at, comma: this.#at })
  }

  #leave(isArray: boolean) {
    const level = this.#levels.pop()
    if (level?.isArray !== isArray) throw broken('a bracket closes what it did not open')
    if (this.#open.length <= this.#levels.length) {
      if (this.#levels.length === 0)
        this.#root = { value: this.#parse(this.#bytes.subarray(0, this.#at + 1)) }
      return
    }
    const open = this.#open.pop()!
    this.#passComma(open, this.#at)
    // After a comma there must be something.
    if (!open.isAfterMember) this.#add(open, this.#at, level.comma !== level.at)
    const around = this.#open.at(-1)
    if (around) Object.assign(around, { from: this.#at + 1, isAfterMember: true })
    else this.#root = { value: open.value }
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
    if (around?.isAfterMember || (!around && !before.every(isSpace)))
      throw broken('something stands before a bracket')
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
