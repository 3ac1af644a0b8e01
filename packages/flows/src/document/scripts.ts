// Finds and compiles the code of a document: TypeScript without imports, with `await` and `return`
// at the top level. Types are replaced by blanks, so that lines and columns stay the same.
import { createRequire } from 'node:module'
import { onceForText } from '../code/once-for-text.ts'
import type { FlowDocument } from './document.ts'
import { escapePointer } from './pointer.ts'
import type { Problem } from './problems.ts'
import type { Source } from './program.ts'
import type { Code } from './shapes.ts'

interface CodeLocation {
  pointer: string
  /** Path of the code file; absent for inline code. */
  file?: string
  text?: string
}

export function codeLocations(document: FlowDocument): CodeLocation[] {
  const found: CodeLocation[] = []
  const add = (pointer: string, code: Code) =>
    found.push(
      typeof code === 'string' ? { pointer, text: code } : { pointer, file: code.file },
    )
  for (const [index, { code }] of (document.hooks ?? []).entries())
    add(`/hooks/${index}/code`, code)
  for (const [name, { code }] of Object.entries(document.actions ?? {}))
    if (code !== undefined) add(`/actions/${escapePointer(name)}/code`, code)
  for (const [flow, { nodes }] of Object.entries(document.flows))
    for (const [node, { cards = [] }] of Object.entries(nodes))
      for (const [index, card] of cards.entries())
        if (card.type === 'code')
          add(`/flows/${flow}/nodes/${node}/cards/${index}/code`, card.code)
  return found
}

/** Normalizes a path: `./code/greet.ts` and `code/greet.ts` are the same file. */
export const fileKey = (file: string) => file.replace(/^\.\//, '')

/** Returns the compiled scripts by JSON pointer, and the problems of those that do not compile. */
export function compileScripts(document: FlowDocument): {
  scripts: Record<string, Source>
  problems: Problem[]
} {
  const scripts: Record<string, Source> = {}
  const problems: Problem[] = []
  for (const { pointer, file, text } of codeLocations(document)) {
    const script = {
      file: file === undefined ? `bot.json#${pointer}` : fileKey(file),
      code: text ?? document.files?.[fileKey(file!)] ?? '',
    }
    try {
      scripts[pointer] = { ...script, code: withoutTypes(script.code) }
    } catch (error) {
      const { message, ...at } = error as SwcError
      const position = positionIn(script.code, at)
      const place = position ? `:${position.line}:${position.column}` : ''
      problems.push({
        pointer,
        message: `${script.file}${place}: ${message}`,
        ...(position &&
          file !== undefined && { source: { file: script.file, ...position, message } }),
      })
    }
  }
  return { scripts, problems }
}

interface SwcError {
  message: string
  startLine?: number
  startColumn?: number
}

/**
 * Converts the position of an error to one in the author's code. The compiler counts columns from 0, and
 * a tab as four. An error behind the code, such as a missing brace, is at its end.
 */
function positionIn(
  code: string,
  { startLine, startColumn = 0 }: Omit<SwcError, 'message'>,
) {
  if (startLine === undefined) return null
  const lines = code.trimEnd().split('\n')
  if (startLine > lines.length)
    return { line: lines.length, column: lines.at(-1)!.length + 1 }
  const line = lines[startLine - 1]!
  let [left, column] = [startLine === 1 ? startColumn - before.length : startColumn, 0]
  while (left > 0 && column < line.length) left -= line[column++] === '\t' ? 4 : 1
  return { line: startLine, column: column + 1 }
}

const [before, after] = ['(async () => {', '\n})']

/** Loads the stripper on first use, because it has four megabytes. */
const load = createRequire(import.meta.url)
const stripper = '@swc/wasm-typescript'

/** Also used for all code of a document, of which an author changes little between two checks. */
const withoutTypes = onceForText((source): string => {
  const { transformSync } = load(stripper) as typeof import('@swc/wasm-typescript')
  try {
    return transformSync(before + source + after, { mode: 'strip-only' })
      .code.trimEnd()
      .slice(before.length, -after.length)
  } catch (error) {
    // A stack overflow corrupts the WebAssembly instance, so the next call must load a new one.
    if (error instanceof Error) delete load.cache[load.resolve(stripper)]
    throw error instanceof Error ? new Error('The code is nested too deeply') : error
  }
})
