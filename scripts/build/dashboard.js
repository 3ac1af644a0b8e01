// Builds the dashboard with Vite into dist/dashboard of the server, after its packages are installed:
// tools/pages.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { installTools } from '../tools.js'
import { inside, installed, isCurrent, replaceFolder, root } from './files.js'

const folder = join(root, 'packages/dashboard')
const outdir = join(root, 'packages/server/dist/dashboard')

/** Returns whether the dashboard is newer than its sources. */
export const isDashboardCurrent = () =>
  // Written last: an interrupted build leaves it out.
  isCurrent(join(outdir, 'built'), [
    ...inside(join(folder, 'src')).filter((path) => !/\.test\.tsx?$/.test(path)),
    ...[
      'package.json',
      'vite.config.ts',
      'bot-schema.ts',
      'chunks.ts',
      'translations.ts',
      'index.html',
    ].map((path) => join(folder, path)),
    installed,
    join(root, 'tools/pages/package-lock.json'),
    ...[
      'contract/dist/bundle/index.js',
      'flows/src/document-edits.ts',
      'flows/src/document-text.ts',
      'flows/src/document/built-in-flows.ts',
      'flows/src/document/pointer.ts',
      'flows/src/captures/sentences.ts',
      'flows/src/knowledge-checks.ts',
      'flows/src/seeing.ts',
      'flows/src/tracing/preview.ts',
      'flows/src/texts.ts',
      'flows/src/wizards.ts',
    ].map((path) => join(root, 'packages', path)),
    ...['edits', 'texts', 'wizards'].flatMap((name) =>
      inside(join(root, 'packages/flows/src', name)),
    ),
  ])

/**
 * Skips the build if the dashboard is current. Compresses its assets once for all requests. Keeps only the
 * compressed files: npm's time for installing the package depends on the number of files.
 */
export async function buildDashboard() {
  if (isDashboardCurrent()) return
  await installTools('pages')
  await replaceFolder(outdir, async (next) => {
    await runVite(next)
    for (const name of readdirSync(join(next, 'assets'))) {
      const file = join(next, 'assets', name)
      writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
      rmSync(file)
    }
    writeFileSync(join(next, 'built'), '')
  })
}

async function runVite(outDir) {
  // Otherwise a shell with NODE_ENV=test gets libraries for development, of twice the size.
  process.env.NODE_ENV = 'production'
  const { build, createLogger } = await import('vite')
  // A module for Node in a page, for example, is only a warning, and breaks the page.
  const warnings = []
  const customLogger = { ...createLogger('silent'), warn: (text) => warnings.push(text) }
  await build({ root: folder, logLevel: 'warn', customLogger, build: { outDir } })
  if (warnings.length > 0)
    throw new Error(`The dashboard's build warns:\n${warnings.join('\n')}`)
}
