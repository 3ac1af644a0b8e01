// Writes each module of a package as JavaScript, as the compiler does, without its types: for tests that run
// single modules in separate processes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changedAt, inside, replaceFile, root } from './files.js'
import { partsOfServer } from './packages.js'

const packages = ['flows', 'server', ...partsOfServer]
/** Names of modules in imports and exports, as the compiler rewrites them. */
const moduleNames = /(\b(?:from|import)\b\s*\(?\s*['"]\.{1,2}\/[^'"\n]+)\.ts(['"])/g

/** Skips modules with a current result. */
export async function transpilePackages() {
  const outdated = packages.flatMap((name) => outdatedIn(join(root, 'packages', name)))
  if (outdated.length === 0) return
  const { transform } = await import('esbuild')
  await Promise.all(
    outdated.map(async ({ source, result }) => {
      const text = readFileSync(source, 'utf8')
      const { code } = await transform(text, {
        loader: 'ts',
        format: 'esm',
        target: 'node20',
      })
      replaceFile(result, code.replaceAll(moduleNames, '$1.js$2'))
    }),
  )
}

function outdatedIn(folder) {
  const sources = inside(join(folder, 'src')).filter((path) =>
    /(?<!\.test)\.ts$/.test(path),
  )
  return sources
    .map((source) => ({ source, result: toResult(folder, source) }))
    .filter(({ source, result }) => changedAt(source) > changedAt(result))
}

const toResult = (folder, source) =>
  join(folder, 'dist', source.slice(join(folder, 'src').length)).replace(/\.ts$/, '.js')
