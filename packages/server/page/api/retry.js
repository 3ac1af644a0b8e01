// Pauses between retries: exponential backoff up to 15 seconds, with jitter so that clients do not
// retry together.

const MAX_PAUSE = 15_000

const pauseBefore = (attempt) =>
  Math.min(MAX_PAUSE, 400 * 2 ** Math.min(attempt, 8)) * (0.75 + Math.random() / 2)

/**
 * `next()` waits, each time longer. `now()` ends the current pause; `reset()` makes the next one
 * short again.
 */
export function openPauses() {
  let attempt = 0
  let end = () => {}
  return {
    get attempt() {
      return attempt
    },
    next: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, pauseBefore(attempt++))
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    now: () => end(),
    reset() {
      attempt = 0
    },
  }
}
