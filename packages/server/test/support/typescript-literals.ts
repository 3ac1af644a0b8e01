// Checks values against types of TypeScript, for packages that have no schemas: the compiler reads them as
// literals, and thus also reports fields that the types do not have.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

export interface TypedValue {
  /** Of the problems. */
  name: string
  /** Refers to the imports. */
  type: string
  /** As JSON. */
  value: unknown
}

/**
 * Returns the problems of the values that do not have their types, each with the name of its value.
 * `imports`: lines of TypeScript.
 */
export async function findMistyped(
  imports: string,
  values: TypedValue[],
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'botstead-types-'))
  try {
    await symlink(modules, join(folder, 'node_modules'), 'junction')
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    // One file each, which problems then name.
    const files = values.map((_, i) => join(folder, `value${i}.ts`))
    const write = ({ type, value }: TypedValue, i: number) =>
      writeFile(
        files[i]!,
        `${imports}\nexport const value: ${type} = ${JSON.stringify(value)}\n`,
      )
    await Promise.all(values.map(write))
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--preserveSymlinks']
    const target = ['--module', 'nodenext', '--target', 'esnext', '--types', 'node']
    const output = await run([...options, ...target, ...files], folder)
    return toProblems(output, values)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The compiler ends with a code for problems, which it prints. */
const run = (args: string[], cwd: string) =>
  new Promise<string>((resolve) => {
    const all = [tsc, '--pretty', 'false', ...args]
    execFile(process.execPath, all, { cwd }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })

/** Details of a problem are indented below it. */
const toProblems = (output: string, values: TypedValue[]): string[] =>
  output
    .trim()
    .split(/\n(?! )/)
    .filter((problem) => problem !== '')
    .map((problem) =>
      problem.replace(
        /^.*value(\d+)\.ts\(.*?\): error /,
        (_, i) => `${values[Number(i)]!.name}: `,
      ),
    )
