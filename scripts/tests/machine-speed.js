// Time limits of scripts that measure: higher on a machine that is slow, or busy with other work.

/** Milliseconds of `timeLoop` on the machine for which limits are written. */
const loopMs = 400

/** Returns the time of a fixed amount of work in ms. */
export function timeLoop() {
  const start = performance.now()
  let text = ''
  for (let i = 0; i < 1e6; i++) text = JSON.stringify({ i, text: text.slice(-100) })
  return performance.now() - start
}

/** Returns how often slower than expected this machine is: `before` is the time of the loop before the work. */
export function slowdownSince(before) {
  return Math.max(1, Math.max(before, timeLoop()) / loopMs)
}

/** Returns the measured seconds as text. Throws if they are over the limit on this machine. */
export function inTime(what, seconds, limit, slowdown) {
  const factor = slowdown.toFixed(1)
  const text = `${seconds.toFixed(1)} s of ${(limit * slowdown).toFixed(1)} s (${limit} s × ${factor})`
  if (seconds > limit * slowdown) throw new Error(`${what} takes ${text}`)
  return text
}
