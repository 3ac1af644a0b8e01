// Copies an integration with everything that it needs from folders beside it (interfaces, packages of its
// workspace) into a temporary folder, at the same relative paths. The sources are only read.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { CliError, UsageError } from '../failure.ts'
import { isArchive, unpack } from './archive.ts'
import {
  findWorkspace,
  type PackageJson,
  readPackageJson,
  type Workspace,
} from './pnpm-workspace.ts'

/** A copied folder. */
export interface Part {
  /** In the temporary folder. */
  folder: string
  source: string
  manifest: PackageJson
  /** Names of packages that its sources import. */
  imports: Set<string>
}

export interface SourceTree {
  /** The temporary folder; the parts are below `tree`. */
  root: string
  integration: Part
  /** Folders of interfaces by their alias in `bpDependencies`. */
  interfaces: Record<string, Part>
  /** All parts, the integration first. */
  parts: Part[]
  workspace: Workspace | null
}

const definitionFile = 'integration.definition.ts'
const interfaceFile = 'interface.definition.ts'
const leftOut = new Set(['node_modules', '.git', '.botpress', 'bp_modules', '.turbo'])
const maxFiles = 20_000
const maxBytes = 256 * 1_048_576

/** Creates a private temporary folder, and deletes it after the work. */
export async function inTemporaryFolder<Result>(
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'botstead-hub-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the folder of the integration, unpacked if it is in an archive. `inside`: its path there. */
export function openSource(
  source: string,
  inside: string | undefined,
  folder: string,
): string {
  const stats = lstatSync(source, { throwIfNoEntry: false })
  if (!stats) throw new CliError(`${source} does not exist`)
  if (!isArchive(source)) return chooseIntegration(resolve(source), inside, source)
  const unpacked = join(folder, 'archive')
  mkdirSync(unpacked)
  unpack(source, unpacked)
  return chooseIntegration(unpacked, inside, source)
}

function chooseIntegration(
  folder: string,
  inside: string | undefined,
  source: string,
): string {
  if (inside === undefined && existsSync(join(folder, definitionFile))) return folder
  const found = findIntegrations(folder)
  const paths = found.map((one) => relative(folder, one).split(sep).join('/'))
  const chosen =
    inside === undefined
      ? found.length === 1 && found[0]
      : found.find((_, i) => paths[i] === inside || paths[i]!.endsWith(`/${inside}`))
  if (chosen) return chosen
  if (found.length === 0) throw new CliError(`${source} has no ${definitionFile}`)
  throw new UsageError(
    `${source} has ${found.length} integrations: choose one with --folder, such as ` +
      `--folder ${paths.slice(0, 5).join(', --folder ')}`,
  )
}

/** At most four levels deep, as in `<repository>-<commit>/integrations/<name>`. */
function findIntegrations(folder: string, levels = 4): string[] {
  if (!lstatSync(folder).isDirectory())
    throw new CliError(`${folder} is neither a folder nor an archive`)
  if (existsSync(join(folder, definitionFile))) return [folder]
  if (levels === 0) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory() && !leftOut.has(one.name))
    .flatMap(({ name }) => findIntegrations(join(folder, name), levels - 1))
    .sort()
}

/** `root`: the temporary folder. Throws for folders that are missing. */
export function copyTree(folder: string, root: string): SourceTree {
  const workspace = findWorkspace(folder)
  const interfaces = findInterfaces(folder)
  const sources = listSources([folder, ...Object.values(interfaces)], workspace)
  const above = sources.map(({ source }) => dirname(source))
  const base = commonFolder(workspace ? [workspace.root, ...above] : above)
  const parts = sources.map((one): Part => {
    const target = join(root, 'tree', relative(base, one.source))
    copy(one.source, target)
    return { ...one, folder: target }
  })
  copySettings(base, join(root, 'tree'))
  const find = (source: string) => parts.find((one) => one.source === source)!
  return {
    root,
    integration: parts[0]!,
    interfaces: Object.fromEntries(
      Object.entries(interfaces).map(([alias, source]) => [alias, find(source)]),
    ),
    parts,
    workspace,
  }
}

