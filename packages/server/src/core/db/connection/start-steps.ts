// Steps of a start: each is undone after a failure, and repeated while the database cannot be
// reached.
import { setTimeout as pause } from 'node:timers/promises'
import { StartAborted } from '@botstead/lib'
import type { Logger } from 'pino'
import { isTransient } from './unavailable.ts'

/** What stops the parts that were started, in their order. */
export type Undo = (() => Promise<void>)[]

/** Runs the steps in reverse order. Logs a failing step and continues. */
export async function undoAll(undo: Undo, log: Logger) {
  for (const step of undo.splice(0).reverse())
    await step().catch((error) => log.error({ err: error }, 'failed to stop a part of the server'))
}

const firstRetryMs = 200
const maxRetryMs = 3_000
/** Runs a step of the start. Retries with growing pauses while the database cannot be reached. */
export async function untilReachable<T>(
  step: (undo: Undo) => Promise<T>,
  {
    undo,
    log,
    signal,
    graceMs,
  }: { undo: Undo; log: Logger; signal: AbortSignal | undefined; graceMs: number },
): Promise<T> {
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, maxRetryMs)) {
    const done: Undo = []
    try {
      const result = await unlessAborted(step(done), signal, graceMs)
      undo.push(...done)
      return result
    } catch (error) {
      await undoAll(done, log)
      if (signal?.aborted || !isTransient(error)) throw error
      log.warn(
        { reason: (error as Error).message, retryMs },
        'the database cannot be reached: retrying',
      )
      await pause(retryMs, undefined, { ...(signal && { signal }) })
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
    abort = () => void Promise.race([work, pause(graceMs)]).then(rejectAborted, rejectAborted)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort))
}
