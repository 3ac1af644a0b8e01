// Installs the libraries of a copied integration with npm, without running scripts, or takes them from a
// folder. Versions that only pnpm resolves (`workspace:`, `catalog:`) are replaced before.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { CliError } from '../failure.ts'
import { toPrintable } from '../terminal/printable.ts'
import { readPackageJson, type Workspace } from './pnpm-workspace.ts'
import type { Part, SourceTree } from './source-tree.ts'

const sdk = '@botpress/sdk'
/** The bundler of the official command line, in the version that it uses. */
const bundler = { esbuild: '^0.25.10' }

interface InstallOptions {
  /** Versions in place of those of the sources, such as `@botpress/sdk@5.4.3`. */
  use?: string[]
  /** A folder `node_modules` to use in place of npm. */
  nodeModules?: string
}

/** Returns the folder `node_modules` from which the build loads SDK and bundler. */
export async function installLibraries(
  tree: SourceTree,
  options: InstallOptions,
  say: (line: string) => void,
): Promise<string> {
  rejectOldNode(tree.integration)
  const needed = tree.parts.map((part) => toDependencies(part, tree, options))
  const libraries = Object.assign(
    {},
    ...needed.map(({ libraries }) => libraries),
  ) as Versions
  if (options.nodeModules !== undefined)
    return useFolder(tree, resolve(options.nodeModules), libraries)
  writeManifests(tree, needed)
  const names = Object.entries({ ...bundler, ...libraries }).map(
    ([name, range]) => `${name}@${range}`,
  )
  say(
    `npm installs ${names.length} libraries and what they need, without running scripts: ${names.join(', ')}`,
  )
  await runNpm(tree.root, names)
  return join(tree.root, 'node_modules')
}

type Versions = Record<string, string>

/** `libraries`: from the registry; `local`: parts of the tree. */
function toDependencies(
  { manifest, imports, source }: Part,
  tree: SourceTree,
  options: InstallOptions,
) {
  const { dependencies, devDependencies } = manifest
  const all: Versions = { [sdk]: '*', ...devDependencies, ...dependencies }
  const libraries: Versions = {}
  const local: Versions = {}
  // The bundle contains only imports. The others are tools, types, and packages that order builds.
  for (const [name, range] of Object.entries(all).filter(
    (one) => one[0] === sdk || imports.has(one[0]),
  )) {
    if (tree.parts.some((part) => part.manifest.name === name)) local[name] = '*'
    else libraries[name] = toVersion(name, String(range), tree.workspace, options, source)
  }
  return { libraries, local }
}

/** Replaces the versions that only pnpm resolves. */
function toVersion(
  name: string,
  range: string,
  workspace: Workspace | null,
  { use = [] }: InstallOptions,
  source: string,
): string {
  const chosen = use.find((one) => one.startsWith(`${name}@`))
  if (chosen !== undefined) return chosen.slice(name.length + 1)
  if (range.startsWith('catalog:')) {
    const catalog = range.slice('catalog:'.length) || 'default'
    const version = workspace?.catalogs[catalog]?.[name]
    if (version !== undefined) return version
    throw new CliError(
      `${join(source, 'package.json')}: ${name} has the version "${range}" of a catalog, which ` +
        'pnpm-workspace.yaml defines in the root of its sources: get that file, too, or write the version',
    )
  }
  if (!range.startsWith('workspace:')) return range
  const folder = workspace?.packages.get(name)
  const version = folder && readPackageJson(folder)?.version
  if (version !== undefined) return version
  if (name === sdk || name === '@botpress/client') return '*'
  throw new CliError(
    `${join(source, 'package.json')}: ${name} is a package of the same sources ("${range}"), which are ` +
      `not around this folder: get the whole sources, with pnpm-workspace.yaml and the folder of ${name}`,
  )
}

