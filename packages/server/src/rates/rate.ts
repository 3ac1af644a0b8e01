// One kind of limit: a sliding window for each key (a token, a bot, a user, an address).
import { SlidingWindow } from './sliding-window.ts'

/** Where a key stands against its limit. */
export interface Standing {
  passed: boolean
  limit: number
  remaining: number
  /** Until one passes: 0 when one does now. */
  msUntilFree: number
}

export interface RateOptions {
  limit: number
  windowMs: number
  /** Milliseconds of a clock that only goes forward. */
  now: () => number
  mostKeys?: number
}

/** What was counted of a key, per slice of its window, newest first. */
export type Dump = [key: string, counts: number[]]

export class Rate {
  readonly #options: Required<RateOptions>
  readonly #windows = new Map<string, SlidingWindow>()
  /** What passed here since it was last asked for. */
  #fresh = new Map<string, number>()

  constructor(options: RateOptions) {
    this.#options = { mostKeys: 100_000, ...options }
  }

  /** Counts one more if it passes. */
  take(key: string): Standing {
    const passed = this.#windowOf(key).take(this.#options.now())
    if (passed) this.#fresh.set(key, (this.#fresh.get(key) ?? 0) + 1)
    return { ...this.look(key), passed }
  }

  /** Nothing counts at the moment, for any key. */
  get isQuiet() {
    return this.#windows.size === 0
  }

  /** Without counting: whether one would pass. */
  look(key: string): Standing {
    const { limit, now } = this.#options
    const at = now()
    const window = this.#windows.get(key)
    const remaining = window ? window.remaining(at) : limit
    return {
      passed: remaining > 0,
      limit,
      remaining,
      msUntilFree: remaining > 0 ? 0 : window!.msUntilFree(at),
    }
  }

  /** Passed in another process. */
  add(key: string, count: number) {
    this.#windowOf(key).add(count, this.#options.now())
  }

  restore([key, counts]: Dump, ageMs: number) {
    this.#windowOf(key).restore(counts, ageMs, this.#options.now())
  }

  /** What passed here since this was last called; and forgets the keys of which nothing counts any more. */
  takeFresh(): Map<string, number> {
    const fresh = this.#fresh
    this.#fresh = new Map()
    const at = this.#options.now()
    for (const [key, window] of this.#windows) if (window.isEmpty(at)) this.#windows.delete(key)
    return fresh
  }

  dump(keys: Iterable<string>): Dump[] {
    const at = this.#options.now()
    return [...keys].flatMap((key) => {
      const window = this.#windows.get(key)
      return window ? [[key, window.dump(at)] satisfies Dump] : []
    })
  }

  #windowOf(key: string): SlidingWindow {
    const known = this.#windows.get(key)
    if (known) return known
    const { limit, windowMs, mostKeys } = this.#options
    const window = new SlidingWindow(limit, windowMs)
    this.#windows.set(key, window)
    if (this.#windows.size > mostKeys) this.#windows.delete(this.#windows.keys().next().value!)
    return window
  }
}
