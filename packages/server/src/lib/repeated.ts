// A task that is done again and again, one at a time: at a pace, and sooner when it asks for that or is asked.
// Time is the process's own monotonic clock; what is due, a task asks where that is known.

export class Repeated {
  readonly #task: () => Promise<unknown>
  readonly #paceMs: number
  readonly #failed: (error: unknown) => void
  #nextAt = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | null = null
  #stopped = false

  /** A task that resolves with a number is done again after so many milliseconds, if that is sooner than its pace. */
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

  /** It begins in so many milliseconds, or sooner. */
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
    // What it is asked for meanwhile comes after this run, which may have looked too early.
    this.#nextAt = Number.POSITIVE_INFINITY
    this.#running = this.#task()
      .catch((error) => void this.#failed(error))
      .then((ms) => {
        this.#running = null
        this.within(typeof ms === 'number' ? Math.min(ms, this.#paceMs) : this.#paceMs)
        if (!this.#stopped) this.#wait()
      })
  }

  /** Resolves when it does not run any more. */
  async stop() {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }
}
