// Timeouts that suffice on a busy machine. A test's own timeout takes precedence over the default;
// BOTSTEAD_TEST_PATIENCE multiplies both.
import { expect, vi } from 'vitest'
import { patience } from '../../../../scripts/tests/patience.ts'

const usualMs = 10_000
/** This file runs for each test file, also in processes that several files share. */
const applied = Symbol.for('botstead.patience')

if (!(applied in vi)) {
  const { waitFor, waitUntil } = vi
  const { poll } = expect
  vi.waitFor = ((condition, options) =>
    waitFor(condition, toPatient(options))) as typeof waitFor
  vi.waitUntil = ((condition, options) =>
    waitUntil(condition, toPatient(options))) as typeof waitUntil
  expect.poll = ((condition, options) =>
    poll(condition, toPatient(options))) as typeof poll
  Object.assign(vi, { [applied]: true })
}

function toPatient(
  options: number | { timeout?: number; interval?: number } | undefined,
) {
  const { timeout = usualMs, ...others } =
    typeof options === 'number' ? { timeout: options } : (options ?? {})
  return { ...others, timeout: timeout * patience }
}
