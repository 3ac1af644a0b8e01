// Measures whether something happens so often that several should share a statement.

const measuredMs = 100

export class Pace {
  readonly #busyPerSecond: number
  #since = performance.now()
  #count = 0
  #perSecond = 0

  constructor(busyPerSecond: number) {
    this.#busyPerSecond = busyPerSecond
  }

  count() {
    this.#update()
    this.#count++
  }

  /** Whether the rate reached the limit in the last tenth of a second. */
  get isBusy() {
    this.#update()
    return this.#perSecond >= this.#busyPerSecond
  }

  #update() {
    const ms = performance.now() - this.#since
    if (ms < measuredMs) return
    this.#perSecond = (this.#count * 1_000) / ms
    this.#count = 0
    this.#since += ms
  }
}
