/**
 * Returns a function that calls `call`. Calls that arrive while one runs share the next one, so each
 * result is newer than the calls that get it.
 */
export function shareNext<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  const begin = () => {
    next = null
    const called = call()
    running = called.catch(() => {})
    return called
  }
  return () => {
    next ??= running.then(begin)
    return next
  }
}
