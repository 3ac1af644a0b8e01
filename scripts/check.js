// What a machine can see wrong before any test runs. Ends with
//   0  nothing found
//   1  the check failed: Biome complains, or could not run
//   2  the check is fine but something generated is out of date: `npm run generate`
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { generated } from './generated.js'

const root = fileURLToPath(new URL('..', import.meta.url))

const failed = lint()
const stale = await outOfDate()
for (const path of stale)
  console.error(
    `${path} is not what the contract says now. Run \`npm run generate\`, look at the difference, and commit it.`,
  )
process.exitCode = failed ? 1 : stale.length > 0 ? 2 : 0

function lint() {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  const { status, error } = spawnSync(process.execPath, [biome, 'check', '--diagnostic-level=warn'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (error) console.error(`Biome could not run: ${error.message}`)
  else if (status !== 0) console.error('Biome complains. Run `npm run fix`, and mend by hand what it leaves.')
  return status !== 0
}

async function outOfDate() {
  const found = await Promise.all(
    generated().map(async ({ path, text }) => ((await readCommitted(path)) === text ? [] : [path])),
  )
  return found.flat()
}

/** Undefined when it was never generated. */
function readCommitted(path) {
  return readFile(new URL(`../${path}`, import.meta.url), 'utf8').catch(() => undefined)
}
