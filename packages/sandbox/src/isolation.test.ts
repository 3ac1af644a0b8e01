// Isolation wherever Node.js is installed.
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isIsolated, warnOfMissingTools } from '../../server/test/support/tiers.ts'
import { findLauncher } from './launch.ts'
import { temporaryFolder } from './serverless-node.ts'

warnOfMissingTools()

test.runIf(isIsolated)(
  'isolates processes whose Node.js is in the temporary folder',
  { timeout: 100_000 },
  async () => {
    const folder = await mkdtemp(join(temporaryFolder, 'botstead-node-'))
    const { execPath } = process
    try {
      await chmod(folder, 0o755)
      process.execPath = join(folder, 'node')
      await copyFile(execPath, process.execPath)
      const { launcher, missed } = await findLauncher()
      expect(missed).toEqual([])
      expect(launcher?.tier).toBe(2)
    } finally {
      process.execPath = execPath
      await rm(folder, { recursive: true })
    }
  },
)
