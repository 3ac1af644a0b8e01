// The running invocations in the process of a bot.
import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Headers that each call to our API carries: the causing event or message, the worker's fence, and
 * the trace.
 */
export type Marks = [name: string, value: string][]
/**
 * The current invocation. Log lines are attributed to its number. There is only one store, because
 * each AsyncLocalStorage slows down every callback.
 */
export const invocations = new AsyncLocalStorage<Invocation>()

interface Invocation {
  id: number
  marks: Marks
  stop: Stop
  /** The log entry of the error that the SDK's response hides. */
  hiddenError?: string
}

/** Creates its controller when it is needed: one takes five microseconds. */
export class Stop {
  #controller: AbortController | null = null

  get controller(): AbortController {
    this.#controller ??= new AbortController()
    return this.#controller
  }
}
/** Of the running invocations, by number. */
export const stops = new Map<number, Stop>()
