// Builds dist/engine.cjs, the engine as one script that compile.ts puts into bots.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inside, installed, isCurrent, replaceFile } from '../../scripts/build/files.js'

const here = dirname(fileURLToPath(import.meta.url))
const outfile = join(here, 'dist/engine.cjs')
const own = ['build.js', 'package.json'].map((name) => join(here, name))

/** Skips the build if the file is current. */
export async function buildEngine() {
  const sources = inside(join(here, 'src')).filter((path) => !path.endsWith('.test.ts'))
  if (isCurrent(outfile, [...sources, ...own, installed])) return
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
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
    write: false,
  })
  replaceFile(outfile, outputFiles[0].contents)
}
