// Checks the types of the code files beside a document before deployment, with the author's
// TypeScript. Without TypeScript or `.ts` files it checks nothing.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { declarationsFile, type FlowDocument, toDeclarations } from '@botstead/flows'
import { CliError } from '../failure.ts'

/** Without the DOM library, which declares a global `event`. */
const options = {
  target: 'ES2023',
  lib: ['ES2023'],
  module: 'ESNext',
  moduleResolution: 'Bundler',
  moduleDetection: 'force',
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
}

/** Wraps the author's code, which is the body of a function. Line numbers stay the same. */
const [before, after] = ['export default async () => {', '\n}\n']

type TypeCheck = 'checked' | 'no TypeScript' | 'nothing to check'

/**
 * Checks the types and prints each error. Throws Failure if there are errors. Also writes the
 * declarations file and, if there is none, a `tsconfig.json`, both for editors.
 */
export function checkTypes(path: string, document: FlowDocument): TypeCheck {
  const files = Object.entries(document.files ?? {}).filter(([name]) =>
    name.endsWith('.ts'),
  )
  if (files.length === 0) return 'nothing to check'
  const folder = dirname(resolve(path))
  const declarations = toDeclarations(document)
  writeFileSync(join(folder, declarationsFile), declarations)
  if (!existsSync(join(folder, 'tsconfig.json')))
    writeFileSync(
      join(folder, 'tsconfig.json'),
      `${JSON.stringify({ compilerOptions: options }, null, 2)}\n`,
    )
  const compiler = findCompiler(folder)
  if (!compiler) return 'no TypeScript'
  const errors = compileIn(folder, compiler, [
    [declarationsFile, declarations],
    ...files.map(([name, text]) => [name, before + text + after] as [string, string]),
  ])
  if (errors.length === 0) return 'checked'
  for (const error of errors) console.error(error)
  throw new CliError(
    `the code of ${path} has ${errors.length === 1 ? 'one type error' : `${errors.length} type errors`}`,
  )
}

/**
 * Returns the path of `tsc`: the author's, of the working directory, or of this installation; null
 * without any.
 */
function findCompiler(folder: string): string | null {
  for (const from of [
    join(folder, 'x'),
    join(process.cwd(), 'x'),
    import.meta.filename,
  ]) {
    try {
      const found = createRequire(from).resolve('typescript/package.json')
      const { bin } = JSON.parse(readFileSync(found, 'utf8')) as { bin: { tsc: string } }
      return join(dirname(found), bin.tsc)
    } catch {
      // Not installed there.
    }
  }
  return null
}

function compileIn(
  folder: string,
  compiler: string,
  files: [name: string, text: string][],
): string[] {
  const temporary = mkdtempSync(join(tmpdir(), 'botstead-types-'))
  try {
    for (const [name, text] of files) {
      mkdirSync(dirname(join(temporary, name)), { recursive: true })
      writeFileSync(join(temporary, name), text)
    }
    // Types of libraries that the author installed.
    const paths = {
      '*': [join(folder, 'node_modules/*'), join(folder, 'node_modules/@types/*')],
    }
    writeFileSync(
      join(temporary, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { ...options, pretty: false, paths },
        include: ['**/*.ts'],
      }),
    )
    const { stdout, error } = spawnSync(process.execPath, [compiler, '-p', temporary], {
      cwd: temporary,
      encoding: 'utf8',
    })
    if (error) throw new CliError(`cannot run TypeScript: ${error.message}`)
    return stdout.split('\n').filter(Boolean).map(asWritten)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/**
 * Converts `code/a.ts(1,40): error TS…` to `code/a.ts:1:12 error TS…`, with the column in the
 * author's file.
 */
const asWritten = (line: string) =>
  line.replace(
    /^(.+?)\((\d+),(\d+)\): /,
    (_, file, row, column) =>
      `${file}:${row}:${row === '1' ? Math.max(1, Number(column) - before.length) : column} `,
  )
