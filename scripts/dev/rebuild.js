// Bundles packages again after changes of their sources. esbuild keeps the modules that did not change.
import { join, resolve } from 'node:path'
import { buildEngine } from '../../packages/flows/build.js'
import { root } from '../build/files.js'
import {
  bundles,
  listFolders,
  markOutdated,
  toOptions,
  writeBundle,
} from '../build/packages.js'
import { bundlePage } from '../build/page.js'
import { takeLibrariesApart } from './libraries.js'

/** The largest, of which most are libraries. */
const serverBundle = bundles.find(({ name, folder }) => name === 'server' && !folder)

/** Promises of the context of each bundle. */
const contexts = new Map()
/** The sources of the last build of each bundle; none after an error. */
const inputs = new Map()

function getContext(bundle) {
  if (!contexts.has(bundle)) contexts.set(bundle, openContext(bundle))
  return contexts.get(bundle)
}

async function openContext(bundle) {
  const { context } = await import('esbuild')
  const plain = toOptions(bundle)
  // With an error in the sources, the libraries stay inside.
  const options =
    bundle === serverBundle ? await takeLibrariesApart(plain).catch(() => plain) : plain
  return context({ ...options, metafile: true })
}

/** Reads all modules once, so that the first change takes as little time as the others. */
export async function warmUp() {
  for (const bundle of bundles) await build(bundle).catch(() => {})
}

async function build(bundle) {
  const context = await getContext(bundle)
  inputs.delete(bundle)
  const result = await context.rebuild()
  inputs.set(
    bundle,
    new Set(Object.keys(result.metafile.inputs).map((path) => resolve(path))),
  )
  return { bundle, result }
}

/** Whether one of the changed paths is in the bundle, or could be: after an error, any of its folders. */
function isAffected(bundle, paths) {
  const known = inputs.get(bundle)
  return paths.some((path) =>
    known
      ? known.has(path)
      : listFolders(bundle).some((folder) => path.startsWith(folder)),
  )
}

/**
 * Bundles what the changed sources are part of. Writes nothing and throws if a source has an error, which
 * esbuild has printed.
 */
export async function rebuild(paths) {
  const isIn = (folder) => paths.some((path) => path.startsWith(join(root, folder)))
  const affected = bundles.filter((bundle) => isAffected(bundle, paths))
  const results = await Promise.all(affected.map(build))
  if (isIn('packages/flows/src')) await buildEngine()
  if (isIn('packages/server/page')) await bundlePage()
  for (const { bundle, result } of results) writeBundle(bundle, result)
  // The next build puts the libraries inside again.
  if (affected.includes(serverBundle)) markOutdated(serverBundle)
}
