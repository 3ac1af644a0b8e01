// When to try again: soon at first, then ever more rarely, never in step with all the others that lost the same server.

const LONGEST = 15_000

const pauseBefore = (attempt) =>
  Math.min(LONGEST, 400 * 2 ** Math.min(attempt, 8)) * (0.75 + Math.random() / 2)

/** A pause that grows with each use. `now()` ends the one under way, `reset()` makes the next one short again. */
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
