// Single tests that `npm test` leaves out, because they look for rare schedules for a long time
// (scripts/tests/long-tests.ts has whole files).
import type { TestContext } from 'vitest'

export const isLong = (process.env.BOTSTEAD_TEST_LONG || '0') !== '0'

/** Skips the test in a plain run. `reason` completes "long: it …". */
export function skipUnlessLong({ skip }: TestContext, reason: string): void {
  skip(!isLong, `long: it ${reason}; npm run test:all includes it`)
}
