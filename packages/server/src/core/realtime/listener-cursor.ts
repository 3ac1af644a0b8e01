// One listener of a conversation: its position and its catch-up reads. Invariant: every signal with
// a number up to `at` was sent exactly once, in order. Anything that does not directly follow (a
// gap, a note without its signals) causes a read. Requests to read are never lost: one that arrives
// during a read causes another read.
import type { Listener, Signal } from './signal.ts'

/** Signals per read. */
export const pageSize = 100
/** Maximum signals kept during a read. Later ones are read from the database too. */
const maxKept = 200
/** Tries half a second apart, since the database may be restarting. */
const maxTries = 60
const betweenTriesMs = 500

interface SignalSource {
  /**
   * Returns a page of signals after a number. May be shared with other listeners if the read begins
   * after the request `wishedAt`.
   */
  read(after: string, wishedAt: number): Promise<Signal[]>
  /** Returns a logical time for a request. */
  stamp(): number
  failed(error: unknown): void
  /** Ends the listener after too many failures. Clients reconnect and resume by the frame ids. */
  giveUp(): void
}

export class ListenerCursor {
  readonly listener: Listener
  readonly #source: SignalSource
  #at: bigint
  #reading = false
  #ended = false
  /** Signals received during a read. */
  #kept: Signal[] = []
  #wanted = 0n
  #wishedAt = 0

  constructor(listener: Listener, after: string, source: SignalSource) {
    this.listener = listener
    this.#source = source
    this.#at = BigInt(after)
  }

  /** Handles a signal, of any process. */
  receive(signal: Signal) {
    if (this.#reading) return this.#keep(signal)
    const position = toPosition(signal)
    if (position === null) return this.listener.send(signal)
    if (position > this.#at + 1n) this.want(position)
    else this.#send(signal)
  }

  /** Notes that everything up to this number is committed. */
  want(number: bigint) {
    if (number <= this.#at) return
    if (number > this.#wanted) this.#wanted = number
    this.catchUp()
  }

  /** Reads everything after the current position. */
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
    if (this.#kept.length < maxKept) return void this.#kept.push(signal)
    const position = toPosition(signal)
    if (position !== null) this.want(position)
  }

  async #readAll() {
    this.#reading = true
    for (let fulfilled = 0; fulfilled < this.#wishedAt && !this.#ended; ) {
      const wanted = this.#wanted
      fulfilled = this.#wishedAt
      if (!(await this.#readPatiently(fulfilled))) return this.#source.giveUp()
      // Numbers that were not found have been deleted.
      if (wanted > this.#at) this.#at = wanted
    }
    this.#reading = false
    this.#sendKept(this.#kept.splice(0))
  }

  async #readPatiently(wishedAt: number): Promise<boolean> {
    for (let tries = 1; tries <= maxTries && !this.#ended; tries++) {
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
    const position = toPosition(signal)
    if (position !== null && position <= this.#at) return
    if (signal.number !== null) this.#at = BigInt(signal.number)
    this.listener.send(signal)
  }

  /**
   * Sends the kept signals that were not read meanwhile. Transient signals before a signal that was
   * read are dropped, since they are outdated.
   */
  #sendKept(kept: Signal[]) {
    const isOver = (signal: Signal) => (toPosition(signal) ?? this.#at + 1n) <= this.#at
    const overtaken = kept.findLastIndex(isOver)
    const remaining = kept.filter((signal, i) =>
      toPosition(signal) === null ? i > overtaken : !isOver(signal),
    )
    for (const signal of remaining) this.receive(signal)
  }
}

function toPosition({ number, before }: Signal): bigint | null {
  if (number !== null) return BigInt(number)
  return before !== undefined ? BigInt(before) : null
}
