// Builds dist/bot.cjs: one CommonJS file with `default` and `handler`, as the official command line
// bundles bots. Skips the build if the file is current.
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const outfile = join(here, 'dist/bot.cjs')

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
const inside = (folder) => readdirSync(join(here, folder)).map((name) => join(here, folder, name))
const sources = [
  ...inside('src'),
  ...inside('samples'),
  join(here, 'build.js'),
  join(here, 'package.json'),
]

if (sources.some((file) => changedAt(file) > changedAt(outfile))) {
  const { build } = await import('esbuild')
  await build({
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
  })
}
