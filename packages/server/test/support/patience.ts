// Tests wait for what follows for as long as a busy machine may take: only what never comes is a failure. A test that says how long it waits is heard.
import { vi } from 'vitest'

const usualMs = 10_000
const { waitFor } = vi

vi.waitFor = ((condition, options = {}) =>
  waitFor(
    condition,
    typeof options === 'number' ? options : { timeout: usualMs, ...options },
  )) as typeof waitFor
