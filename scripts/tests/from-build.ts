// Lets tests load the build, which takes half as long as transforming the sources in every test
// file. If the build is out of date, tests load the sources, so a single file can be tested without
// a build.
import { readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { partsOfServer } from '../build/packages.js'

const packages = fileURLToPath(new URL('../../packages', import.meta.url))
const source = /^(.*)\/src\/(.+)(?<!\.test)\.ts$/

/** Matches modules that Node loads without Vite. */
export const builtFiles = /\/packages\/[^/]+\/dist\//

export const fromBuild: Plugin = {
  name: 'from build',
  enforce: 'pre',
  resolveId(name, importer) {
    if (name.startsWith('@botstead/')) return fileURLToPath(import.meta.resolve(name))
    if (!importer || !name.startsWith('.')) return null
    const [, folder, path] = source.exec(resolve(dirname(importer), name)) ?? []
    // The dashboard's modules are in a bundle for browsers only.
    return folder && dirname(folder) === packages && !folder.endsWith('/dashboard')
      ? `${folder}/dist/${path}.js`
      : null
  },
}

/** Results of packages without a bundle: no package imports them, or they are parts of the server's. */
const unbundled: Record<string, string> = {
  cli: 'tsconfig.tsbuildinfo',
  dashboard: '../server/dist/dashboard/built',
  ...Object.fromEntries(
    partsOfServer.map((name) => [name, '../server/dist/bundle/index.js']),
  ),
}

/** Returns the packages without a build that is newer than their sources. */
export const findUnbuilt = (): string[] =>
  readdirSync(packages).filter((name) => !isBuilt(name))

/** The compiler updates tsbuildinfo after each compilation. */
function isBuilt(name: string): boolean {
  const folder = join(packages, name)
  const sources = readdirSync(join(folder, 'src'), {
    recursive: true,
    encoding: 'utf8',
  }).filter((path) => /(?<!\.test)\.tsx?$/.test(path))
  const results = ['tsconfig.tsbuildinfo', unbundled[name] ?? 'dist/bundle/index.js']
  const builtAt = Math.min(...results.map((path) => changedAt(join(folder, path))))
  return sources.every((path) => changedAt(join(folder, 'src', path)) <= builtAt)
}

const changedAt = (file: string) =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
