// Checks of machines: each prints a line, and the last line counts them.
import { setTimeout as pause } from 'node:timers/promises'

const counts = { passed: 0, failed: 0, skipped: 0 }

/** `work` may return what it found. */
export async function check(name, work) {
  const start = Date.now()
  try {
    const found = await work()
    const seconds = Math.round((Date.now() - start) / 1000)
    console.log(`✓ ${name}: ${found ? `${found}, ` : ''}${seconds} s`)
    counts.passed++
  } catch (error) {
    console.log(`✗ ${name}: ${error.stack}`)
    counts.failed++
  }
}

export function leaveOut(what) {
  console.log(`left out: ${what}`)
  counts.skipped++
}

export function finish() {
  const { passed, failed, skipped } = counts
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  process.exit(failed ? 1 : 0)
}

/** Repeats the work until it succeeds, for three minutes or until the program ends. Returns its result. */
export async function until(name, work, program) {
  const deadline = Date.now() + 180_000
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (program?.hasEnded() || Date.now() > deadline)
        throw new Error(
          `not reached: ${name}: ${error.message}\n${program?.output() ?? ''}`,
        )
      await pause(500)
    }
  }
}

/** Expects a text that contains a part or matches a pattern. */
export function expect(text, wanted) {
  const isFound = typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)
  if (!isFound) throw new Error(`expected ${wanted} in: ${text.slice(-3_000)}`)
}
