import { defineConfig } from 'vitest/config'
import { CountReporter } from './scripts/count-reporter.ts'
import { builtFiles, fromBuild, isBuilt } from './scripts/from-build.ts'
import { LongestFirst, longFiles } from './scripts/longest-first.ts'

// While files are watched, what counts is what they say now.
const built = process.argv.includes('run') && isBuilt()
if (!built)
  console.log(
    'The sources are tested, not the build, which is older or not there: that takes longer, and what starts processes needs the build.',
  )
// Without a build, packages are tested from their sources. Others as Node takes them: what they mean for bundlers, it cannot always load.
const conditions = [...(built ? [] : ['source']), 'node', 'default']

/**
 * A process of its own for what says how all of a process is traced, for what moves its clock (ids made afterwards would stay in the future), for code
 * that is stopped, and for what takes long: servers, browsers, bots.
 */
const apart = [...longFiles, 'tracing', 'trace-passed-on', 'clock', 'due', 'queue']
const alone = [
  'packages/flows/**/*.test.ts',
  'examples/**/*.test.ts',
  ...apart.map((name) => `packages/server/test/${name}.test.ts`),
]

/** Vitest does not hand these on to projects. */
const leftOut = process.argv.filter((_, i, all) => all[i - 1] === '--exclude')

const project = (name: string, test: { include: string[]; exclude: string[]; isolate: boolean }) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  plugins: built ? [fromBuild] : [],
  test: {
    ...{
      name,
      include: test.include,
      exclude: ['**/node_modules/**', '**/dist/**', ...leftOut, ...test.exclude],
      isolate: test.isolate,
    },
    setupFiles: ['packages/server/test/patience.ts'],
    server: built ? { deps: { external: [builtFiles] } } : {},
    // As `patience.ts` for what is waited for.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})

export default defineConfig({
  test: {
    projects: [
      project('alone', { include: alone, exclude: [], isolate: true }),
      // In a few processes one after the other, which so load the server once.
      project('together', {
        include: ['packages/**/*.test.ts', 'conformance/*.test.ts', 'bench/**/*.test.ts'],
        exclude: alone,
        isolate: false,
      }),
    ],
    globalSetup: ['packages/server/test/global-setup.ts'],
    // One more than two cores: much of the time is waiting, for a lease, a pause, a process.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new CountReporter()],
  },
})
