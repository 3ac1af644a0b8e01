// The isolation tiers that work on this machine. Tests of other tiers are skipped with a reason.
import { test } from 'vitest'
import type { Tier } from '../../../sandbox/src/isolation.ts'
import { findLauncher } from '../../../sandbox/src/launch.ts'

const { launcher, missed } = await findLauncher()

export const tiers: Tier[] = launcher?.tier === 2 ? [1, 2] : [1]
export const isIsolated = launcher?.tier === 2

export function warnOfMissingTools() {
  if (!isIsolated) test.skip(`left out: ${missed.join('; ')}`, () => {})
}
