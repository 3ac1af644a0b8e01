// Sets the version of all packages, and where files name it: node scripts/set-version.js 0.2.0
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path) => readFileSync(join(root, path), 'utf8')
const [version = ''] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+(-[a-z0-9.]+)?$/.test(version))
  throw new Error('name the version: node scripts/set-version.js 0.2.0')

const before = JSON.parse(read('package.json')).version
const lock = JSON.parse(read('package-lock.json'))
const ownPaths = Object.keys(lock.packages).filter(
  (path) => !/(^|\/)node_modules\//.test(path),
)
for (const path of ownPaths) {
  const file = join(path, 'package.json')
  writeJson(file, withVersion(JSON.parse(read(file))))
  lock.packages[path] = withVersion(lock.packages[path])
}
writeJson('package-lock.json', { ...lock, version })
for (const file of ['deploy/kubernetes/botstead.yaml', 'docs/getting-started.md'])
  write(
    file,
    read(file)
      .replaceAll(`botstead:${before}`, `botstead:${version}`)
      .replaceAll(`botstead-${before}.tgz`, `botstead-${version}.tgz`),
  )

/** Also of its dependencies on our packages. */
function withVersion(manifest) {
  const own = ([name, range]) => [name, name.startsWith('@botstead/') ? version : range]
  const changed = Object.entries(manifest).map(([field, value]) => {
    if (field === 'version') return [field, version]
    return /[dD]ependencies$/.test(field)
      ? [field, Object.fromEntries(Object.entries(value).map(own))]
      : [field, value]
  })
  return Object.fromEntries(changed)
}

function writeJson(file, value) {
  write(file, `${JSON.stringify(value, null, 2)}\n`)
}

function write(file, text) {
  writeFileSync(join(root, file), text)
}
