// Builds dist/engine.cjs, the engine as one script that compile.ts puts into bots. Skips the build
// if the file is current.
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const outfile = join(here, 'dist/engine.cjs')

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
const sources = readdirSync(join(here, 'src'), { recursive: true }).map((name) =>
  join(here, 'src', name),
)

if (
  [...sources, join(here, 'build.js'), join(here, 'package.json')].some(
    (file) => changedAt(file) > changedAt(outfile),
  )
) {
  const { build } = await import('esbuild')
  await build({
    entryPoints: [join(here, 'src/bot.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'iife',
    globalName: 'botsteadFlows',
    target: 'node20',
    minify: true,
    keepNames: true,
    legalComments: 'eof',
    logLevel: 'warning',
  })
}
