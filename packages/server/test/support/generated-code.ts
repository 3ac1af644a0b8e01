// Code that command lines generate from the server's definitions, and a check that it compiles.
// The versions of `zui` are those in released command lines; 0.8.x converts with a different library.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const nodeModules = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

/** The common functions of all `zui` versions. */
interface ZuiSchema {
  toTypescriptSchema?(): string
  toTypescriptType?(): string
  toTypescript?(): string
}
type FromJsonSchema = (schema: unknown) => ZuiSchema

/** From the oldest that generates TypeScript to the newest on npm. */
export const converters: Record<string, FromJsonSchema> = {
  'zui 0.12': require('zui-0.12').z.fromJsonSchema,
  'zui 0.17': require('zui-0.17').z.fromJsonSchema,
  'zui 1.3': require('@bpinternal/zui').transforms.fromJSONSchema,
  'zui 1.3, legacy': require('@bpinternal/zui').transforms.fromJSONSchemaLegacy,
  'zui 2.1': require('zui-2.1').transforms.fromJSONSchema,
  'zui 2.1, legacy': require('zui-2.1').transforms.fromJSONSchemaLegacy,
}

export type PackageDefinition = Record<string, unknown> & {
  name: string
  version: string
}

/** Every JSON Schema of a definition, by its path. */
export function schemasIn(value: unknown, path = ''): [path: string, schema: unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]): [string, unknown][] =>
    key === 'schema' ? [[path, inner]] : schemasIn(inner, `${path}/${key}`),
  )
}

const packaged = {
  integration: [
    'user',
    'configuration',
    'configurations',
    'actions',
    'channels',
    'events',
    'states',
    'entities',
  ],
  interface: ['entities', 'events', 'actions', 'channels'],
  plugin: [
    'configuration',
    'user',
    'conversation',
    'message',
    'actions',
    'events',
    'states',
  ],
}
export type GeneratedPackageKind = keyof typeof packaged

/** The module that `bp add` writes: an SDK package with schemas as code. */
export function packageSource(
  kind: GeneratedPackageKind,
  definition: PackageDefinition,
  convert: FromJsonSchema,
): string {
  const type = `${kind[0]!.toUpperCase()}${kind.slice(1)}Package`
  const parts = ['name', 'version', ...packaged[kind]].filter(
    (part) => definition[part] !== undefined,
  )
  return [
    `import * as sdk from '@botpress/sdk'`,
    `import { z } from '@botpress/sdk'`,
    'export default {',
    ...parts.map((part) => `  ${part}: ${source(definition[part], convert)},`),
    `} satisfies sdk.${type}['definition']`,
  ].join('\n')
}

function source(value: unknown, convert: FromJsonSchema): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value)
  const members = Object.entries(value).map(([key, inner]) => {
    const written =
      key === 'schema' ? schemaSource(convert(inner)) : source(inner, convert)
    return `${JSON.stringify(key)}: ${written}`
  })
  return `{ ${members.join(', ')} }`
}

export const schemaSource = (schema: ZuiSchema) =>
  schema.toTypescriptSchema?.() ?? schema.toTypescript!()

/** One type for each schema, as in the typings of bots and integrations. */
export const typesSource = (definition: PackageDefinition, convert: FromJsonSchema) =>
  schemasIn(definition)
    .map(([, schema], n) => {
      const converted = convert(schema)
      return `export type T${n} = ${converted.toTypescriptType?.() ?? converted.toTypescript!()}`
    })
    .join('\n')

/** The output of `bp add` 0.8.40 and 0.8.59, made with their code, which is the same in both. */
export async function oldestPackage(
  integration: PackageDefinition,
  folder: string,
): Promise<Record<string, string>> {
  const {
    generateIntegrationInstance,
  } = require('@botpress/cli/dist/code-generation/index.js')
  const files: { path: string; content: string }[] = await generateIntegrationInstance(
    integration,
    folder,
  )
  return Object.fromEntries(
    files
      .filter(({ path }) => path.endsWith('.ts'))
      .map(({ path, content }) => [path, content]),
  )
}

/** Returns the compiler's errors. `sdk` is the folder of the SDK to compile against. */
export async function compileErrors(
  files: Record<string, string>,
  sdk = join(nodeModules, '@botpress/sdk'),
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'botstead-generated-'))
  try {
    await mkdir(join(folder, 'node_modules/@botpress'), { recursive: true })
    await symlink(sdk, join(folder, 'node_modules/@botpress/sdk'))
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    return await run(join(nodeModules, '.bin/tsc'), folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const oldestSdk = join(
  nodeModules,
  '../tools/official-cli/node_modules/@botpress/sdk',
)

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
}

const run = (command: string, cwd: string) =>
  new Promise<string>((resolve) => {
    execFile(command, ['-p', '.'], { cwd }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
