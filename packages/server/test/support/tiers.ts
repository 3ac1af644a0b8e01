// Which tiers of the sandbox hold on this machine. Where it is not all of them, the tests of the others are left out, and say why.
import { test } from 'vitest'
import { findLauncher } from '../../src/infra/sandbox/launch.ts'
import type { Tier } from '../../src/infra/sandbox/way.ts'

const { launcher, missed } = await findLauncher()

export const tiers: Tier[] = launcher?.tier === 2 ? [1, 2] : [1]
export const isWalled = launcher?.tier === 2

export function tellWhatIsMissing() {
  if (!isWalled) test.skip(`left out: ${missed.join('; ')}`, () => {})
}
