// Reads a workspace of pnpm around a source folder: its packages, and the versions of its catalogs.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseText } from '@botstead/flows/document-text'
import { CliError } from '../failure.ts'

export interface PackageJson {
  name?: string
  version?: string
  private?: boolean
  engines?: { node?: string }
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  bpDependencies?: unknown
  [field: string]: unknown
}

export interface Workspace {
  root: string
  /** Folders of packages by name. */
  packages: Map<string, string>
  /** Versions by the name of the catalog; `default` is that of `catalog:`. */
  catalogs: Record<string, Record<string, string>>
}

const maxLevels = 8

/** Returns null without a workspace around the folder. */
export function findWorkspace(folder: string): Workspace | null {
  let root = resolve(folder)
  for (let level = 0; !existsSync(join(root, 'pnpm-workspace.yaml')); level++) {
    if (root === dirname(root) || level === maxLevels) return null
    root = dirname(root)
  }
  const file = join(root, 'pnpm-workspace.yaml')
  const { packages, catalog, catalogs } = (readYaml(file) ?? {}) as {
    packages?: string[]
    catalog?: Record<string, string>
    catalogs?: Record<string, Record<string, string>>
  }
  return {
    root,
    packages: findPackages(root, Array.isArray(packages) ? packages : []),
    catalogs: { ...catalogs, ...(catalog && { default: catalog }) },
  }
}

function readYaml(file: string): unknown {
  try {
    return parseText(readFileSync(file, 'utf8'), 'YAML').value
  } catch (error) {
    throw new CliError(`${file}: ${(error as Error).message}`)
  }
}

/** Patterns are folders, or end with `/*`; pnpm has others, which the sources of Botpress do not use. */
function findPackages(root: string, patterns: string[]): Map<string, string> {
  const folders = patterns
    .filter((pattern) => !pattern.startsWith('!'))
    .flatMap((pattern) => {
      if (!pattern.endsWith('/*')) return [join(root, pattern)]
      const parent = join(root, pattern.slice(0, -2))
      return existsSync(parent)
        ? readdirSync(parent).map((name) => join(parent, name))
        : []
    })
  const named = folders.map((folder) => [readPackageJson(folder)?.name, folder] as const)
  return new Map(
    named.filter((one): one is [string, string] => typeof one[0] === 'string'),
  )
}

/** Returns null without a file. */
export function readPackageJson(folder: string): PackageJson | null {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as PackageJson
  } catch (error) {
    throw new CliError(`${file} is not valid JSON: ${(error as Error).message}`)
  }
}
