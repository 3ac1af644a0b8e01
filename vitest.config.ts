import { defineConfig } from 'vitest/config'
import { partsOfServer } from './scripts/build/packages.js'
import { findMemoryFolder } from './scripts/lib/memory-folder.js'
import { CountReporter } from './scripts/tests/count-reporter.ts'
import { processes } from './scripts/tests/durations.ts'
import { builtFiles, findUnbuilt, fromBuild } from './scripts/tests/from-build.ts'
import {
  chosenGroup,
  includeLongTests,
  leftOutLines,
  longTests,
} from './scripts/tests/long-tests.ts'
import { LongestFirst, longFiles } from './scripts/tests/longest-first.ts'
import { patience, patientTests } from './scripts/tests/patience.ts'
import { ProgressReporter } from './scripts/tests/progress-reporter.ts'

// Temporary files are in memory, if it has room.
const memoryFolder = process.env.TMPDIR ? null : findMemoryFolder()
if (memoryFolder) process.env.TMPDIR = memoryFolder

// Watch mode tests the sources, because they change.
const isWatching = !process.argv.includes('run')
const unbuilt = isWatching ? [] : findUnbuilt()
const built = !isWatching && unbuilt.length === 0
if (unbuilt.length > 0) {
  // Right after a build, it would double the time of all tests.
  if (process.env.BOTSTEAD_TEST_BUILT)
    throw new Error(`The build lacks ${unbuilt.join(', ')}`)
  console.log(
    `Testing the sources, because the build of ${unbuilt.join(', ')} is missing or out of date. ` +
      '"npm run build" makes the start of tests faster.',
  )
}
// Without a build, resolves packages of this repository to their sources, and other packages as
// Node does: Node cannot load every entry point that is meant for bundlers.
const conditions = [...(built ? [] : ['botstead-source']), 'node', 'default']

/** The tests of the server and its parts. */
const ofServer = `packages/{${['server', ...partsOfServer]}}/{src,test}`

/**
 * Tests that need a separate process: they configure tracing, change the clock (later ids would be
 * in the future), stop code, or take long (servers, browsers, bots).
 */
const apart = [...longFiles, 'tracing', 'trace-passed-on', 'clock', 'due', 'queue']
/** They share processes, but only with each other. */
const flows = 'packages/flows/**/*.test.ts'
const alone = [
  'examples/**/*.test.ts',
  'packages/server/test/app/dashboard/*.test.ts',
  ...apart.map((name) => `${ofServer}/**/${name}.test.ts`),
]

const args = process.argv.slice(process.argv.indexOf('run') + 1)
const leftOut = includeLongTests(args) ? [] : Object.keys(longTests)

/** Long tests are in these folders; short tests of other packages may have the same name. */
const toLongFile = (name: string) => `{${ofServer},examples/test}/**/${name}.test.ts`

/** Vitest does not pass `--exclude` to projects. */
const excluded = args
  .filter((_, i) => args[i - 1] === '--exclude')
  .concat(leftOut.map(toLongFile))

/** Each file of a group gets a process. */
const group = chosenGroup()?.map(toLongFile)

const project = (
  name: string,
  test: { include: string[]; exclude: string[]; isolate: boolean },
) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  plugins: [...(built ? [fromBuild] : []), ...(patience > 1 ? [patientTests] : [])],
  test: {
    name,
    include: test.include,
    exclude: ['**/node_modules/**', '**/dist/**', ...excluded, ...test.exclude],
    isolate: test.isolate,
    setupFiles: ['packages/server/test/support/patience.ts'],
    // Servers that tests start as processes need no vectors.
    env: { BOTSTEAD_INCLUDED_MODEL: '0' },
    server: built ? { deps: { external: [builtFiles] } } : {},
    testTimeout: 20_000 * patience,
    hookTimeout: 30_000 * patience,
  },
})

export default defineConfig({
  // The environment in which Vitest loads the set-up.
  environments: { __vitest__: { resolve: { conditions } } },
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
        exclude: group ? ['**'] : [...alone, flows],
        isolate: false,
      }),
      // Their code changes globals of its process, as in the process of a bot.
      project('flows', { include: group ? [] : [flows], exclude: [], isolate: false }),
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
