// One listener of a conversation: what it was sent, and how it gets what it missed. Invariant: everything numbered up to `at` was sent, once, in order.
// What cannot be placed behind it (a gap, a note from another process) becomes a wish to read, and wishes are never lost: one that comes
// while it reads makes it read again.
import type { Listener, Signal } from './signals.ts'

/** Signals read at a time. */
export const pageSize = 100
/** What may wait here while it reads; past that it is read too. */
const mostKept = 200
/** The database may be restarting: half a second apart. */
const mostTries = 60
const betweenTriesMs = 500

export interface Source {
  /** A page of what lies after a number. May be shared by those who wish for the same, if it begins after the wish. */
  read(after: string, wishedAt: number): Promise<Signal[]>
  /** A stamp for a wish. */
  stamp(): number
  failed(error: unknown): void
  /** It cannot be served; it resumes by itself, from where it was: that is what the ids of the frames are for. */
  giveUp(): void
}

export class Listening {
  readonly listener: Listener
  readonly #source: Source
  #at: bigint
  #reading = false
  #ended = false
  /** What came while it was reading. */
  #kept: Signal[] = []
  #wanted = 0n
  #wishedAt = 0

  constructor(listener: Listener, after: string, source: Source) {
    this.listener = listener
    this.#source = source
    this.#at = BigInt(after)
  }

  /** A signal of this process, or one that nobody keeps. */
  hear(signal: Signal) {
    if (this.#reading) return this.#keep(signal)
    const place = placeOf(signal)
    if (place === null) return this.listener.send(signal)
    if (place > this.#at + 1n) this.want(place)
    else this.#send(signal)
  }

  /** Everything up to this number is committed, at least. */
  want(number: bigint) {
    if (number <= this.#at) return
    if (number > this.#wanted) this.#wanted = number
    this.catchUp()
  }

  /** There may be anything. */
  catchUp() {
    this.#wishedAt = this.#source.stamp()
    if (!this.#reading) void this.#readAll()
  }

  end() {
    if (this.#ended) return
    this.#ended = true
    this.listener.end()
  }

  #keep(signal: Signal) {
    if (this.#kept.length < mostKept) return void this.#kept.push(signal)
    const place = placeOf(signal)
    if (place !== null) this.want(place)
  }

  async #readAll() {
    this.#reading = true
    for (let fulfilled = 0; fulfilled < this.#wishedAt && !this.#ended; ) {
      const wanted = this.#wanted
      fulfilled = this.#wishedAt
      if (!(await this.#readPatiently(fulfilled))) return this.#source.giveUp()
      // What is not there any more was deleted.
      if (wanted > this.#at) this.#at = wanted
    }
    this.#reading = false
    this.#place(this.#kept.splice(0))
  }

  async #readPatiently(wishedAt: number): Promise<boolean> {
    for (let tries = 1; tries <= mostTries && !this.#ended; tries++) {
      try {
        await this.#readPages(wishedAt)
        return true
      } catch (error) {
        this.#source.failed(error)
        await new Promise((resolve) => setTimeout(resolve, betweenTriesMs))
      }
    }
    return this.#ended
  }

  async #readPages(wishedAt: number) {
    for (let size = pageSize; size >= pageSize && !this.#ended; ) {
      const signals = await this.#source.read(String(this.#at), wishedAt)
      size = signals.length
      for (const signal of signals) {
        await this.listener.ready?.()
        if (this.#ended) return
        this.#send(signal)
      }
    }
  }

  #send(signal: Signal) {
    const place = placeOf(signal)
    if (place !== null && place <= this.#at) return
    if (signal.number !== null) this.#at = BigInt(signal.number)
    this.listener.send(signal)
  }

  /** Mostly what was read already: that goes, with the passing signals before it, which what was read has overtaken. */
  #place(kept: Signal[]) {
    const isOver = (signal: Signal) => (placeOf(signal) ?? this.#at + 1n) <= this.#at
    const overtaken = kept.findLastIndex(isOver)
    const left = kept.filter((signal, i) => (placeOf(signal) === null ? i > overtaken : !isOver(signal)))
    for (const signal of left) this.hear(signal)
  }
}

const placeOf = ({ number, before }: Signal) =>
  number !== null ? BigInt(number) : before !== undefined ? BigInt(before) : null
