import { defineConfig } from 'vitest/config'
import { CountReporter } from './scripts/count-reporter.ts'
import { builtFiles, fromBuild, isBuilt } from './scripts/from-build.ts'
import { LongestFirst } from './scripts/longest-first.ts'

// While files are watched, what counts is what they say now.
const built = process.argv.includes('run') && isBuilt()
if (!built) console.log('The sources are tested, not the build, which is older or not there: that takes longer, and what starts processes needs the build.')
// Without a build, packages are tested from their sources. Others as Node takes them: what they mean for bundlers, it cannot always load.
const conditions = [...(built ? [] : ['source']), 'node', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  plugins: built ? [fromBuild] : [],
  test: {
    include: ['packages/**/*.test.ts', 'examples/**/*.test.ts', 'conformance/*.test.ts', 'bench/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['packages/server/test/global-setup.ts'],
    setupFiles: ['packages/server/test/patience.ts'],
    server: built ? { deps: { external: [builtFiles] } } : {},
    // One more than two cores: much of the time is waiting, for a lease, a pause, a process.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 20_000,
    hookTimeout: 30_000,
    reporters: ['default', new CountReporter()],
  },
})
