// Checks formats and generated files. Exit codes:
//   0  no problems
//   1  Biome found problems or could not run
//   2  a generated file is out of date: run `npm run generate`
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { generated } from './generated.js'
import { isSchemaCurrent, schemaPath } from './schema.js'

const root = fileURLToPath(new URL('..', import.meta.url))

const failed = lint()
const stale = [...(await outOfDate()), ...((await isSchemaCurrent()) ? [] : [schemaPath])]
for (const path of stale)
  console.error(`${path} is out of date. Run \`npm run generate\`, review the difference, and commit it.`)
process.exitCode = failed ? 1 : stale.length > 0 ? 2 : 0

function lint() {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  const { status, error } = spawnSync(process.execPath, [biome, 'check', '--diagnostic-level=warn'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (error) console.error(`Cannot run Biome: ${error.message}`)
  else if (status !== 0)
    console.error('Biome found problems. Run `npm run fix`, and correct the remaining ones by hand.')
  return status !== 0
}

async function outOfDate() {
  const found = await Promise.all(
    generated().map(async ({ path, text }) => ((await readCommitted(path)) === text ? [] : [path])),
  )
  return found.flat()
}

/** Returns undefined if the file does not exist. */
function readCommitted(path) {
  return readFile(new URL(`../${path}`, import.meta.url), 'utf8').catch(() => undefined)
}
