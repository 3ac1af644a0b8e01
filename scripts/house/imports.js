// Reads the imports of sources: of values and types, at the top of a file and on demand.
import { posix } from 'node:path'

const names = String.raw`(\{[^{}]*\}|\*(?: as [\w$]+)?)`
const patterns = [
  // `import { a, type B } from './file.ts'`, `export * from './file.ts'`
  new RegExp(
    String.raw`^(?:import|export)(?: type)? (?:[\w$]+,? )?${names}? ?from '([^']+)'`,
    'gm',
  ),
  // `const { a } = await import('./file.ts')`
  new RegExp(String.raw`${names} = await import\(\s*'([^']+)'`, 'g'),
]
/** `import './file.ts'` */
const bare = /^import ()'([^']+)'/gm
/** `(await import('./file.ts')).a`, or the type `import('./file.ts').A` */
const member = /\bimport\(\s*'([^']+)',?\s*\)+(?:\.([\w$]+))?/g

/** Returns the imports of files of the same sources: `{ from, to, names }`; a name may be `*`. */
export function readImports(sources) {
  const paths = new Set(sources.map(({ path }) => path))
  return sources.flatMap(({ path, text }) =>
    readSpecifiers(text)
      .map(({ specifier, names }) => ({
        from: path,
        to: resolve(path, specifier, paths),
        names,
      }))
      .filter(({ from, to }) => to !== null && to !== from),
  )
}

/** Returns all imports of a text, also of libraries. */
export function readSpecifiers(text) {
  const listed = [...patterns, bare].flatMap((pattern) => [...text.matchAll(pattern)])
  const seen = new Set(listed.map(([, , specifier]) => specifier))
  return [
    ...listed.map(([, list, specifier]) => ({
      specifier,
      names: toNames(list ?? 'default'),
    })),
    ...[...text.matchAll(member)]
      .filter(([, specifier, name]) => name || !seen.has(specifier))
      .map(([, specifier, name]) => ({ specifier, names: name ? [name] : ['*'] })),
  ]
}

/** Returns the names before `as`, without `type`. */
function toNames(list) {
  if (list.startsWith('*')) return ['*']
  const names = list.replace(/[{}]/g, '').split(',')
  return names
    .map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/ as .*/, ''),
    )
    .filter((name) => name !== '')
}

/** Returns null for a library, and for a file that is not in `paths`. */
function resolve(from, specifier, paths) {
  if (!specifier.startsWith('.')) return null
  const path = posix.join(posix.dirname(from), specifier)
  return [path, path.replace(/\.js$/, '.ts')].find((one) => paths.has(one)) ?? null
}
