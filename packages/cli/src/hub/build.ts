// Builds a copied integration in a child process, because its definition is code: with the SDK and the
// bundler of the installed libraries, and without the tokens of this process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CliError } from '../failure.ts'
import type { BuiltPackages, NewIntegration, NewInterface } from './built-packages.ts'
import { withoutTokens } from './dependencies.ts'
import type { Part, SourceTree } from './source-tree.ts'

const program = fileURLToPath(
  new URL('../../dist/bundle/build-child.js', import.meta.url),
)
const maxMs = 10 * 60_000

/** Secrets that the definition declares. */
export type DeclaredSecrets = Record<string, { optional?: boolean; description?: string }>

/** What the child process returns. */
export type BuildResult =
  | { error: string }
  | { interfaces: NewInterface[]; integration: NewIntegration; secrets: DeclaredSecrets }

export interface BuildTask {
  folder: string
  /** Folders of interfaces. */
  interfaces: string[]
  nodeModules: string
}

/** Throws CliError with the file and the line of an error in the sources. */
export async function build(
  tree: SourceTree,
  nodeModules: string,
): Promise<BuiltPackages & { secrets: DeclaredSecrets }> {
  for (const [alias, part] of Object.entries(tree.interfaces))
    writeModule(tree, alias, part)
  const task: BuildTask = {
    folder: tree.integration.folder,
    interfaces: Object.values(tree.interfaces).map(({ folder }) => folder),
    nodeModules,
  }
  const result = await runChild(task, join(tree.root, 'result.json'))
  if ('error' in result) throw new CliError(toSourcePaths(result.error, tree))
  const { interfaces, integration, secrets } = result
  return { interfaces, integrations: [integration], secrets }
}

/** As `bp add` does, but with the interface's own definition: the module of an interface. */
function writeModule(tree: SourceTree, alias: string, { folder }: Part): void {
  const file = join(tree.integration.folder, 'bp_modules', toKebabCase(alias), 'index.ts')
  const path = relative(dirname(file), join(folder, 'interface.definition'))
    .split(sep)
    .join('/')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(
    file,
    `import definition from '${path}'
export default { type: 'interface', name: definition.name, version: definition.version, definition } as const
`,
  )
}

const toKebabCase = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[\s_/]+/g, '-')
    .toLowerCase()

async function runChild(task: BuildTask, resultFile: string): Promise<BuildResult> {
  const child = fork(program, [JSON.stringify(task), resultFile], {
    cwd: task.folder,
    env: { ...withoutTokens(process.env), NODE_ENV: 'production' },
    execArgv: ['--enable-source-maps'],
    // Its output is not that of this command.
    stdio: ['ignore', 2, 2, 'ipc'],
    timeout: maxMs,
  })
  const [code, signal] = await once(child, 'exit')
  if (code === 0) return JSON.parse(readFileSync(resultFile, 'utf8')) as BuildResult
  throw new CliError(
    signal
      ? 'the build took longer than ten minutes'
      : `the build ended with the exit code ${code}`,
  )
}

/** Errors name the files of the sources, not their copies. */
const toSourcePaths = (error: string, { parts }: SourceTree) =>
  [...parts]
    .sort((a, b) => b.folder.length - a.folder.length)
    .reduce((text, { folder, source }) => text.replaceAll(folder, source), error)
