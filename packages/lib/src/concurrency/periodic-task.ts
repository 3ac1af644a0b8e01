// Runs a task repeatedly, one run at a time: at a fixed pace, and earlier when requested by the
// task or by `within`. Uses the monotonic clock of the process; tasks read due times from the
// database.

export class PeriodicTask {
  readonly #task: () => Promise<unknown>
  readonly #paceMs: number
  readonly #failed: (error: unknown) => void
  #nextAt = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | null = null
  #stopped = false

  /**
   * A task that resolves with a number runs again after that many milliseconds, or at its pace if
   * that is earlier.
   */
  constructor({
    task,
    paceMs,
    failed,
  }: { task: () => Promise<unknown>; paceMs: number; failed: (error: unknown) => void }) {
    this.#task = task
    this.#paceMs = paceMs
    this.#failed = failed
    this.within(Math.min(paceMs, 200))
  }

  /** Schedules the next run within `ms` milliseconds. */
  within(ms: number) {
    const at = performance.now() + ms
    if (this.#stopped || at >= this.#nextAt) return
    this.#nextAt = at
    if (!this.#running) this.#wait()
  }

  #wait() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => this.#run(),
      Math.max(0, Math.ceil(this.#nextAt - performance.now())),
    ).unref()
  }

  #run() {
    // Requests during this run lead to another run, because this one may have looked too early.
    this.#nextAt = Number.POSITIVE_INFINITY
    this.#running = this.#task()
      .catch((error) => void this.#failed(error))
      .then((ms) => {
        this.#running = null
        this.within(typeof ms === 'number' ? Math.min(ms, this.#paceMs) : this.#paceMs)
        if (!this.#stopped) this.#wait()
      })
  }

  /** Resolves when no run is active. */
  async stop() {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }
}
