// Bundles the scripts of the chat page, and of websites that embed it, into dist/page of the server.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inside, installed, isCurrent, replaceFiles, root } from './files.js'

const folder = join(root, 'packages/server/page')
const outdir = join(root, 'packages/server/dist/page')

/** Skips the build if the scripts are current. */
export async function bundlePage() {
  const last = join(outdir, 'chat.js')
  if (isCurrent(last, [...inside(folder), installed, fileURLToPath(import.meta.url)]))
    return
  const { build } = await import('esbuild')
  /** @type {import('esbuild').BuildOptions & { write: false }} */
  const common = {
    bundle: true,
    minify: true,
    outdir,
    target: 'es2022',
    logLevel: 'warning',
    write: false,
  }
  const scripts = ['inject.js', 'webchat.js'].map((name) => join(folder, name))
  const results = await Promise.all([
    build({ ...common, entryPoints: scripts, format: 'iife' }),
    build({
      ...common,
      // `markdown.js` is an entry for its tests.
      entryPoints: ['chat.js', 'markdown.js'].map((name) => join(folder, name)),
      format: 'esm',
      splitting: true,
      chunkNames: 'part-[hash]',
      // The tables of all entities, which browsers have.
      alias: { entities: join(folder, 'entities.js') },
      nodePaths: [join(root, 'node_modules')],
      legalComments: 'eof',
      // The licenses of the bundled code require their notice.
      banner: { js: `/*! markdown-it, its license: ${readLicense('markdown-it')} */` },
    }),
  ])
  replaceFiles(
    outdir,
    results.flatMap(({ outputFiles }) => outputFiles),
    { last },
  )
}

function readLicense(library) {
  return readFileSync(join(root, 'node_modules', library, 'LICENSE'), 'utf8')
    .replace(/\s+/g, ' ')
    .trim()
}
