// Checks and compiles documents of bots, and reads them back from compiled code.
import {
  type AuthoredDocument,
  checkDocument,
  compileCode,
  compileDocument,
  compileTests,
  DocumentError,
  documentIn,
  type FlowDocument,
  findGreetings,
  findWarnings,
  type Greeting,
  isFlowDocument,
  type Problem,
  shareNodes,
} from '@botstead/flows'

/** A document as JSON, apart from the code of a bot, which is long and not looked into. */
interface DocumentText {
  json: string
  code?: string
}

export interface Inspection {
  problems: Problem[]
  warnings: Problem[]
  /** Further problems may appear when these are corrected. */
  isPartial: boolean
}

const maxProblems = 100

/** Returns the first problems of a document, or its first warnings if it has no problem. */
export function inspectDocument({
  hasModel,
  ...text
}: DocumentText & { hasModel?: boolean }): Inspection {
  const { document, problems, isPartial } = compile(text, compileCode)
  if (problems.length === 0) {
    const warnings = isFlowDocument(document!) ? findWarnings(document, { hasModel }) : []
    return { problems, warnings: shown(warnings), isPartial }
  }
  return {
    problems: shown(problems),
    warnings: [],
    isPartial: isPartial || problems.length > maxProblems,
  }
}

/** Returns the code of a bot made of flows, null for another one. */
export function compileChecked(
  text: DocumentText,
): { code: string | null } | { problems: Problem[]; count: number } {
  const { code, problems } = compile(text, compileDocument)
  return problems.length === 0
    ? { code }
    : { problems: shown(problems), count: problems.length }
}

/**
 * Returns code that runs the tests of a document, null for one without flows. `count`: of its
 * tests.
 */
export function compileCheckedTests(
  text: DocumentText,
): { code: string | null; count: number } | { problems: Problem[]; count: number } {
  const { document, code, problems } = compile(text, compileTests)
  if (problems.length > 0) return { problems: shown(problems), count: problems.length }
  return { code, count: Object.keys(document!.tests ?? {}).length }
}

/** The result is JSON; null for code without a document. */
export function findDocument(code: Uint8Array): string | null {
  const document = documentIn(toText(code))
  return document && JSON.stringify(document)
}

/** The result is empty for code without a document. */
export function findChatGreetings(code: Uint8Array): Record<string, Greeting> {
  const document = documentIn(toText(code))
  return document ? findGreetings(document) : {}
}

const maxReferences = 100
const maxDepth = 50

/** Returns the paths where the document in the code names the integration: as `alias:name`. */
export const findReferences = ({
  code,
  alias,
}: {
  code: Uint8Array
  alias: string
}): string[] => referencesIn(documentIn(toText(code)), alias)

export function referencesIn(document: unknown, alias: string): string[] {
  const found: string[] = []
  const visit = (value: unknown, path: string, depth: number) => {
    if (found.length >= maxReferences || depth > maxDepth) return
    if (typeof value === 'string' && value.startsWith(`${alias}:`)) found.push(path)
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value))
        visit(item, path === '' ? name : `${path}.${name}`, depth + 1)
  }
  visit(document, '', 0)
  return found
}

const toText = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString()

interface Compiled<Code> {
  document: AuthoredDocument | null
  code: Code | null
  problems: Problem[]
  isPartial: boolean
}

function compile<Code>(
  { json, code }: DocumentText,
  write: (document: FlowDocument) => Code,
): Compiled<Code> {
  try {
    const given = { ...JSON.parse(json), ...(code !== undefined && { code }) }
    const document = checkDocument(shareNodes(given))
    const compiled = isFlowDocument(document) ? write(document) : null
    return { document, code: compiled, problems: [], isPartial: false }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const { problems, isPartial } = error
    return { document: null, code: null, problems, isPartial }
  }
}

/** Names and messages may repeat long parts of the document. */
const short = (text: string) => text.slice(0, 500)

const shown = (found: Problem[]): Problem[] =>
  found.slice(0, maxProblems).map(({ pointer, message, source }) => ({
    pointer: short(pointer),
    message: short(message),
    ...(source && {
      source: { ...source, file: short(source.file), message: short(source.message) },
    }),
  }))
