// Builds the engine as one script that compile.ts puts into bots, with and without the libraries of code,
// and dist/tests.cjs, which also runs the tests of a document.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inside, installed, isCurrent, replaceFile } from '../../scripts/build/files.js'

const here = dirname(fileURLToPath(import.meta.url))
const scripts = [
  {
    entry: 'src/bot.ts',
    outfile: join(here, 'dist/engine.cjs'),
    globalName: 'botsteadFlows',
  },
  {
    entry: 'src/bot-with-libraries.ts',
    outfile: join(here, 'dist/engine-with-libraries.cjs'),
    globalName: 'botsteadFlows',
  },
  {
    entry: 'src/test-bot.ts',
    outfile: join(here, 'dist/tests.cjs'),
    globalName: 'botsteadTests',
  },
]
const own = ['build.js', 'package.json'].map((name) => join(here, name))

/** Skips files that are current. */
export async function buildEngine() {
  const sources = ['src', '../contract/src']
    .flatMap((folder) => inside(join(here, folder)))
    .filter((path) => !path.endsWith('.test.ts'))
  const outdated = scripts.filter(
    ({ outfile }) => !isCurrent(outfile, [...sources, ...own, installed]),
  )
  if (outdated.length === 0) return
  const { build } = await import('esbuild')
  await Promise.all(outdated.map((script) => buildScript(build, script)))
}

async function buildScript(build, { entry, outfile, globalName }) {
  const { outputFiles } = await build({
    entryPoints: [join(here, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'iife',
    globalName,
    target: 'node20',
    // The bundles of other packages are modules, and may not exist yet.
    conditions: ['botstead-source'],
    minify: true,
    keepNames: true,
    legalComments: 'eof',
    logLevel: 'warning',
    write: false,
  })
  replaceFile(outfile, outputFiles[0].contents)
}
