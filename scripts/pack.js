// Writes botstead-<version>.tgz into the root: one npm package of the command line, with the other
// packages of this repository inside, without sources of TypeScript and declarations. Requires a build.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { partsOfServer } from './build/packages.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'))
const locked = readJson('package-lock.json').packages
const cli = readJson('packages/cli/package.json')
const optional = Object.fromEntries(
  ['embedded-postgres', 'server'].flatMap((name) =>
    Object.entries(readJson('packages', name, 'package.json').optionalDependencies),
  ),
)

/** Libraries that the bundles load at run time; every other one is in a bundle. */
const dependencies = [
  '@bpinternal/verel',
  '@swc/wasm-typescript',
  'commander',
  'get-east-asian-width',
  're2js',
]

/** Packages of tools/pages that build the documentation; its pages contain VitePress. */
const forDocumentation = ['shiki', 'vitepress', 'vue']

/** Libraries of VitePress that the pages of the documentation load. */
const inDocumentation = [
  '@vueuse/core',
  '@vueuse/integrations',
  'mark.js',
  'minisearch',
  'vue',
]

/** Files of each package inside. */
const contents = {
  client: ['dist/bundle'],
  contract: ['dist/bundle'],
  extraction: ['cmaps', 'dist/workers'],
  flows: [
    'dist/bundle',
    'dist/engine.cjs',
    'dist/engine-with-libraries.cjs',
    'dist/tests.cjs',
    'src/engine/event-types.ts',
  ],
  sandbox: ['dist/bot-host', 'dist/workers'],
  server: [
    'dist/bundle',
    'dist/dashboard',
    'dist/docs',
    'dist/examples',
    'dist/page',
    'dist/workers',
    'page',
    'src/core/db/migrations',
  ],
}

const folder = mkdtempSync(join(tmpdir(), 'botstead-pack-'))
try {
  const target = join(folder, 'package')
  stage(target)
  const file = `botstead-${cli.version}.tgz`
  execFileSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', root],
    {
      cwd: target,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const digest = createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex')
  console.log(`Wrote ${join(root, file)}\nSHA-256: ${digest}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function stage(target) {
  const copy = (from, to) =>
    cpSync(join(root, from), join(target, to), { recursive: true })
  copy('packages/cli/bin', 'bin')
  copy('packages/cli/dist/bundle', 'dist/bundle')
  copy('packages/cli/dist/templates', 'dist/templates')
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'deploy']) copy(name, name)
  for (const [name, paths] of Object.entries(contents)) {
    for (const path of paths) copy(`packages/${name}/${path}`, `packages/${name}/${path}`)
    const { version, license, type } = readJson('packages', name, 'package.json')
    writeJson(join(target, `packages/${name}/package.json`), { version, license, type })
  }
  for (const name of readdirSync(target, { recursive: true, encoding: 'utf8' }))
    if (/\.c?js$/.test(name)) importByPath(target, name)
  writeFileSync(join(target, 'LICENSES.txt'), licensesInside())
  writeJson(join(target, 'package.json'), manifest())
  writeJson(join(target, 'npm-shrinkwrap.json'), shrinkwrap())
}

/**
 * Replaces the names of our packages in imports with paths, so that they need not be in `node_modules`: npm
 * takes seconds longer for `bundleDependencies`.
 */
function importByPath(target, name) {
  const file = join(target, name)
  const text = readFileSync(file, 'utf8')
  const replaced = text.replaceAll(
    /\b(from|import\() ?(['"])@botstead\/(\w+)(\/[\w-]+)?\2/g,
    (_, keyword, quote, one, path = '') => {
      const built = readJson('packages', one, 'package.json').exports[`.${path}`].default
      const to = relative(dirname(name), join('packages', one, built))
      return `${keyword} ${quote}${to.startsWith('.') ? to : `./${to}`}${quote}`
    },
  )
  if (replaced !== text) writeFileSync(file, replaced)
}

function manifest() {
  const { name, version, description, license, type, engines, bin } = cli
  return {
    name,
    version,
    description,
    license,
    repository: cli.repository,
    keywords: cli.keywords,
    type,
    engines,
    bin,
    exports: { './package.json': './package.json' },
    dependencies: Object.fromEntries(
      dependencies.map((one) => [one, lockedAt(one).version]),
    ),
    optionalDependencies: optional,
  }
}

/**
 * Pins the libraries with their digests, which npm verifies when it installs the package: also those
 * of the PostgreSQL programs.
 */
function shrinkwrap() {
  const { name, version, license, bin, engines, ...rest } = manifest()
  const packages = {
    '': { name, version, license, bin, engines, hasShrinkwrap: true, ...rest },
  }
  const add = (one) => {
    if (packages[`node_modules/${one}`]) return
    packages[`node_modules/${one}`] = lockedAt(one)
    for (const next of Object.keys(lockedAt(one).dependencies ?? {})) add(next)
  }
  for (const one of [...dependencies, ...Object.keys(optional)]) add(one)
  return { name, version, lockfileVersion: 3, requires: true, packages }
}

function lockedAt(name) {
  const { resolved, ...entry } = locked[`node_modules/${name}`] ?? {}
  if (!entry.integrity) throw new Error(`package-lock.json has no digest of ${name}`)
  return entry
}

/** Returns the licences of all libraries inside the bundles. */
function licensesInside() {
  const found = new Map()
  const visit = (name, from, { withLibraries = true } = {}) => {
    const path = findInstalled(name, from)
    if (!path || found.has(path)) return
    const { name: own, version, license, dependencies } = readJson(path, 'package.json')
    found.set(
      path,
      `${own} ${version} (${license ?? 'see below'})\n\n${licenseText(path)}`,
    )
    if (withLibraries)
      for (const next of Object.keys(dependencies ?? {})) visit(next, path)
  }
  for (const name of new Set([...Object.keys(contents), ...partsOfServer])) {
    const { dependencies = {} } = readJson('packages', name, 'package.json')
    for (const one of Object.keys(dependencies))
      if (!one.startsWith('@botstead/')) visit(one, `packages/${name}`)
  }
  for (const one of Object.keys(readJson('tools/pages/package.json').dependencies))
    if (!one.startsWith('@types/') && !forDocumentation.includes(one))
      visit(one, 'tools/pages')
  const icons = 'packages/dashboard/src/icons'
  found.set(icons, `Tabler Icons 3.51.0 (MIT)\n\n${licenseText(icons)}`)
  visit('vitepress', 'tools/pages', { withLibraries: false })
  for (const one of inDocumentation) visit(one, 'tools/pages/node_modules/vitepress')
  // The root and tools/pages may have the same version.
  return `${[...new Set(found.values())].sort().join(`\n${'-'.repeat(80)}\n\n`)}\n`
}

/** Returns the path of an installed package as Node finds it from `from`, or null. */
function findInstalled(name, from) {
  for (let at = from; ; at = dirname(at)) {
    const path = join(at, 'node_modules', name)
    if (existsSync(join(root, path, 'package.json'))) return path
    if (at === '.') return null
  }
}

function licenseText(path) {
  const file = readdirSync(join(root, path)).find((name) => /^licen[cs]e/i.test(name))
  return file
    ? readFileSync(join(root, path, file), 'utf8').trim()
    : '(no file in the package)'
}

function writeJson(file, value) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
