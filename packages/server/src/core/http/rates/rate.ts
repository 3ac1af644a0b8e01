// One rate limit: a sliding window per key (a token, a bot, a user, an address).
import { SlidingWindow } from './sliding-window.ts'

/** State of a key relative to its limit. */
export interface RateStatus {
  passed: boolean
  limit: number
  remaining: number
  /** Milliseconds until the amount passes; 0 if it passes now. */
  msUntilFree: number
}

interface RateOptions {
  limit: number
  windowMs: number
  /** Monotonic clock in ms. */
  now: () => number
  maxKeys?: number
}

/** Counts of a key per slice of its window, newest first. */
export type Dump = [key: string, counts: number[]]

export class Rate {
  readonly #options: Required<RateOptions>
  readonly #windows = new Map<string, SlidingWindow>()
  /** Counts of this process since the last `takeFresh`. */
  #fresh = new Map<string, number>()

  constructor(options: RateOptions) {
    this.#options = { maxKeys: 100_000, ...options }
  }

  /** Counts the amount if it passes. One above the limit counts as the limit. */
  take(key: string, amount = 1): RateStatus {
    const counted = Math.min(amount, this.#options.limit)
    const passed = this.#windowOf(key).take(this.#options.now(), counted)
    if (passed) this.#fresh.set(key, (this.#fresh.get(key) ?? 0) + counted)
    return { ...this.look(key, amount), passed }
  }

  /** Whether no key has any count. */
  get isQuiet() {
    return this.#windows.size === 0
  }

  /** Returns the state without counting. */
  look(key: string, amount = 1): RateStatus {
    const { limit, now } = this.#options
    const at = now()
    const window = this.#windows.get(key)
    const remaining = window ? window.remaining(at) : limit
    const counted = Math.min(amount, limit)
    const passed = remaining >= counted
    return {
      passed,
      limit,
      remaining,
      msUntilFree: passed ? 0 : window!.msUntilFree(at, counted),
    }
  }

  /** Adds counts of another process. */
  add(key: string, count: number) {
    this.#windowOf(key).add(count, this.#options.now())
  }

  restore([key, counts]: Dump, ageMs: number) {
    this.#windowOf(key).restore(counts, ageMs, this.#options.now())
  }

  /** Returns the counts of this process since the last call, and removes keys without counts. */
  takeFresh(): Map<string, number> {
    const fresh = this.#fresh
    this.#fresh = new Map()
    const at = this.#options.now()
    for (const [key, window] of this.#windows)
      if (window.isEmpty(at)) this.#windows.delete(key)
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
    const { limit, windowMs, maxKeys } = this.#options
    const window = new SlidingWindow(limit, windowMs)
    this.#windows.set(key, window)
    if (this.#windows.size > maxKeys)
      this.#windows.delete(this.#windows.keys().next().value!)
    return window
  }
}
