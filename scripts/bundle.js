// Bundles each imported package with its libraries into a few files. Otherwise Node would spend
// most of a start on finding and reading 1,700 modules. Keeps the compiler's output for files that
// run separately. Bundles the libraries of the chat page and the dashboard, too, and builds the
// documentation. Skips those that are up to date.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const installed = join(root, 'node_modules/.package-lock.json')
const entries = {
  contract: ['index.ts'],
  client: ['index.ts'],
  flows: ['index.ts', 'document-text.ts', 'folding.ts', 'seeing.ts', 'testing/testing.ts'],
  server: ['index.ts'],
}

const anywhere = { platform: 'neutral' }
const inNode = {
  platform: 'node',
  // CommonJS libraries load Node's modules with `require`.
  banner: {
    js: `import { createRequire as requireFrom } from 'node:module'
const require = requireFrom(import.meta.url)`,
  },
}

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

for (const [name, files] of Object.entries(entries)) {
  const folder = join(root, 'packages', name)
  const sources = readdirSync(join(folder, 'src'), { recursive: true }).map((path) =>
    join(folder, 'src', path),
  )
  const builtAt = changedAt(join(folder, 'dist/bundle', files[0].replace('.ts', '.js')))
  if (
    [...sources, join(folder, 'package.json'), installed, fileURLToPath(import.meta.url)].some(
      (file) => changedAt(file) > builtAt,
    )
  )
    await bundle(folder, files, name === 'client' ? anywhere : inNode)
}

await Promise.all([buildDocumentation(), bundlePage().then(buildDashboard)])

/** Builds the documentation in a separate process, which uses the other core. */
function buildDocumentation() {
  return promisify(execFile)(process.execPath, [join(root, 'scripts/docs.js')])
}

/**
 * Builds the dashboard with Vite, and compresses its assets once for all requests. Keeps only the compressed
 * files: npm's time for installing the package depends on the number of files.
 */
async function buildDashboard() {
  const folder = join(root, 'packages/dashboard')
  const outdir = join(root, 'packages/server/dist/dashboard')
  const sources = readdirSync(join(folder, 'src'), { recursive: true })
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .map((path) => join('src', path))
  const inputs = [...sources, 'package.json', 'vite.config.ts', 'chunks.ts', 'index.html']
    .map((path) => join(folder, path))
    .concat(installed)
    .concat(
      ['contract/dist/bundle/index.js', 'flows/src/document-text.ts', 'flows/src/pointer.ts'].map(
        (path) => join(root, 'packages', path),
      ),
    )
  // Written last: an interrupted build leaves it out.
  const mark = join(outdir, 'built')
  const builtAt = changedAt(mark)
  if (inputs.every((file) => changedAt(file) <= builtAt)) return
  const { build, createLogger } = await import('vite')
  // A module for Node in a page, for example, is only a warning, and breaks the page.
  const warnings = []
  const customLogger = { ...createLogger('warn'), warn: (text) => warnings.push(text) }
  await build({ root: folder, logLevel: 'warn', customLogger })
  if (warnings.length > 0) throw new Error(`The dashboard's build warns:\n${warnings.join('\n')}`)
  for (const name of readdirSync(join(outdir, 'assets'))) {
    const file = join(outdir, 'assets', name)
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
    rmSync(file)
  }
  writeFileSync(mark, '')
}

/** Bundles the scripts of the chat page, and of websites that embed it. */
async function bundlePage() {
  const folder = join(root, 'packages/server/page')
  const outdir = join(root, 'packages/server/dist/page')
  const inputs = readdirSync(folder, { recursive: true })
    .map((path) => join(folder, path))
    .concat(installed, fileURLToPath(import.meta.url))
  const builtAt = changedAt(join(outdir, 'chat.js'))
  if (inputs.every((file) => changedAt(file) <= builtAt)) return
  const { build } = await import('esbuild')
  rmSync(outdir, { recursive: true, force: true })
  const common = { bundle: true, minify: true, outdir, target: 'es2022', logLevel: 'warning' }
  const scripts = ['inject.js', 'webchat.js'].map((name) => join(folder, name))
  await build({ ...common, entryPoints: scripts, format: 'iife' })
  await build({
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
    banner: { js: `/*! markdown-it, its license: ${licenseOf('markdown-it')} */` },
  })
}

function licenseOf(library) {
  return readFileSync(join(root, 'node_modules', library, 'LICENSE'), 'utf8')
    .replace(/\s+/g, ' ')
    .trim()
}

async function bundle(folder, files, environment) {
  const { build } = await import('esbuild')
  const outdir = join(folder, 'dist/bundle')
  rmSync(outdir, { recursive: true, force: true })
  await build({
    entryPoints: files.map((file) => join(folder, 'src', file)),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'node20',
    ...environment,
    // Our packages have separate bundles.
    external: ['@botstead/*'],
    legalComments: 'eof',
    logLevel: 'warning',
    plugins: [
      {
        name: 'source addresses',
        setup: (builder) =>
          builder.onLoad({ filter: /\.ts$/ }, ({ path }) => withSourceAddress(path, outdir)),
      },
    ],
  })
}

/**
 * Replaces `import.meta.url` with the URL of the source file, because sources find other files
 * relative to it.
 */
function withSourceAddress(path, outdir) {
  const address = `new URL(${JSON.stringify(relative(outdir, path))}, import.meta.url).href`
  return {
    contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', address),
    loader: 'ts',
    resolveDir: dirname(path),
  }
}
