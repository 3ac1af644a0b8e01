// The invocations that one child process is running, and what its log lines say of them.
import type { InvocationFailed } from '../invocation/invocation.ts'
import type { HandlerRequest, HandlerResponse, LogLine, LogLinks } from '../sandbox.ts'

interface Waiting {
  resolve(response: HandlerResponse): void
  reject(error: InvocationFailed): void
  timer: NodeJS.Timeout
}

/** The invocations for which log lines may still arrive. */
const maxNoted = 1_000

/** Running invocations by id. */
export class Invocations {
  readonly #waiting = new Map<number, Waiting>()

  has(id: number): boolean {
    return this.#waiting.has(id)
  }

  add(id: number, waiting: Waiting): void {
    this.#waiting.set(id, waiting)
  }

  /**
   * Removes the invocation and returns it, so that its caller settles it. Null if it has been
   * settled.
   */
  take(id: number): Waiting | null {
    const found = this.#waiting.get(id)
    if (!found) return null
    clearTimeout(found.timer)
    this.#waiting.delete(id)
    return found
  }

  /** Rejects the invocation, but still expects its end until the deadline. */
  abandon(id: number, error: InvocationFailed): void {
    const found = this.#waiting.get(id)
    if (!found) return
    found.reject(error)
    Object.assign(found, { resolve: () => {}, reject: () => {} })
  }

  rejectAll(error: InvocationFailed): void {
    for (const id of [...this.#waiting.keys()]) this.take(id)?.reject(error)
  }
}

/** What to add to the log lines of each invocation. */
export class LogNotes {
  readonly #noted = new Map<number, (line: LogLine) => Partial<LogLine>>()

  /**
   * Notes fields for the invocation's log lines. They come from our own request, so the process
   * cannot forge them.
   */
  note(id: number, { headers }: HandlerRequest, about: LogLinks): void {
    const origin = headers['x-integration-id'] ? headers['x-bot-id'] : undefined
    const isAbout = Object.keys(about).length > 0
    this.#noted.set(id, ({ options }) => ({
      ...(isAbout && { options: { ...about, ...options } }),
      ...(origin && { origin }),
    }))
    if (this.#noted.size > maxNoted) this.#noted.delete(this.#noted.keys().next().value!)
  }

  complete(line: LogLine, id: number): LogLine {
    return { ...line, ...this.#noted.get(id)?.(line) }
  }
}
