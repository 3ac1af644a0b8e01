// A document becomes one CommonJS file like any bot's: the engine as it was bundled at our own build, and the document. The file is all there is of it on the
// server, so the document is read out of it again.
import { readFileSync } from 'node:fs'
import { checkDocument, isFlowDocument } from './check.ts'
import type { Source } from './code.ts'
import type { FlowDocument } from './document.ts'
import { DocumentError } from './problems.ts'
import { compileScripts } from './scripts.ts'

/** What the engine is given. */
export interface Program {
  document: FlowDocument
  /** By the pointer of the code that each comes from. */
  scripts: Record<string, Source>
}

const first =
  '// A bot made of flows, by Botstead. What its author wrote stands in the next line; the rest is the engine.'
const [before, after] = ['const program = JSON.parse(', ');']

let engine: string | undefined
const engineText = () => {
  engine ??= readFileSync(new URL('../dist/engine.cjs', import.meta.url), 'utf8')
  return engine
}

/** Throws DocumentError. */
export function compile(document: FlowDocument): string {
  const { scripts, problems } = compileScripts(document)
  if (problems.length) throw new DocumentError(problems)
  const program: Program = { document, scripts }
  return [
    first,
    before + JSON.stringify(JSON.stringify(program)) + after,
    engineText(),
    'exports.handler = botsteadFlows.runFlows(program);',
    '',
  ].join('\n')
}

/** Null where a bot's code is not of our making. Throws DocumentError for a document that only looks like ours. */
export function documentIn(code: string): FlowDocument | null {
  if (!code.startsWith(`${first}\n${before}`)) return null
  const begin = first.length + 1 + before.length
  const line = code.slice(begin, code.indexOf('\n', begin))
  try {
    const document = checkDocument((JSON.parse(JSON.parse(line.slice(0, -after.length))) as Program).document)
    return isFlowDocument(document) ? document : null
  } catch (error) {
    if (error instanceof DocumentError || error instanceof SyntaxError || error instanceof TypeError)
      return null
    throw error
  }
}