/** Returns the folders that `bpDependencies` names, by alias. */
function findInterfaces(folder: string): Record<string, string> {
  const { bpDependencies = {} } = readPackageJson(folder) ?? {}
  const named = Object.entries(bpDependencies as Record<string, unknown>)
  return Object.fromEntries(
    named.map(([alias, path]) => [alias, findInterface(folder, alias, path)]),
  )
}

function findInterface(folder: string, alias: string, path: unknown): string {
  const named = `\`bpDependencies.${alias}\` in ${join(folder, 'package.json')}`
  if (typeof path !== 'string' || !/^\.{1,2}\//.test(path))
    throw new CliError(
      `${named} is ${JSON.stringify(path)}: only folders, such as "../../interfaces/${alias}", can be built`,
    )
  const found = resolve(folder, path)
  if (existsSync(join(found, interfaceFile))) return found
  throw new CliError(
    `${named} names ${path}, but ${join(found, interfaceFile)} does not exist: get the folder of the ` +
      'interface from the same sources, and put it there',
  )
}

/** Adds the private packages of the workspace that the folders import. */
function listSources(
  folders: string[],
  workspace: Workspace | null,
): Omit<Part, 'folder'>[] {
  const listed = new Map<string, Omit<Part, 'folder'>>()
  for (const source of folders) addSource(source)
  return [...listed.values()]

  function addSource(source: string): void {
    if (listed.has(source)) return
    const manifest = readPackageJson(source) ?? {}
    rejectName(manifest, source)
    const imports = findImports(source)
    listed.set(source, { source, manifest, imports })
    for (const name of imports) {
      const beside = workspace?.packages.get(name)
      if (beside && isUnpublished(beside)) addSource(beside)
    }
  }
}

/** The name becomes a path. */
function rejectName({ name }: PackageJson, source: string): void {
  if (name === undefined || /^(@[\w-][\w.-]*\/)?[\w-][\w.-]*$/.test(String(name))) return
  throw new CliError(
    `${join(source, 'package.json')}: the name ${JSON.stringify(name)} is invalid`,
  )
}

const isUnpublished = (folder: string) => readPackageJson(folder)?.private === true

/** Names of packages in imports of TypeScript and JavaScript, without those of Node. */
function findImports(folder: string): Set<string> {
  const names = new Set<string>()
  const isCode = (path: string) =>
    /\.[cm]?[jt]sx?$/.test(path) && !/\.(test|spec)\.\w+$/.test(path)
  for (const file of listFiles(folder).filter(isCode))
    for (const [, name] of readFileSync(file, 'utf8').matchAll(importedName))
      names.add(name!)
  return names
}
const importedName =
  /(?:from|import|require)\s*\(?\s*['"]((?:@[\w.-]+\/)?[\w][\w.-]*)(?:\/[^'"]*)?['"]/g

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !leftOut.has(name))
    .flatMap((one) => {
      const path = join(folder, one.name)
      if (one.isDirectory()) return listFiles(path)
      return one.isFile() ? [path] : []
    })
}

/** Links are not followed, because they may lead out of the sources. */
function copy(source: string, target: string): void {
  const files = listFiles(source)
  const bytes = files.reduce((sum, file) => sum + lstatSync(file).size, 0)
  if (files.length > maxFiles || bytes > maxBytes)
    throw new CliError(
      `${source} has ${files.length} files with ${bytes} bytes; at most ${maxFiles} files and ` +
        `${maxBytes} bytes can be built`,
    )
  for (const file of files) cpSync(file, join(target, relative(source, file)))
}

/** Settings of TypeScript that the parts extend. */
function copySettings(base: string, target: string): void {
  for (const name of readdirSync(base).filter((one) =>
    /^tsconfig[\w.-]*\.json$/.test(one),
  ))
    cpSync(join(base, name), join(target, name))
}

function commonFolder(folders: string[]): string {
  let common = folders[0]!
  while (!folders.every((folder) => folder === common || folder.startsWith(common + sep)))
    common = dirname(common)
  return common
}
