// The isolation tiers that work on this machine. Tests of other tiers are skipped with a reason.
import { test } from 'vitest'
import { findLauncher } from '../../src/infra/sandbox/launch.ts'
import type { Tier } from '../../src/infra/sandbox/way.ts'

const { launcher, missed } = await findLauncher()

export const tiers: Tier[] = launcher?.tier === 2 ? [1, 2] : [1]
export const isWalled = launcher?.tier === 2

export function tellWhatIsMissing() {
  if (!isWalled) test.skip(`left out: ${missed.join('; ')}`, () => {})
}
