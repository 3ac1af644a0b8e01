// Puts each package that others import into few files, with the libraries it needs: Node spends most of a start on finding and reading modules, and
// there would be 1,700. What the compiler wrote beside it stays, for the files that are run by themselves. Does nothing for a package that is up to date.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const installed = join(root, 'node_modules/.package-lock.json')
const entries = {
  contract: ['index.ts'],
  flows: ['index.ts', 'seeing.ts', 'testing/testing.ts'],
  server: ['index.ts'],
}

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

for (const [name, files] of Object.entries(entries)) {
  const folder = join(root, 'packages', name)
  const sources = readdirSync(join(folder, 'src'), { recursive: true }).map((path) =>
    join(folder, 'src', path),
  )
  const made = changedAt(join(folder, 'dist/bundle', files[0].replace('.ts', '.js')))
  if (
    [...sources, join(folder, 'package.json'), installed, fileURLToPath(import.meta.url)].some(
      (file) => changedAt(file) > made,
    )
  )
    await bundle(folder, files)
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
    // Packages of ours come as bundles of their own; the API of OpenTelemetry as whoever instruments the process has it.
    external: ['@botstead/*', '@opentelemetry/api'],
    // Libraries in CommonJS ask for Node's own modules by it.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
    legalComments: 'eof',
    logLevel: 'warning',
    plugins: [
      {
        name: 'own addresses',
        setup: (builder) => builder.onLoad({ filter: /\.ts$/ }, ({ path }) => withOwnAddress(path, outdir)),
      },
    ],
  })
}

/** A file that looks for others looks from where it lies, not from where the bundle does. */
function withOwnAddress(path, outdir) {
  const address = `new URL(${JSON.stringify(relative(outdir, path))}, import.meta.url).href`
  return {
    contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', address),
    loader: 'ts',
    resolveDir: dirname(path),
  }
}
