// Shares a limited capacity equally between keys. Up to `capacity` turns are taken at a time.
// Waiting turns are admitted round robin between keys, and in order within a key. Taking a free
// turn is synchronous.
export interface FairTurn {
  /**
   * Resolves when the turn begins, and never after `leave`; null when the turn began immediately.
   */
  admitted: Promise<void> | null
  /** Releases the turn or stops waiting for it. Idempotent. */
  leave(): void
}

export interface FairTurnsOptions {
  capacity: number
  /** Admits a key without any turn immediately, even beyond the capacity. */
  admitsFirst?: boolean
  /** Maximum turns of one key while other keys take turns as well. */
  maxPerKey?: number
  /** `maxPerKey` does not apply while no other key has taken a turn for this many milliseconds. */
  aloneMs?: number
  /**
   * While others wait, turns expire after this many milliseconds: the holder continues but no
   * longer counts.
   */
  maxMs?: number
}

interface Holder {
  key: string
  since: number
  begin: (() => void) | null
}

export class FairTurns {
  readonly #options: Required<FairTurnsOptions>
  /** Oldest first. */
  readonly #holders = new Set<Holder>()
  readonly #heldBy = new Map<string, number>()
  /** By key; the first key is admitted next. */
  readonly #waiting = new Map<string, Set<Holder>>()
  #timer: NodeJS.Timeout | null = null
  #lastKey: string | null = null
  /** When a turn was last taken by a key other than the one before it. */
  #changedAt = Number.NEGATIVE_INFINITY

  constructor(options: FairTurnsOptions) {
    this.#options = {
      admitsFirst: false,
      maxPerKey: Number.POSITIVE_INFINITY,
      aloneMs: Number.POSITIVE_INFINITY,
      maxMs: Number.POSITIVE_INFINITY,
      ...options,
    }
  }

  get stats() {
    let waiting = 0
    for (const holders of this.#waiting.values()) waiting += holders.size
    return { held: this.#holders.size, waiting }
  }

  take(key: string): FairTurn {
    const holder: Holder = { key, since: performance.now(), begin: null }
    if (key !== this.#lastKey) {
      if (this.#lastKey !== null) this.#changedAt = holder.since
      this.#lastKey = key
    }
    if (!this.#waiting.has(key) && this.#isFree(key, holder.since)) {
      this.#admit(holder)
      return { admitted: null, leave: () => this.#leave(holder) }
    }
    const admitted = new Promise<void>((resolve) => {
      holder.begin = resolve
    })
    this.#wait(holder)
    return { admitted, leave: () => this.#leave(holder) }
  }

  #isFree(key: string, now: number) {
    const { capacity, maxPerKey, admitsFirst } = this.#options
    const held = this.#heldBy.get(key) ?? 0
    if (held === 0 && admitsFirst) return true
    return this.#holders.size < capacity && (held < maxPerKey || this.#isAlone(key, now))
  }

  #isAlone(key: string, now: number) {
    return key === this.#lastKey && now - this.#changedAt > this.#options.aloneMs
  }

  #admit(holder: Holder) {
    this.#holders.add(holder)
    this.#heldBy.set(holder.key, (this.#heldBy.get(holder.key) ?? 0) + 1)
    holder.begin?.()
  }

  #wait(holder: Holder) {
    const others = this.#waiting.get(holder.key)
    if (others) others.add(holder)
    else this.#waiting.set(holder.key, new Set([holder]))
    this.#watch()
  }

  #leave(holder: Holder) {
    if (!this.#holders.delete(holder)) return this.#stopWaiting(holder)
    const held = this.#heldBy.get(holder.key)! - 1
    if (held > 0) this.#heldBy.set(holder.key, held)
    else this.#heldBy.delete(holder.key)
    if (this.#waiting.size > 0) this.#admitNext(held > 0 ? null : holder.key)
  }

  #stopWaiting(holder: Holder) {
    const others = this.#waiting.get(holder.key)
    if (others?.delete(holder) && others.size === 0) this.#waiting.delete(holder.key)
  }

  /** Admits waiting turns. `idle` is a key that has just released its last turn. */
  #admitNext(idle: string | null) {
    const now = performance.now()
    for (const key of this.#waiting.keys()) {
      if (this.#holders.size >= this.#options.capacity) break
      if (this.#isFree(key, now)) this.#admitFirstOf(key, now)
    }
    // Holders may exceed the capacity; a key entitled to a first turn does not wait for them.
    if (idle !== null && this.#waiting.has(idle) && this.#isFree(idle, now))
      this.#admitFirstOf(idle, now)
  }

  #admitFirstOf(key: string, now: number) {
    const waiting = this.#waiting.get(key)!
    const [next] = waiting
    waiting.delete(next!)
    this.#waiting.delete(key)
    if (waiting.size > 0) this.#waiting.set(key, waiting)
    next!.since = now
    this.#admit(next!)
  }

  /** While turns wait, expires the oldest turns on time. */
  #watch() {
    const { maxMs } = this.#options
    const [oldest] = this.#holders
    if (this.#timer || !oldest || maxMs === Number.POSITIVE_INFINITY) return
    const ms = Math.max(1, oldest.since + maxMs - performance.now())
    this.#timer = setTimeout(() => this.#endOld(), ms).unref()
  }

  #endOld() {
    this.#timer = null
    const before = performance.now() - this.#options.maxMs
    for (const holder of [...this.#holders]) {
      if (holder.since > before || this.#waiting.size === 0) break
      this.#leave(holder)
    }
    if (this.#waiting.size > 0) this.#watch()
  }
}
