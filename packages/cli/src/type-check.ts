// The code files beside a document, checked by the TypeScript that its author has: then what is wrong is told before anybody talks to the bot. Without one, or
// without code in TypeScript, nothing is checked here.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { declarationsFile, declarationsOf, type FlowDocument } from '@botstead/flows'
import { Failure } from './failure.ts'

/** Not the browser's library, which has an `event` of its own. */
const options = {
  ...{
    target: 'ES2023',
    lib: ['ES2023'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    moduleDetection: 'force',
    types: [],
  },
  ...{ strict: true, noEmit: true, skipLibCheck: true },
}

/** The author's code is the body of a function, begun on its first line. */
const [before, after] = ['export default async () => {', '\n}\n']

export type TypeCheck = 'checked' | 'no TypeScript' | 'nothing to check'

/** Also writes what editors read: the file of types, and how to take it, where nobody has said that yet. Throws Failure for code that is wrong; each fault is printed before. */
export function checkTypes(path: string, document: FlowDocument): TypeCheck {
  const files = Object.entries(document.files ?? {}).filter(([name]) => name.endsWith('.ts'))
  if (files.length === 0) return 'nothing to check'
  const folder = dirname(resolve(path))
  const declarations = declarationsOf(document)
  writeFileSync(join(folder, declarationsFile), declarations)
  if (!existsSync(join(folder, 'tsconfig.json')))
    writeFileSync(join(folder, 'tsconfig.json'), `${JSON.stringify({ compilerOptions: options }, null, 2)}\n`)
  const compiler = findCompiler(folder)
  if (!compiler) return 'no TypeScript'
  const faults = compileIn(folder, compiler, [
    [declarationsFile, declarations],
    ...files.map(([name, text]) => [name, before + text + after] as [string, string]),
  ])
  if (faults.length === 0) return 'checked'
  for (const fault of faults) console.error(fault)
  throw new Failure(
    `the code of ${path} is wrong in ${faults.length === 1 ? 'one place' : `${faults.length} places`}`,
  )
}

/** The author's own, or the one beside us. */
function findCompiler(folder: string): string | null {
  for (const from of [join(folder, 'x'), join(process.cwd(), 'x'), import.meta.filename]) {
    try {
      const found = createRequire(from).resolve('typescript/package.json')
      const { bin } = JSON.parse(readFileSync(found, 'utf8')) as { bin: { tsc: string } }
      return join(dirname(found), bin.tsc)
    } catch {
      // none is installed there: the next place
    }
  }
  return null
}

function compileIn(folder: string, compiler: string, files: [name: string, text: string][]): string[] {
  const place = mkdtempSync(join(tmpdir(), 'botstead-types-'))
  try {
    for (const [name, text] of files) {
      mkdirSync(dirname(join(place, name)), { recursive: true })
      writeFileSync(join(place, name), text)
    }
    // Libraries that the author has installed are known by their types.
    const paths = { '*': [join(folder, 'node_modules/*'), join(folder, 'node_modules/@types/*')] }
    writeFileSync(
      join(place, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...options, pretty: false, paths }, include: ['**/*.ts'] }),
    )
    const { stdout, error } = spawnSync(process.execPath, [compiler, '-p', place], {
      cwd: place,
      encoding: 'utf8',
    })
    if (error) throw new Failure(`TypeScript could not run: ${error.message}`)
    return stdout.split('\n').filter(Boolean).map(asWritten)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** `code/a.ts(1,40): error TS…` as `code/a.ts:1:12 error TS…`. */
const asWritten = (line: string) =>
  line.replace(
    /^(.+?)\((\d+),(\d+)\): /,
    (_, file, row, column) =>
      `${file}:${row}:${row === '1' ? Math.max(1, Number(column) - before.length) : column} `,
  )
