// `npm test`: builds, checks, and runs all tests. `npm test -- handoffs` runs only those of a subject,
// without build and checks. Arguments from the first option on are for Vitest.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from './build/files.js'
import { openProgress } from './lib/progress.js'
import {
  findFiles,
  findNamedTests,
  findSimilar,
  listTestFiles,
} from './tests/subjects.js'
import { installTools } from './tools.js'

const args = process.argv.slice(2)
const firstOption = args.findIndex((arg) => arg.startsWith('-'))
const subjects = firstOption < 0 ? args : args.slice(0, firstOption)
const options = firstOption < 0 ? [] : args.slice(firstOption)

await installTools(
  'tests',
  'official-cli',
  'official-webchat',
  'checks',
  'browsers',
  'bench',
  'pages',
)
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
const vitest = join(dirname(require.resolve('vitest/package.json')), 'vitest.mjs')
const progress = openProgress()
/** The steps that run, with their subjects. */
const running = new Map()

const files = findSubjects()
if (files.length === 0) {
  await prepare()
  process.env.BOTSTEAD_TEST_BUILT = '1'
}
await run(null, [vitest, 'run', ...files, ...options])

/** Returns the files of all subjects; none without a subject. Ends the process if one is unknown. */
function findSubjects() {
  const all = listTestFiles()
  return [...new Set(subjects.flatMap((subject) => findSubject(subject, all)))]
}

function findSubject(subject, all) {
  const found = [...findFiles(subject, all), ...findNamedTests(subject)]
  if (found.length > 0) return found
  const similar = findSimilar(subject, all)
  console.error(
    `No test file or folder has "${subject}" in its name. ` +
      (similar.length > 0
        ? `Similar names: ${similar.join(', ')}.`
        : 'The README of each module and feature of the server names its tests.'),
  )
  process.exit(2)
}

async function prepare() {
  console.log(
    'Builds, checks and runs all tests; `npm test -- <word>` runs those of one subject.',
  )
  await Promise.all([run('types', [tsc, '-b']), run('pages', ['scripts/bundle.js'])])
  // Reads the folders that both write.
  await run(null, ['scripts/check.js'])
}

/**
 * Runs a step, and shows its subject with the others that run. Steps that run at the same time use both
 * cores. If one fails, ends the others and this process.
 */
async function run(subject, command) {
  const child = spawn(process.execPath, command, { cwd: root, stdio: 'inherit' })
  running.set(child, subject)
  showRunning()
  const code = await new Promise((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0))),
  )
  running.delete(child)
  if (code === 0) return showRunning()
  for (const other of running.keys()) other.kill()
  process.exit(code)
}

function showRunning() {
  const subjects = [...running.values()].filter(Boolean)
  if (subjects.length > 0) progress.show(`Building and checking: ${subjects.join('; ')}`)
  else progress.end()
}
