// Entry of the process that builds an integration of the official SDK. Arguments: a BuildTask in JSON, and
// the file for the BuildResult. Bundles as the official command line does, and lets the SDK of the
// integration evaluate its definition.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type * as Esbuild from 'esbuild'
import type { BuildResult, BuildTask, DeclaredSecrets } from './build.ts'
import {
  type Definition,
  type Files,
  type Sdk,
  toIntegrationBody,
  toInterfaceBody,
} from './definition-body.ts'

const [taskText = '', resultFile = ''] = process.argv.slice(2)
const task = JSON.parse(taskText) as BuildTask
const { build } = createRequire(join(task.nodeModules, 'package.json'))(
  'esbuild',
) as typeof Esbuild

const common: Esbuild.BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'es2020',
  format: 'cjs',
  // node-fetch and others depend on names.
  keepNames: true,
  legalComments: 'none',
  logLevel: 'silent',
  nodePaths: [task.nodeModules],
}

/** An error in the sources, with its position. */
class SourceError extends Error {}

async function perform(): Promise<BuildResult> {
  const { definition, sdk } = await evaluate(task.folder, 'integration.definition')
  writeGenerated(definition.secrets ?? {})
  const interfaces = []
  for (const folder of task.interfaces) {
    const one = await evaluate(folder, 'interface.definition')
    interfaces.push(toInterfaceBody(one.sdk, one.definition, filesIn(folder)))
  }
  const code = await bundleCode(definition.__advanced?.esbuild)
  return {
    interfaces,
    integration: { ...toIntegrationBody(sdk, definition, filesIn(task.folder)), code },
    secrets: definition.secrets ?? {},
  }
}

/** Bundles the definition with the SDK that it imports, so that schemas and their conversion fit. */
async function evaluate(
  folder: string,
  name: string,
): Promise<{ definition: Definition; sdk: Sdk }> {
  const contents = `export { default as definition } from './${name}'; export * as sdk from '@botpress/sdk'`
  const outfile = join(folder, '.botpress', `${name}.cjs`)
  await bundle({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    outfile,
    sourcemap: 'inline',
  })
  let found: { definition?: Definition; sdk: Sdk }
  try {
    found = createRequire(outfile)(outfile)
  } catch (error) {
    throw new SourceError(`${name}.ts cannot be evaluated: ${explain(error, folder)}`)
  }
  const { definition, sdk } = found
  if (typeof definition?.name !== 'string' || typeof definition.version !== 'string')
    throw new SourceError(
      `${join(folder, `${name}.ts`)}: its default export must be a definition of the SDK`,
    )
  return { definition, sdk }
}

async function bundle(options: Esbuild.BuildOptions): Promise<void> {
  try {
    await build({ ...common, absWorkingDir: task.folder, ...options })
  } catch (error) {
    const { errors } = error as Esbuild.BuildFailure
    if (!Array.isArray(errors)) throw error
    throw new SourceError(errors.slice(0, 5).map(toLine).join('; '))
  }
}

const toLine = ({ text, location }: Esbuild.Message) =>
  location
    ? `${resolve(task.folder, location.file)}:${location.line}:${location.column + 1}: ${text}`
    : text

/** The stack of an error in the bundle has positions in the sources. */
function explain(error: unknown, folder: string): string {
  const { message = String(error), stack = '' } = error as Error
  const position = stack
    .split('\n')
    .find((line) => line.includes('.ts:') && !line.includes('node_modules'))
  const path = /\(?((?:file:\/\/)?\/?[^\s()]+\.ts:\d+:\d+)\)?$/.exec(
    position?.trim() ?? '',
  )?.[1]
  return path ? `${resolve(folder, path.replace(/^file:\/\//, ''))}: ${message}` : message
}

async function bundleCode(advanced: Esbuild.BuildOptions = {}): Promise<string> {
  const contents =
    "import x from './src/index'; export default x; export const handler = x.handler"
  const outfile = join(task.folder, '.botpress', 'dist', 'index.cjs')
  const stdin = { contents, resolveDir: task.folder, loader: 'ts' as const }
  await bundle({ minify: true, ...advanced, stdin, outfile })
  return readFileSync(outfile, 'utf8')
}

/** What the module `.botpress` has at run time; the official one also has the types. */
function writeGenerated(secrets: DeclaredSecrets): void {
  const folder = join(task.folder, '.botpress')
  mkdirSync(join(folder, 'secrets'), { recursive: true })
  writeFileSync(
    join(folder, 'index.ts'),
    `import * as sdk from '@botpress/sdk'
export * from './secrets'
class Integration extends (sdk as any).Integration {}
export { Integration }
`,
  )
  const getters = Object.entries(secrets).map(([name, { optional = false }]) => {
    const field = JSON.stringify(toScreamingSnakeCase(name))
    return `  get ${field}() { return read(${field}, ${JSON.stringify(name)}, ${optional}) },`
  })
  writeFileSync(
    join(folder, 'secrets/index.ts'),
    `const read = (field: string, name: string, isOptional: boolean) => {
  const value = process.env['SECRET_' + field] ?? process.env['SECRET_' + name]
  if (!value && !isOptional) throw new Error('Missing required secret "' + name + '"')
  return value
}
const secrets = {
${getters.join('\n')}
}
export { secrets }
`,
  )
}

const toScreamingSnakeCase = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toUpperCase()

/** Reads files that a definition names, only from its own folder. */
function filesIn(folder: string): Files {
  return (path, encoding) => {
    if (path === undefined) return undefined
    const file = resolve(folder, path)
    const inside = relative(folder, file)
    if (inside === '..' || inside.startsWith(`..${sep}`))
      throw new SourceError(
        `${folder}: the definition names the file "${path}" outside of its folder`,
      )
    try {
      return readFileSync(file, encoding)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new SourceError(
        `${file}: the definition names this file, which cannot be read (${code})`,
      )
    }
  }
}

const result = await perform().catch((error: unknown): BuildResult => {
  if (error instanceof SourceError) return { error: error.message }
  return { error: `the build failed: ${(error as Error).stack ?? String(error)}` }
})
mkdirSync(dirname(resultFile), { recursive: true })
writeFileSync(resultFile, JSON.stringify(result))
process.exit(0)
