// How much passed in the time that has just gone by. Time is cut into slices, and a slice counts until all of it is too long ago: so never more
// than the limit passes in any window, and what is refused would have passed at most a hundredth of a window later. The size does not grow
// with the limit. Times are milliseconds of a clock that only goes forward.

const slices = 100

export class SlidingWindow {
  readonly #limit: number
  readonly #sliceMs: number
  /** One more than fit in a window: the oldest lies across its edge. */
  readonly #counts = new Uint32Array(slices + 1)
  #newest = 0
  #total = 0

  constructor(limit: number, windowMs: number) {
    this.#limit = limit
    this.#sliceMs = windowMs / slices
  }

  /** Whether one more passes; if so, it is counted. */
  take(now: number): boolean {
    this.#advance(now)
    if (this.#total >= this.#limit) return false
    this.#count(this.#newest, 1)
    return true
  }

  /** Passed elsewhere, and counts here. */
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

  /** How long until one passes; 0 when one does now. */
  msUntilFree(now: number): number {
    this.#advance(now)
    let excess = this.#total - this.#limit + 1
    for (let slice = this.#newest - slices; excess > 0 && slice <= this.#newest; slice++) {
      excess -= this.#counts[this.#placeOf(slice)]!
      if (excess <= 0) return (slice + slices + 1) * this.#sliceMs - now
    }
    return 0
  }

  /** Counts per slice, the newest first. */
  dump(now: number): number[] {
    this.#advance(now)
    const counts = Array.from(
      { length: slices + 1 },
      (_, age) => this.#counts[this.#placeOf(this.#newest - age)]!,
    )
    return counts.slice(0, counts.findLastIndex((count) => count > 0) + 1)
  }

  /** What was dumped `ageMs` ago. */
  restore(counts: number[], ageMs: number, now: number) {
    this.#advance(now)
    const behind = Math.floor(Math.max(0, ageMs) / this.#sliceMs)
    for (const [age, count] of counts.entries())
      if (age + behind <= slices) this.#count(this.#newest - age - behind, count)
  }

  #count(slice: number, count: number) {
    this.#counts[this.#placeOf(slice)]! += count
    this.#total += count
  }

  #placeOf(slice: number) {
    return (slice + slices + 1) % (slices + 1)
  }

  #advance(now: number) {
    const current = Math.floor(now / this.#sliceMs)
    if (current <= this.#newest) return
    if (current - this.#newest > slices) this.#counts.fill(0)
    else for (let slice = this.#newest + 1; slice <= current; slice++) this.#counts[this.#placeOf(slice)] = 0
    this.#newest = current
    this.#total = this.#counts.reduce((sum, count) => sum + count, 0)
  }
}
