// Performs the requests to a model one at a time. Requests of background work wait for all others, so that
// a question does not wait for the indexing of files.
export interface Turn {
  isBackground?: boolean | undefined
  /** Rejects the request at once, also while it is performed. */
  signal?: AbortSignal | undefined
}

type Begin = () => Promise<void>

export class RequestQueue {
  readonly #urgent: Begin[] = []
  readonly #background: Begin[] = []
  #isBusy = false

  run<Result>(
    perform: () => Promise<Result>,
    { isBackground = false, signal }: Turn,
  ): Promise<Result> {
    const line = isBackground ? this.#background : this.#urgent
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const begin = () =>
        perform()
          .then(resolve, reject)
          .finally(() => signal?.removeEventListener('abort', abort))
      const abort = () => {
        const at = line.indexOf(begin)
        if (at >= 0) line.splice(at, 1)
        reject(signal!.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
      line.push(begin)
      void this.#work()
    })
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    for (;;) {
      const begin = this.#urgent.shift() ?? this.#background.shift()
      if (!begin) break
      await begin()
    }
    this.#isBusy = false
  }
}
