// Bundles packages again after changes of their sources. esbuild keeps the modules that did not change.
import { join, resolve } from 'node:path'
import { buildEngine } from '../../packages/flows/build.js'
import { root } from '../build/files.js'
import { bundles, toOptions, writeBundle } from '../build/packages.js'
import { bundlePage } from '../build/page.js'

/** The context of each bundle, and the sources of its last build; null after an error. */
const contexts = new Map()

async function getContext(bundle) {
  if (!contexts.has(bundle)) {
    const { context } = await import('esbuild')
    const options = { ...toOptions(bundle), metafile: true }
    contexts.set(bundle, { building: await context(options), inputs: null })
  }
  return contexts.get(bundle)
}

/** Reads all modules once, so that the first change takes as little time as the others. */
export async function warmUp() {
  for (const bundle of bundles) await build(bundle).catch(() => {})
}

async function build(bundle) {
  const context = await getContext(bundle)
  context.inputs = null
  const result = await context.building.rebuild()
  context.inputs = new Set(Object.keys(result.metafile.inputs).map((path) => resolve(path)))
  return { bundle, result }
}

/** Whether one of the changed paths is in the bundle, or could be: after an error, any of its package. */
function isAffected(bundle, paths) {
  const inputs = contexts.get(bundle)?.inputs
  return paths.some((path) =>
    inputs ? inputs.has(path) : path.startsWith(join(root, 'packages', bundle.name, 'src')),
  )
}

/**
 * Bundles what the changed sources are part of. Writes nothing and throws if a source has an error, which esbuild
 * has printed.
 */
export async function rebuild(paths) {
  const isIn = (folder) => paths.some((path) => path.startsWith(join(root, folder)))
  const affected = bundles.filter((bundle) => isAffected(bundle, paths))
  const results = await Promise.all(affected.map(build))
  if (isIn('packages/flows/src')) await buildEngine()
  if (isIn('packages/server/page')) await bundlePage()
  for (const { bundle, result } of results) writeBundle(bundle, result)
}
