// Time limits of scripts that measure: higher on a machine that is slow, or busy with other work.
import { deflateSync } from 'node:zlib'

/** Milliseconds of `timeLoop` on the machine for which limits are written. */
const loopMs = 400

/** 700 KB of words. */
const text = Array.from({ length: 1e5 }, (_, i) =>
  (Math.imul(i, 2654435761) >>> 0).toString(36),
)
const data = Buffer.from(text.join(' '))

/**
 * Returns the time of a fixed amount of work in ms. It compresses, because zlib takes as long with each
 * version of Node; JSON takes half as long with 24 as with 20.
 */
export function timeLoop() {
  const start = performance.now()
  for (let i = 0; i < 41; i++) deflateSync(data)
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
