// Default timeouts for polling that suffice on a busy machine. A test's own timeout takes
// precedence.
import { vi } from 'vitest'

const usualMs = 10_000
const { waitFor } = vi

vi.waitFor = ((condition, options = {}) =>
  waitFor(
    condition,
    typeof options === 'number' ? options : { timeout: usualMs, ...options },
  )) as typeof waitFor
