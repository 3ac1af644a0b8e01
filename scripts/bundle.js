// Bundles each imported package with its libraries into a few files. Otherwise Node would spend
// most of a start on finding and reading 1,700 modules. Keeps the compiler's output for files that
// run separately. Bundles the libraries of the chat page, too. Skips packages that are up to date.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const installed = join(root, 'node_modules/.package-lock.json')
const entries = {
  contract: ['index.ts'],
  flows: ['index.ts', 'document-text.ts', 'seeing.ts', 'testing/testing.ts'],
  server: ['index.ts'],
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
    await bundle(folder, files)
}

const pageLibrary = join(root, 'packages/server/dist/page/markdown-it.js')
if (
  [installed, fileURLToPath(import.meta.url)].some(
    (file) => changedAt(file) > changedAt(pageLibrary),
  )
)
  await bundleForPage('markdown-it', pageLibrary)

async function bundleForPage(library, outfile) {
  const { build } = await import('esbuild')
  await build({
    stdin: {
      contents: `export { default } from '${library}'`,
      resolveDir: join(root, 'packages/server'),
    },
    outfile,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    legalComments: 'eof',
    // The licenses of the bundled code require their notice.
    banner: { js: `/*! ${library}, its license: ${licenseOf(library)} */` },
    logLevel: 'warning',
  })
}

function licenseOf(library) {
  return readFileSync(join(root, 'node_modules', library, 'LICENSE'), 'utf8')
    .replace(/\s+/g, ' ')
    .trim()
}

async function bundle(folder, files) {
  const { build } = await import('esbuild')
  const outdir = join(folder, 'dist/bundle')
  rmSync(outdir, { recursive: true, force: true })
  await build({
    entryPoints: files.map((file) => join(folder, 'src', file)),
    outdir,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Our packages have separate bundles. The OpenTelemetry API must be the instance that
    // instruments the process.
    external: ['@botstead/*', '@opentelemetry/api'],
    // CommonJS libraries load Node's modules with `require`.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'
const require = requireFrom(import.meta.url)`,
    },
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
