import { defineConfig } from 'vitest/config'
import { CountReporter } from './scripts/count-reporter.ts'
import { builtFiles, fromBuild, isBuilt } from './scripts/from-build.ts'
import { chosenGroup, includeLongTests, leftOutLines, longTests } from './scripts/long-tests.ts'
import { LongestFirst, longFiles } from './scripts/longest-first.ts'
import { findMemoryFolder } from './scripts/memory-folder.js'
import { processes } from './scripts/tests/durations.ts'
import { ProgressReporter } from './scripts/tests/progress-reporter.ts'

// Temporary files are in memory, if it has room.
const memoryFolder = process.env.TMPDIR ? null : findMemoryFolder()
if (memoryFolder) process.env.TMPDIR = memoryFolder

// Watch mode tests the sources, because they change.
const built = process.argv.includes('run') && isBuilt()
if (!built)
  console.log(
    'Testing the sources, because the build is missing or out of date. "npm run build" makes the start of ' +
      'tests faster.',
  )
// Without a build, resolves packages of this repository to their sources, and other packages as
// Node does: Node cannot load every entry point that is meant for bundlers.
const conditions = [...(built ? [] : ['botstead-source']), 'node', 'default']

/**
 * Tests that need a separate process: they configure tracing, change the clock (later ids would be
 * in the future), stop code, or take long (servers, browsers, bots).
 */
const apart = [...longFiles, 'tracing', 'trace-passed-on', 'clock', 'due', 'queue']
const alone = [
  'packages/flows/**/*.test.ts',
  'examples/**/*.test.ts',
  'packages/server/test/app/dashboard/*.test.ts',
  ...apart.map((name) => `packages/server/{src,test}/**/${name}.test.ts`),
]

const args = process.argv.slice(process.argv.indexOf('run') + 1)
const leftOut = includeLongTests(args) ? [] : Object.keys(longTests)

/** Long tests are in these folders; short tests of other packages may have the same name. */
const toLongFile = (name: string) =>
  `{packages/server/src,packages/server/test,examples/test}/**/${name}.test.ts`

/** Vitest does not pass `--exclude` to projects. */
const excluded = args.filter((_, i) => args[i - 1] === '--exclude').concat(leftOut.map(toLongFile))

/** Each file of a group gets a process. */
const group = chosenGroup()?.map(toLongFile)

const project = (
  name: string,
  test: { include: string[]; exclude: string[]; isolate: boolean },
) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  plugins: built ? [fromBuild] : [],
  test: {
    name,
    include: test.include,
    exclude: ['**/node_modules/**', '**/dist/**', ...excluded, ...test.exclude],
    isolate: test.isolate,
    setupFiles: ['packages/server/test/support/patience.ts'],
    server: built ? { deps: { external: [builtFiles] } } : {},
    // The same timeout as in `patience.ts`.
    expect: { poll: { timeout: 10_000 } },
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})

export default defineConfig({
  test: {
    projects: [
      project('alone', { include: group ?? alone, exclude: [], isolate: true }),
      // Run in sequence in a few processes, so that each process loads the server once.
      project('together', {
        include: [
          'packages/**/*.test.ts',
          'conformance/*.test.ts',
          'bench/**/*.test.ts',
          'scripts/**/*.test.ts',
        ],
        exclude: group ? ['**'] : alone,
        isolate: false,
      }),
    ],
    globalSetup: ['packages/server/test/support/global-setup.ts'],
    maxWorkers: processes,
    sequence: { sequencer: LongestFirst },
    reporters: [
      'default',
      new ProgressReporter(),
      new CountReporter(leftOut.length > 0 ? leftOutLines() : []),
    ],
  },
})
