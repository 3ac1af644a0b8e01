// Lets tests take the packages as they were built: Node loads that in half the time in which Vite transforms and evaluates the sources, and every file pays
// for it. Only when the build is what the sources say: so a single file can be run without building, and then runs the sources.
import { readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const packages = fileURLToPath(new URL('../packages', import.meta.url))
const source = /^(.*)\/src\/(.+)(?<!\.test)\.ts$/

/** Of modules that Node loads by itself. */
export const builtFiles = /\/packages\/[^/]+\/dist\//

export const fromBuild: Plugin = {
  name: 'from build',
  enforce: 'pre',
  resolveId(name, importer) {
    if (name.startsWith('@botstead/')) return fileURLToPath(import.meta.resolve(name))
    if (!importer || !name.startsWith('.')) return null
    const [, folder, path] = source.exec(resolve(dirname(importer), name)) ?? []
    return folder && dirname(folder) === packages ? `${folder}/dist/${path}.js` : null
  },
}

/** The compiler notes when it last saw that all is compiled; nobody imports the command line, so it is in no bundle. */
export function isBuilt(): boolean {
  return readdirSync(packages).every((name) => {
    const folder = join(packages, name)
    const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
    )
    const results = ['tsconfig.tsbuildinfo', ...(name === 'cli' ? [] : ['dist/bundle/index.js'])]
    const made = Math.min(...results.map((path) => changedAt(join(folder, path))))
    return sources.every((path) => changedAt(join(folder, 'src', path)) <= made)
  })
}

const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
