import { defineConfig } from 'vitest/config'
import { CountReporter } from './scripts/count-reporter.ts'

// Packages are tested from their sources, not from what was last built. Others as Node takes them: what they mean for bundlers, it cannot always load.
const conditions = ['source', 'node', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/**/*.test.ts', 'examples/**/*.test.ts', 'conformance/*.test.ts', 'bench/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['packages/server/test/global-setup.ts'],
    setupFiles: ['packages/server/test/patience.ts'],
    // One more than two cores: much of the time is waiting, for a lease, a pause, a process.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    reporters: ['default', new CountReporter()],
  },
})
