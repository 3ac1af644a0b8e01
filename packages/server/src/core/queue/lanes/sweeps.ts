// When the queue looks for lanes to claim: one sweep at a time.
import type { Logger } from 'pino'

/** Sweeps requested within this time run as one. */
const gatherMs = 10

interface Deps {
  sweep: () => Promise<void>
  log: Pick<Logger, 'warn'>
}

export class Sweeps {
  readonly #deps: Deps
  #running: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Joins the sweep in progress. */
  run(): Promise<void> {
    this.#running ??= this.#deps.sweep().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  runSoon(): void {
    this.#timer ??= setTimeout(async () => {
      this.#timer = null
      // The sweep in progress may have looked before the new lanes existed.
      await this.quiet()
      await this.run().catch((error) =>
        this.#deps.log.warn({ err: error }, 'cannot claim free lanes'),
      )
    }, gatherMs).unref()
  }

  /** Resolves after the sweep in progress. */
  async quiet(): Promise<void> {
    await this.#running?.catch(() => {})
  }
}
