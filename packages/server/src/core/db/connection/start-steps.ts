// Steps of a start: each is undone after a failure, and repeated while the database cannot be
// reached.
import { setTimeout as pause } from 'node:timers/promises'
import { StartAborted } from '@botstead/lib'
import type { Logger } from 'pino'
import { isTransient } from './unavailable.ts'

const firstRetryMs = 200
const maxRetryMs = 3_000

/** What stops the parts that were started. */
export class Undo {
  readonly #log: Logger
  #steps: (() => Promise<void>)[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  push(...steps: (() => Promise<void>)[]): void {
    this.#steps.push(...steps)
  }

  /** Runs the steps in reverse order. Logs a failing step and continues. */
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse())
      await step().catch((error) =>
        this.#log.error({ err: error }, 'failed to stop a part of the server'),
      )
  }

  /** Runs a step of the start. Retries with growing pauses while the database cannot be reached. */
  async untilReachable<T>(
    step: (undo: Undo) => Promise<T>,
    { signal, graceMs }: { signal: AbortSignal | undefined; graceMs: number },
  ): Promise<T> {
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, maxRetryMs)) {
      const done = new Undo(this.#log)
      try {
        const result = await unlessAborted(step(done), signal, graceMs)
        this.push(...done.#steps)
        return result
      } catch (error) {
        await done.run()
        if (signal?.aborted || !isTransient(error)) throw error
        this.#log.warn(
          { reason: (error as Error).message, retryMs },
          'the database cannot be reached: retrying',
        )
        await pause(retryMs, undefined, { ...(signal && { signal }) })
      }
    }
  }
}

async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  graceMs: number,
): Promise<T> {
  if (!signal) return work
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    const rejectAborted = () => reject(new StartAborted())
    abort = () =>
      void Promise.race([work, pause(graceMs)]).then(rejectAborted, rejectAborted)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  })
  return Promise.race([work, aborted]).finally(() =>
    signal.removeEventListener('abort', abort),
  )
}
