// Writes packages/server/src/core/embedded-postgres/postgres-checksums: the SHA-256 of each program, library and SQL file
// of the embedded PostgreSQL, for all platforms. Run it after a change of the versions in
// packages/server/package.json and `npm install`. Downloads the packages with npm; each must have the digest
// (SHA-512) of package-lock.json.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'packages/server/src/core/embedded-postgres/postgres-checksums')
const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
const { optionalDependencies } = locked['packages/server']
const isListed = (path) => /^bin\/|\.(so|dylib|dll)[\d.]*$|\.(bki|sql|control)$/.test(path)
const digest = (algorithm, file, encoding) =>
  createHash(algorithm).update(readFileSync(file)).digest(encoding)

for (const [name, version] of Object.entries(optionalDependencies)) {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-checksums-'))
  try {
    const lines = checksumsOf(name, version, folder)
    const file = join(target, `${name.split('/')[1]}.sha256`)
    writeFileSync(file, `# ${name}@${version}\n${lines.join('')}`)
    console.log(`${file}: ${lines.length} files`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function checksumsOf(name, version, folder) {
  const options = { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' }
  const tarball = execFileSync('npm', ['pack', '--silent', `${name}@${version}`], options).trim()
  const integrity = `sha512-${digest('sha512', join(folder, tarball), 'base64')}`
  if (integrity !== locked[`node_modules/${name}`].integrity)
    throw new Error(`${name}@${version} does not have the digest of package-lock.json`)
  execFileSync('tar', ['xzf', tarball], options)
  const native = join(folder, 'package/native')
  return readdirSync(native, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(native.length + 1))
    .filter(isListed)
    .sort()
    .map((path) => `${digest('sha256', join(native, path), 'hex')}  ${path}\n`)
}
