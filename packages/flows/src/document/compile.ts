// Compiles a document to one CommonJS file: the bundled engine and the document. The server stores
// only this file and reads the document back from it (documentIn).
import { readFileSync } from 'node:fs'
import { checkDocument, isFlowDocument } from '../check/check.ts'
import { findLibraryNames } from '../code/library-names.ts'
import type { FlowDocument } from './document.ts'
import { DocumentError } from './problems.ts'
import type { Program } from './program.ts'
import { compileScripts } from './scripts.ts'

/** Deployed bots are recognized by this line: a change makes their documents unreadable. */
const first =
  '// A bot made of flows, by Botstead. What its author wrote stands in the next line; the rest is ' +
  'the engine.'
const [before, after] = ['const program = JSON.parse(', ');']

/** The code of each bot made of flows begins with this. The document is in the rest of the line. */
export const compiledStart = `${first}\n${before}`

const read = new Map<string, string>()
function textIn(bundle: 'engine' | 'engine-with-libraries' | 'tests'): string {
  const known = read.get(bundle)
  if (known !== undefined) return known
  const text = readFileSync(new URL(`../../dist/${bundle}.cjs`, import.meta.url), 'utf8')
  read.set(bundle, text)
  return text
}

/** Returns the code of the bot. Throws DocumentError for code that does not compile. */
export const compileDocument = (document: FlowDocument): string =>
  [
    first,
    programLine(document),
    textIn(findLibraryNames(document).size > 0 ? 'engine-with-libraries' : 'engine'),
    'exports.handler = botsteadFlows.runFlows(program);',
    '',
  ].join('\n')

/** Returns code that runs the tests of the document (test-bot.ts). Throws as compileDocument. */
export const compileTests = (document: FlowDocument): string =>
  [
    programLine(document),
    textIn('tests'),
    'exports.handler = botsteadTests.runTests(program);',
    '',
  ].join('\n')

/** Returns the scripts of the bot by JSON pointer. Throws as compileDocument. */
export function compileCode(document: FlowDocument): Program['scripts'] {
  const { scripts, problems } = compileScripts(document)
  if (problems.length) throw new DocumentError(problems)
  return scripts
}

function programLine(document: FlowDocument): string {
  const program: Program = { document, scripts: compileCode(document) }
  return before + JSON.stringify(JSON.stringify(program)) + after
}

/**
 * Returns the document in a bot's code, or null if the code does not come from `compile`. Takes seconds for
 * the longest code.
 */
export function documentIn(code: string): FlowDocument | null {
  if (!code.startsWith(compiledStart)) return null
  const begin = compiledStart.length
  const line = code.slice(begin, code.indexOf('\n', begin))
  try {
    const document = checkDocument(
      (JSON.parse(JSON.parse(line.slice(0, -after.length))) as Program).document,
    )
    return isFlowDocument(document) ? document : null
  } catch (error) {
    if (
      error instanceof DocumentError ||
      error instanceof SyntaxError ||
      error instanceof TypeError
    )
      return null
    throw error
  }
}
