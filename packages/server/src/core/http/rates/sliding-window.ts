// Counts calls in a sliding window. Time is divided into slices, and a slice counts until all of it
// has left the window. So no window ever exceeds the limit, and a call is rejected at most one
// slice (a hundredth of the window) too long. Memory does not depend on the limit. Times are ms of
// a monotonic clock.

const slices = 100

export class SlidingWindow {
  readonly #limit: number
  readonly #sliceMs: number
  /** One slice more than a window has, because the oldest overlaps the edge of the window. */
  readonly #counts: Uint32Array | Float64Array
  #newest = 0
  #total = 0

  constructor(limit: number, windowMs: number) {
    this.#limit = limit
    this.#sliceMs = windowMs / slices
    // Limits of bytes may exceed 32 bits.
    this.#counts = new (limit < 2 ** 31 ? Uint32Array : Float64Array)(slices + 1)
  }

  /** Counts `amount` if it passes. Returns whether it passed. */
  take(now: number, amount = 1): boolean {
    this.#advance(now)
    if (this.#total + amount > this.#limit) return false
    this.#count(this.#newest, amount)
    return true
  }

  /** Adds calls that passed in another process. */
  add(count: number, now: number) {
    this.#advance(now)
    this.#count(this.#newest, count)
  }

  remaining(now: number): number {
    this.#advance(now)
    return Math.max(0, this.#limit - this.#total)
  }

  isEmpty(now: number): boolean {
    this.#advance(now)
    return this.#total === 0
  }

  /** Returns the ms until `amount` passes; 0 if it passes now. */
  msUntilFree(now: number, amount = 1): number {
    this.#advance(now)
    let excess = this.#total - this.#limit + amount
    for (
      let slice = this.#newest - slices;
      excess > 0 && slice <= this.#newest;
      slice++
    ) {
      excess -= this.#counts[this.#indexOf(slice)]!
      if (excess <= 0) return (slice + slices + 1) * this.#sliceMs - now
    }
    return 0
  }

  /** Returns the counts per slice, newest first. */
  dump(now: number): number[] {
    this.#advance(now)
    const counts = Array.from(
      { length: slices + 1 },
      (_, age) => this.#counts[this.#indexOf(this.#newest - age)]!,
    )
    return counts.slice(0, counts.findLastIndex((count) => count > 0) + 1)
  }

  /** Restores counts that were dumped `ageMs` ago. */
  restore(counts: number[], ageMs: number, now: number) {
    this.#advance(now)
    const behind = Math.floor(Math.max(0, ageMs) / this.#sliceMs)
    for (const [age, count] of counts.entries())
      if (age + behind <= slices) this.#count(this.#newest - age - behind, count)
  }

  #count(slice: number, count: number) {
    this.#counts[this.#indexOf(slice)]! += count
    this.#total += count
  }

  #indexOf(slice: number) {
    return (slice + slices + 1) % (slices + 1)
  }

  #advance(now: number) {
    const current = Math.floor(now / this.#sliceMs)
    if (current <= this.#newest) return
    if (current - this.#newest > slices) this.#counts.fill(0)
    else
      for (let slice = this.#newest + 1; slice <= current; slice++)
        this.#counts[this.#indexOf(slice)] = 0
    this.#newest = current
    this.#total = 0
    for (const count of this.#counts) this.#total += count
  }
}
