// Timers that end together. They do not keep the process running.

export class Pauses {
  readonly #timers = new Set<NodeJS.Timeout>()

  after(ms: number, then: () => void) {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      then()
    }, ms).unref()
    this.#timers.add(timer)
  }

  clear() {
    for (const timer of this.#timers) clearTimeout(timer)
  }
}
