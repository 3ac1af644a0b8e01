// Checks of knowledge as a file: questions with the document or text that should answer them. The dashboard
// and `botstead test` read and write it.
//
//   knowledgeChecks:
//     - question: When are you open?
//       expectedText: from 9 to 5        part of the answer
//     - question: May I return an item?
//       expectedFile: returns.md         key of the document, or its end
import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  stringify,
} from 'yaml'
import { DocumentSyntaxError } from './document-text.ts'

/** As the API has them. */
export interface WrittenCheck {
  question: string
  expectedFile?: string
  expectedText?: string
}

/** Bounds of the API, in characters. */
const bounds = { question: 1_000, expectedFile: 1_024, expectedText: 1_000 }
type Field = keyof typeof bounds
const fields = Object.keys(bounds) as Field[]

const maxChecks = 2_000

/** Returns the text of a file with these checks. */
export const writeKnowledgeChecks = (checks: WrittenCheck[]): string =>
  stringify({ knowledgeChecks: checks.map(toWritten) }, { lineWidth: 0 })

/** Leaves out other fields, such as ids and results. */
const toWritten = (check: WrittenCheck) =>
  Object.fromEntries(
    fields.flatMap((field) =>
      check[field] === undefined ? [] : [[field, check[field]]],
    ),
  )

/** Whether a YAML or JSON text is a file of checks, and no conversation script. */
export const hasKnowledgeChecks = (text: string): boolean =>
  /^(?:\s*\{\s*)?["']?knowledgeChecks["']?\s*:/m.test(text)

/** Reads a file in YAML or JSON. Throws DocumentSyntaxError, with the position, for an invalid one. */
export function parseKnowledgeChecks(text: string): (WrittenCheck & { line: number })[] {
  const lineCounter = new LineCounter()
  // All values are texts: YAML would read the expected text 24.90 as the number 24.9.
  const options = { lineCounter, prettyErrors: false, schema: 'failsafe' as const }
  const { contents, errors } = parseDocument(text, options)
  const reject: Reject = (message, at) => {
    const { line, col: column } = lineCounter.linePos(at ?? 0)
    throw new DocumentSyntaxError(message, { line, column })
  }
  const [error] = errors
  if (error?.code === 'MULTIPLE_DOCS')
    reject('`knowledgeChecks` need a file of their own, without `---`', error.pos[0])
  if (error) reject(error.message, error.pos[0])
  const { knowledgeChecks: list } = toFields(contents, ['knowledgeChecks'], reject)
  if (!isSeq(list))
    return reject('`knowledgeChecks` must be a list', toOffset(list ?? contents))
  if (list.items.length > maxChecks)
    reject(`\`knowledgeChecks\` has more than ${maxChecks} entries`, toOffset(list))
  return list.items.map((item) => ({
    ...toCheck(item, reject),
    line: lineCounter.linePos(toOffset(item) ?? 0).line,
  }))
}

type Reject = (message: string, offset: number | undefined) => never

const toOffset = (node: unknown): number | undefined =>
  isNode(node) ? node.range?.[0] : undefined

/** Returns the values of a mapping by name. */
function toFields(
  node: unknown,
  known: readonly string[],
  reject: Reject,
): Record<string, unknown> {
  if (!isMap(node))
    return reject(`expected a mapping with ${known.join(', ')}`, toOffset(node))
  for (const { key } of node.items)
    if (!isScalar(key) || !known.includes(String(key.value)))
      reject(`"${key}" is not a known field. Use ${known.join(', ')}`, toOffset(key))
  return Object.fromEntries(node.items.map(({ key, value }) => [String(key), value]))
}

function toCheck(node: unknown, reject: Reject): WrittenCheck {
  const given = toFields(node, fields, reject)
  const texts = Object.entries(given).map(([name, value]) => {
    const text = isScalar(value) ? String(value.value ?? '') : ''
    if (text.trim() === '') reject(`\`${name}\` must be a text`, toOffset(value ?? node))
    const max = bounds[name as Field]
    if (text.length > max)
      reject(`\`${name}\` has more than ${max} characters`, toOffset(value))
    return [name, text]
  })
  const check: WrittenCheck = Object.fromEntries(texts)
  if (check.question === undefined) reject('the check has no `question`', toOffset(node))
  if (check.expectedFile === undefined && check.expectedText === undefined)
    reject('the check needs `expectedFile`, `expectedText` or both', toOffset(node))
  return check
}
