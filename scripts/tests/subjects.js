// Finds the test files that belong to a subject: those with the word in the name of the file or of a
// folder, or below a path, and those that the README of such a module or feature names.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../build/files.js'
import { partsOfServer } from '../build/packages.js'

const suffix = '.test.ts'
const left = new Set(['node_modules', 'dist', '.git', 'data'])

/** Returns the paths of all test files, relative to the root, with slashes. */
export function listTestFiles(folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name
    if (entry.isDirectory()) return left.has(entry.name) ? [] : listTestFiles(path)
    return entry.name.endsWith(suffix) ? [path] : []
  })
}

const namesIn = (path) =>
  path.split('/').map((name) => (name.endsWith(suffix) ? basename(name, suffix) : name))

/** Returns the files of a subject, in which case does not matter. */
export function findFiles(subject, files) {
  const word = subject.toLowerCase().replace(/^\.\//, '')
  return word.includes('/') || word.endsWith(suffix)
    ? files.filter((path) => path.toLowerCase().includes(word))
    : files.filter((path) =>
        namesIn(path).some((name) => name.toLowerCase().includes(word)),
      )
}

const server = 'packages/server/src/'

/** Returns the folders of the server's modules, features and parts, relative to the root. */
export const listModules = () => [
  ...['core', 'features'].flatMap((group) =>
    readdirSync(join(root, server, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${server}${group}/${name}`),
  ),
  ...partsOfServer.map((name) => `packages/${name}`),
]

/** Returns the test files that the READMEs of the subject's modules name, of other folders too. */
export function findNamedTests(subject, modules = listModules()) {
  const word = subject.toLowerCase().replace(/^\.\//, '')
  return modules
    .filter((folder) =>
      (word.includes('/') ? `${folder}/` : basename(folder)).includes(word),
    )
    .flatMap(listNamedTests)
}

/** Returns the test files that the README of a folder names after `Tests:`. */
export function listNamedTests(folder) {
  const readme = join(root, folder, 'README.md')
  const [, tests = ''] = existsSync(readme)
    ? readFileSync(readme, 'utf8').split(/\bTests:/)
    : []
  return [...tests.matchAll(/`([^`\n]+\.test\.ts)`/g)]
    .flatMap(([, path]) => expandBraces(path))
    .map((path) => [folder, server, ''].map((base) => join(base, path)).find(isFile))
    .filter((path) => path !== undefined)
    .map((path) => path.replaceAll('\\', '/'))
}

const isFile = (path) => existsSync(join(root, path))

/** Returns the paths that `a/{b,c}.ts` means. */
export function expandBraces(path) {
  const [, before, names, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? []
  if (names === undefined) return [path]
  return names.split(',').flatMap((name) => expandBraces(`${before}${name}${after}`))
}

const maxSuggestions = 8

/** Returns the names that are most similar to an unknown subject. */
export function findSimilar(subject, files) {
  const word = subject.toLowerCase()
  const names = [...new Set(files.flatMap(namesIn))]
  const parts = (name) => [name, ...name.split('-')]
  return names
    .map((name) => ({
      name,
      distance: Math.min(...parts(name).map((part) => measureDistance(word, part))),
    }))
    .filter(({ distance }) => distance <= Math.max(2, word.length / 3))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, maxSuggestions)
    .map(({ name }) => name)
}

/** Returns the number of characters to insert, remove or replace (Levenshtein). */
function measureDistance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (const [i, sign] of [...one].entries()) {
    const next = [i + 1]
    for (const [j, sought] of [...other].entries())
      next.push(Math.min(next[j] + 1, row[j + 1] + 1, row[j] + Number(sign !== sought)))
    row = next
  }
  return row.at(-1)
}
