// The packages, the lock file and the files that name the version agree (scripts/set-version.js), and the
// version is not that of a release with other content.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url).pathname
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Manifest {
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
const lock = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, Manifest>
}
const { version } = lock.packages['']!
const ownPaths = Object.keys(lock.packages).filter(
  (path) => !/(^|\/)node_modules\//.test(path),
)

test.each(ownPaths)(
  'the package "%s" has the version, also in its dependencies',
  (path) => {
    for (const manifest of [
      lock.packages[path]!,
      JSON.parse(read(join(path, 'package.json'))) as Manifest,
    ]) {
      const needed = Object.entries({
        ...manifest.dependencies,
        ...manifest.devDependencies,
      })
      const own = needed.filter(([name]) => name.startsWith('@botstead/'))
      expect(new Set([manifest.version, ...own.map(([, range]) => range)])).toEqual(
        new Set([version]),
      )
    }
  },
)

test('the manifest of Kubernetes and the documentation name the version', () => {
  const images = [
    ...read('deploy/kubernetes/botstead.yaml').matchAll(/\/botstead:(\S+)/g),
  ]
  const packages = [...read('docs/getting-started.md').matchAll(/\/botstead-(\S+)\.tgz/g)]
  expect([images.length, packages.length]).toEqual([1, 1])
  for (const [, named] of [...images, ...packages]) expect(named).toBe(version)
})

test('a version with unreleased changes does not have the number of a release', () => {
  const [, unreleased] = /## \[Unreleased\]\n([\s\S]*?)\n## \[/.exec(
    read('CHANGELOG.md'),
  )!
  const released = Object.keys(
    JSON.parse(read('packages/server/src/core/db/migrations/released.json')),
  )
  if (version.endsWith('-dev'))
    expect(released).not.toContain(version.replace('-dev', ''))
  else {
    expect(released).toContain(version)
    expect(unreleased).not.toMatch(/^- /m)
  }
})
