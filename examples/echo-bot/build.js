// Builds dist/bot.cjs: one CommonJS file with `default` and `handler`, as the official command line
// bundles bots.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inside, installed, isCurrent, replaceFile } from '../../scripts/build/files.js'

const here = dirname(fileURLToPath(import.meta.url))
const outfile = join(here, 'dist/bot.cjs')
const own = ['build.js', 'package.json'].map((name) => join(here, name))

/** Skips the build if the file is current. */
export async function buildEchoBot() {
  const sources = ['src', 'samples'].flatMap((name) => inside(join(here, name)))
  if (isCurrent(outfile, [...sources, ...own, installed])) return
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [join(here, 'src/index.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    keepNames: true,
    logLevel: 'warning',
    loader: { '.pdf': 'binary', '.png': 'binary', '.wav': 'binary', '.webm': 'binary' },
    write: false,
  })
  replaceFile(outfile, outputFiles[0].contents)
}
