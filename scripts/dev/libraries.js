// Bundles the libraries of the server apart from its own code, so that a change of the code does not link and
// write them again: that would be two thirds of the time of a bundle.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../build/files.js'

const folder = join(root, 'packages/server/dist/libraries')
const source = /[\\/]packages[\\/][\w-]+[\\/]src[\\/]/

const toFileName = (name) => name.replaceAll(/[^\w.-]/g, '_')
const isName = (name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__esModule'

/** Returns the options for the server's bundle without the libraries, which it then imports. */
export async function takeLibrariesApart(options) {
  const { build } = await import('esbuild')
  const names = await listLibraries(build, options)
  rmSync(folder, { recursive: true, force: true })
  const entries = join(folder, 'entries')
  mkdirSync(entries, { recursive: true })
  const files = await writeEntries(entries, names)
  const plugins = options.plugins.filter((one) => one.name !== 'source addresses')
  await build({
    ...options,
    entryPoints: files,
    outbase: entries,
    outdir: folder,
    plugins,
    write: true,
    legalComments: 'none',
  })
  return {
    ...options,
    plugins: [...options.plugins, toImports(new Set(names))],
    legalComments: 'none',
  }
}

/** Returns the names of libraries in imports of our code. */
async function listLibraries(build, options) {
  const { metafile } = await build({ ...options, packages: 'external', metafile: true })
  const imports = Object.entries(metafile.inputs)
    .filter(([path]) => source.test(resolve(path)))
    .flatMap(([, input]) => input.imports)
  const names = imports
    .filter(({ external, kind }) => external && kind !== 'require-call')
    .map(({ path }) => path)
  const isOurs = (name) =>
    options.external.some((one) => name.startsWith(one.replace('*', '')))
  return [...new Set(names)].filter((name) => !isBuiltin(name) && !isOurs(name))
}

/**
 * Writes an entry for each library. Its names are those that Node finds, because those of CommonJS libraries
 * are not in their syntax.
 */
async function writeEntries(entries, names) {
  const all = join(entries, 'all.mjs')
  const lines = names.map((name, i) => `export * as _${i} from ${JSON.stringify(name)}\n`)
  writeFileSync(all, lines.join(''))
  const loaded = await import(pathToFileURL(all).href)
  return names.map((name, i) => {
    const exported = Object.keys(loaded[`_${i}`]).filter(isName)
    const file = join(entries, `${toFileName(name)}.mjs`)
    writeFileSync(
      file,
      `export { ${exported.join(', ')} } from ${JSON.stringify(name)}\n`,
    )
    return file
  })
}

const toImports = (names) => ({
  name: 'libraries apart',
  setup: (builder) =>
    builder.onResolve({ filter: /^[^./]/ }, ({ path, importer }) =>
      names.has(path) && source.test(importer)
        ? { path: `../libraries/${toFileName(path)}.js`, external: true }
        : null,
    ),
})