/** Makes the parts a workspace of npm, so that it finds them and resolves different versions. */
function writeManifests(
  tree: SourceTree,
  needed: ReturnType<typeof toDependencies>[],
): void {
  tree.parts.forEach((part, i) => {
    const { name = `part-${i}`, main, module, type, exports: entries } = part.manifest
    const dependencies = { ...needed[i]!.libraries, ...needed[i]!.local }
    writeJson(join(part.folder, 'package.json'), {
      name,
      version: '0.0.0',
      private: true,
      main,
      module,
      type,
      exports: entries,
      dependencies,
    })
  })
  writeJson(join(tree.root, 'package.json'), {
    name: 'build',
    private: true,
    workspaces: tree.parts.map(({ folder }) => relative(tree.root, folder)),
    dependencies: bundler,
    // The SDK names an older one, which it does not need here.
    overrides: { [sdk]: { esbuild: '$esbuild' } },
  })
}

const writeJson = (file: string, value: object) =>
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

/** A machine without a network should not wait for minutes. */
const patience = [
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=500',
  '--fetch-retry-maxtimeout=2000',
]

async function runNpm(folder: string, names: string[]): Promise<void> {
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
    ...patience,
  ]
  const child = spawn('npm', [...args, '--loglevel=error'], {
    cwd: folder,
    env: withoutTokens(process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  const [code] = await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(
      error.code === 'ENOENT'
        ? 'npm is missing: it comes with Node'
        : `npm: ${error.message}`,
    )
  })
  if (code === 0) return
  process.stderr.write(toPrintable(output))
  throw new CliError(explainNpm(output, names))
}

/** Tokens of servers are none of npm's business. */
export const withoutTokens = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(BOTSTEAD|BP|DATABASE|SECRET)_/.test(name)),
  )

/** Returns the cause and the remedy for npm's output. */
function explainNpm(output: string, names: string[]): string {
  const version = /No matching version found for (\S+?)\.?\s/.exec(`${output} `)?.[1]
  if (version !== undefined) {
    const name = names.some((one) => toName(one) === toName(version))
      ? toName(version)
      : '<package>'
    const reason = name === '<package>' ? ', which another library needs' : ''
    return (
      `the npm registry has no ${version}${reason}: choose another version with --use ${name}@<version> ` +
      `("npm view ${name} versions" lists them)`
    )
  }
  const missing = /404.*'((?:@[\w.-]+\/)?[\w.-]+)@[^']*' is not in this registry/.exec(
    output,
  )?.[1]
  if (missing !== undefined)
    return (
      `the npm registry has no package ${missing}. If it is a package of the same sources, get the whole ` +
      'sources, with pnpm-workspace.yaml'
    )
  if (
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|ENOTCACHED/.test(
      output,
    )
  )
    return (
      'npm does not reach its registry ("npm config get registry" prints it). It needs: ' +
      `${names.join(', ')}. Install these on a machine with access, copy the folder node_modules, and ` +
      'pass it with --node-modules'
    )
  return 'npm failed; its output is above'
}

const toName = (versioned: string) => versioned.slice(0, versioned.lastIndexOf('@'))

/** Links the parts beside it, where Node and the bundler look first. */
function useFolder(tree: SourceTree, nodeModules: string, libraries: Versions): string {
  const missing = Object.keys({ ...bundler, ...libraries }).filter(
    (name) => !existsSync(join(nodeModules, name)),
  )
  const versioned = missing.map((name) => `${name}@${libraries[name] ?? bundler.esbuild}`)
  if (missing.length > 0)
    throw new CliError(
      `${nodeModules} lacks ${versioned.join(', ')}: install them there, or leave out --node-modules`,
    )
  for (const { manifest, folder } of tree.parts) {
    if (manifest.name === undefined) continue
    const link = join(tree.root, 'node_modules', manifest.name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(folder, link)
  }
  return nodeModules
}

function rejectOldNode({ manifest, source }: Part): void {
  const minimum = /^\s*(?:>=|\^)\s*(\d+)(?:\.(\d+))?/.exec(manifest.engines?.node ?? '')
  if (!minimum) return
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [wantedMajor, wantedMinor] = [Number(minimum[1]), Number(minimum[2] ?? 0)]
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return
  throw new CliError(
    `${join(source, 'package.json')} needs Node ${manifest.engines!.node}; this is Node ` +
      `${process.versions.node}: install that version, and run the command with it`,
  )
}
