// Parses, merges and rewrites texts of drafts.
import { createHash } from 'node:crypto'
import {
  applyEdits,
  type DocumentEdit,
  DocumentEditError,
  type DocumentVersion,
  diffDocuments,
  editDocument,
  mergeTexts,
  type Overwritten,
} from '@botstead/flows/document-edits'
import { DocumentSyntaxError, parseText } from '@botstead/flows/document-text'

/** A text with the SHA-256 of its value, in which comments, layout and the order of keys do not count. */
export interface DraftText extends DocumentVersion {
  hash: Uint8Array
}

/** A text that is neither valid JSON nor YAML, or that cannot be merged. Counts from 1. */
export interface DraftProblem {
  problem: { message: string; line: number; column: number }
}

type MergedDraft = (DraftText & { overwritten: Overwritten[] }) | DraftProblem

/** Merges `mine` into `theirs`; both began as `base`. */
export const mergeDraft = (versions: {
  base: DocumentVersion
  mine: DocumentVersion
  theirs: DocumentVersion
}): MergedDraft =>
  explain(() => {
    // The merge need not parse the text of mine.
    parse(versions.mine)
    const { overwritten, ...merged } = mergeTexts(versions)
    return { ...toDraftText(merged), overwritten: overwritten.slice(0, maxOverwritten) }
  })

/** Returns a text of the document in JSON. With `now`, keeps the layout and comments of this text. */
export function writeDraft({
  json,
  now,
}: {
  json: string
  now: DocumentVersion | null
}): DraftText {
  const document = JSON.parse(json)
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (now)
    try {
      const edits = diffDocuments(parseText(now.text, now.format).value, document)
      return toDraftText({ ...now, text: editDocument(now.text, now.format, edits) })
    } catch (error) {
      // An alias of YAML can prevent it.
      if (!(error instanceof DocumentEditError)) throw error
    }
  return toDraftText({ text, format: 'JSON' })
}

/** Returns the document as JSON. */
export const readDraft = (version: DocumentVersion): { json: string } | DraftProblem =>
  explain(() => ({ json: JSON.stringify(parse(version)) }))

/** An edit that does not fit the text. `index`: of the edit, if one is at fault. */
interface EditFault {
  fault: { index: number; pointer: string; message: string }
}

/** Applies edits in order, all or none. They are `edits` of an object in JSON. */
export function editDraft({
  draft,
  json,
}: {
  draft: DocumentVersion
  json: string
}): DraftText | EditFault | DraftProblem {
  const { edits } = JSON.parse(json) as { edits: DocumentEdit[] }
  const fault = findFault(draft, edits)
  if (fault) return fault
  return explain(() =>
    toDraftText({ ...draft, text: editDocument(draft.text, draft.format, edits) }),
  )
}

function findFault(
  draft: DocumentVersion,
  edits: DocumentEdit[],
): EditFault | DraftProblem | null {
  const read = explain(() => ({ value: parse(draft) }))
  if ('problem' in read) return read
  let { value } = read
  for (const [index, edit] of edits.entries())
    try {
      rejectDeep(edit, 0)
      value = applyEdits(value, [edit])
    } catch (error) {
      if (error instanceof RangeError) return tooDeep(index, edit.pointer)
      if (!(error instanceof DocumentEditError)) throw error
      return { fault: { index, pointer: error.pointer, message: error.message } }
    }
  return null
}

const tooDeep = (index: number, pointer: string): EditFault => ({
  fault: { index, pointer, message: `${pointer} has more than ${maxDepth} levels` },
})

/**
 * Returns the JSON at a pointer into the document; null for a missing value. `keys` are those of
 * the value, for one that is longer than `max` characters.
 */
export const readPart = ({
  draft,
  pointer,
  max,
}: {
  draft: DocumentVersion
  pointer: string
  max: number
}): { json: string | null } | { keys: string[]; length: number } | DraftProblem =>
  explain(() => {
    const value = findValue(parse(draft), pointer)
    if (value === undefined) return { json: null }
    const json = JSON.stringify(value)
    if (json.length <= max) return { json }
    return { keys: Object.keys(value as object).slice(0, 500), length: json.length }
  })

function findValue(value: unknown, pointer: string): unknown {
  let found = value
  for (const key of pointer.split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

const maxOverwritten = 1_000

export function explain<Result>(work: () => Result): Result | DraftProblem {
  try {
    return work()
  } catch (error) {
    if (error instanceof DocumentSyntaxError)
      return { problem: { message: error.message, ...error.position } }
    if (error instanceof DocumentEditError)
      return { problem: { message: error.message, line: 1, column: 1 } }
    if (error instanceof RangeError)
      return {
        problem: {
          message: `The document has more than ${maxDepth} levels`,
          line: 1,
          column: 1,
        },
      }
    throw error
  }
}

/** Deeper documents would exhaust the stack of what reads them. */
const maxDepth = 200

/** Parses the text of a draft. Throws RangeError for a document with too many levels. */
export function parse({ text, format }: DocumentVersion): unknown {
  const { value } = parseText(text, format)
  rejectDeep(value, 0)
  return value
}

function rejectDeep(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > maxDepth) throw new RangeError()
  for (const child of Object.values(value)) rejectDeep(child, depth + 1)
}

export function toDraftText(version: DocumentVersion): DraftText {
  const hash = createHash('sha256')
  for (const part of stableParts(parse(version))) hash.update(part)
  return { ...version, hash: hash.digest() }
}

/** Yields JSON with its keys in order. */
function* stableParts(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) yield JSON.stringify(value)
  else if (Array.isArray(value)) {
    yield '['
    for (const item of value) {
      yield* stableParts(item)
      yield ','
    }
    yield ']'
  } else {
    yield '{'
    for (const key of Object.keys(value).sort()) {
      yield `${JSON.stringify(key)}:`
      yield* stableParts((value as Record<string, unknown>)[key])
      yield ','
    }
    yield '}'
  }
}
