// The pieces of code of a document: which there are, and what becomes of them. Each is TypeScript without imports, with `await` and `return` at its top.
// Types are taken out and blanks put in their place, so that every line and column stays the author's.
import { createRequire } from 'node:module'
import type { Source } from './code.ts'
import type { FlowDocument } from './document.ts'
import { escapePointer } from './json-places.ts'
import type { Problem } from './problems.ts'
import type { Code } from './shapes.ts'

export interface CodePlace {
  pointer: string
  /** Where it is not in the document itself. */
  file?: string
  text?: string
}

export function codePlaces(document: FlowDocument): CodePlace[] {
  const found: CodePlace[] = []
  const add = (pointer: string, code: Code) =>
    found.push(typeof code === 'string' ? { pointer, text: code } : { pointer, file: code.file })
  for (const [index, { code }] of (document.hooks ?? []).entries()) add(`/hooks/${index}/code`, code)
  for (const [name, { code }] of Object.entries(document.actions ?? {}))
    if (code !== undefined) add(`/actions/${escapePointer(name)}/code`, code)
  for (const [flow, { nodes }] of Object.entries(document.flows))
    for (const [node, { cards = [] }] of Object.entries(nodes))
      for (const [index, card] of cards.entries())
        if (card.type === 'code') add(`/flows/${flow}/nodes/${node}/cards/${index}/code`, card.code)
  return found
}

/** `./code/greet.ts` and `code/greet.ts` are one file. */
export const fileKey = (file: string) => file.replace(/^\.\//, '')

/** By their pointers, and what is wrong with the others. */
export function compileScripts(document: FlowDocument): {
  scripts: Record<string, Source>
  problems: Problem[]
} {
  const scripts: Record<string, Source> = {}
  const problems: Problem[] = []
  for (const { pointer, file, text } of codePlaces(document)) {
    const script = {
      file: file === undefined ? `bot.json#${pointer}` : fileKey(file),
      code: text ?? document.files?.[fileKey(file!)] ?? '',
    }
    try {
      scripts[pointer] = { ...script, code: withoutTypes(script.code) }
    } catch (error) {
      const { message, startLine } = error as { message: string; startLine?: number }
      problems.push({ pointer, message: `${script.file}${startLine ? `:${startLine}` : ''}: ${message}` })
    }
  }
  return { scripts, problems }
}

const [before, after] = ['(async () => {', '\n})']

/** Four megabytes: loaded when they are first needed. */
const load = createRequire(import.meta.url)
const stripper = '@swc/wasm-typescript'

function withoutTypes(source: string): string {
  const { transformSync } = load(stripper) as typeof import('@swc/wasm-typescript')
  try {
    return transformSync(before + source + after, { mode: 'strip-only' })
      .code.trimEnd()
      .slice(before.length, -after.length)
  } catch (error) {
    // What is too deep for its stack leaves it in disorder: whoever comes next gets another.
    if (error instanceof Error) delete load.cache[load.resolve(stripper)]
    throw error instanceof Error ? new Error('is nested too deeply') : error
  }
}
