// Work that others can stop.

export class Stoppable {
  #isStopped = false
  #onStop: (() => void) | null = null

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Called once, also if the work has been stopped before. */
  set onStop(onStop: () => void) {
    this.#onStop = onStop
    if (this.#isStopped) onStop()
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#onStop?.()
  }
}
