// Checks formats, types of scripts and of the server's tests, generated files, writing rules, exports and
// imports.
// Exit codes:
//   0  no problems
//   1  Biome found problems or could not run
//   2  a generated file is out of date: run `npm run generate`
//   3  a text breaks the writing rules of prose.js
//   4  the types of a script or of a test of the server are wrong, or TypeScript could not run
//   5  no other file imports an exported name
//   6  the structure breaks a rule of house/house.js
// With --house, checks and measures only the structure.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { families, toOpenApi } from '../packages/contract/dist/index.js'
import { findInOpenApi, findInSources } from './checks/prose.js'
import { findUnusedExports } from './checks/unused-exports.js'
import { generated } from './generated/generated.js'
import { measure, toLines } from './house/figures.js'
import { examine, listChecked, summarize, toMessages } from './house/house.js'
import { openProgress } from './lib/progress.js'
import { isSchemaCurrent, schemaPath } from './schema.js'
import { installTools } from './tools.js'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The build leaves scripts and tests out. */
const typedProjects = ['scripts/tsconfig.json', 'packages/server/tsconfig.test.json']

const progress = openProgress()
progress.show('Checking the structure')
const architecture = readFileSync(`${root}ARCHITECTURE.md`, 'utf8')
const written = sources()
const isMisplaced = checkStructure()
if (process.argv.includes('--house')) {
  progress.end()
  printFigures()
  process.exit(isMisplaced ? 6 : 0)
}
await installTools(
  'checks',
  'tests',
  'official-cli',
  'official-webchat',
  'browsers',
  'bench',
  'pages',
)
progress.show("Checking formats, and types of scripts and the server's tests beside")
// TypeScript uses one core, and takes longest.
const mistypes = Promise.all(typedProjects.map(checkTypes))
const failed = await lint()
progress.show('Comparing the generated files')
const stale = [...(await outOfDate()), ...((await isSchemaCurrent()) ? [] : [schemaPath])]
for (const path of stale)
  console.error(
    `${path} is out of date. Run \`npm run generate\`, review the difference, and commit it.`,
  )
progress.show('Checking texts and exports')
const findings = [
  ...findInSources(written),
  ...Object.keys(families).flatMap((/** @type {keyof typeof families} */ name) =>
    findInOpenApi(name, toOpenApi(name)),
  ),
]
for (const finding of findings) console.error(finding)
if (findings.length > 0)
  console.error(`${findings.length} texts break the writing rules. Correct them.`)
const unused = findUnusedExports(written, {
  entryPoints: entryPoints(),
  declarations: emitted(),
})
for (const finding of unused) console.error(finding)
progress.show("Checking the types of scripts and the server's tests")
const mistyped = (await mistypes).includes(true)
progress.end()
process.exitCode = exitCode()

function exitCode() {
  if (failed) return 1
  if (mistyped) return 4
  if (stale.length > 0) return 2
  if (findings.length > 0) return 3
  if (unused.length > 0) return 5
  return isMisplaced ? 6 : 0
}

/** Prints the state of the architecture. Returns whether it breaks a rule. */
function checkStructure() {
  const found = examine(written, { schema: readFileSync(`${root}${schemaPath}`, 'utf8') })
  const messages = toMessages(found)
  for (const message of messages) console.error(message)
  console.log(summarize(found))
  return messages.length > 0
}

function printFigures() {
  const services = written.find(({ path }) => path.endsWith('/http/services.ts')).text
  for (const line of toLines(
    measure(written, listChecked(written), { architecture, services }),
  ))
    console.log(line)
}

function lint() {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  return fails('Biome', [biome, 'check', '--diagnostic-level=warn'], {
    remedy:
      'Biome found problems. Run `npm run fix`, and correct the remaining ones yourself.',
  })
}

function checkTypes(project) {
  const tsc = fileURLToPath(
    new URL('bin/tsc', import.meta.resolve('typescript/package.json')),
  )
  return fails('TypeScript', [tsc, '-p', project], {
    remedy: `TypeScript found errors in the files of ${project}. Correct them.`,
  })
}

/** Runs a tool, and prints the remedy if it fails. Returns whether it failed. */
async function fails(tool, command, { remedy }) {
  const child = spawn(process.execPath, command, { cwd: root, stdio: 'inherit' })
  try {
    const [status] = await once(child, 'exit')
    if (status !== 0) console.error(remedy)
    return status !== 0
  } catch (error) {
    console.error(`Cannot run ${tool}: ${error.message}`)
    return true
  }
}

async function outOfDate() {
  const found = await Promise.all(
    generated().map(async ({ path, text }) =>
      (await readCommitted(path)) === text ? [] : [path],
    ),
  )
  return found.flat()
}

/** Returns the sources that people write: known to Git and not generated. */
function sources() {
  const { stdout } = spawnSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  return stdout
    .split('\n')
    .filter((path) => /\.(?:tsx?|m?js)$/.test(path) && existsSync(`${root}${path}`))
    .map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }))
}

/** Returns the sources that the packages' `exports` name. */
function entryPoints() {
  return readdirSync(`${root}packages`).flatMap((name) => {
    const { exports = {} } = JSON.parse(
      readFileSync(`${root}packages/${name}/package.json`, 'utf8'),
    )
    return Object.values(exports).map((conditions) =>
      join('packages', name, conditions['botstead-source']),
    )
  })
}

/** Returns the texts of the declarations that TypeScript emitted. */
function emitted() {
  const folders = [
    ...readdirSync(`${root}packages`).map((name) => `packages/${name}`),
    'bench',
    'conformance',
  ]
  return folders.flatMap((folder) =>
    readdirSync(`${root}${folder}/dist`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.d.ts'))
      .map((path) => readFileSync(`${root}${folder}/dist/${path}`, 'utf8')),
  )
}

/** Returns undefined if the file does not exist. */
function readCommitted(path) {
  return readFile(new URL(`../${path}`, import.meta.url), 'utf8').catch(() => undefined)
}
