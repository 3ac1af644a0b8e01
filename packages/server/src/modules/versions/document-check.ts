// Checks documents in a thread, and reports their problems as an error, each with its position.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '@botstead/contract'
import { type AuthoredDocument, migrateDocument, type Problem } from '@botstead/flows'
import { compute } from '../../infra/compute/compute.ts'
import type { DocumentText, Inspection } from '../../infra/compute/document-tasks.ts'

/** Characters of JSON without the code of the bot. */
const maxCharacters = 5_000_000
/** The largest documents take some seconds; a busy machine takes several times as long. */
const deadlineMs = 30_000

/** Returns the first problems of a document, or its first warnings if it has no problem. */
export async function inspectDocument(
  workspaceId: string,
  given: Record<string, unknown>,
): Promise<Inspection> {
  const text = await toText(given)
  if (!text) return { problems: [tooLong], warnings: [], isPartial: true }
  return compute.run(workspaceId, 'inspectDocument', text, { deadlineMs })
}

const tooLong: Problem = {
  pointer: '',
  message: `has more than ${maxCharacters} characters. Shorten it`,
}

/** Returns null for a document that is too long. */
async function toText({ code, ...rest }: Record<string, unknown>): Promise<DocumentText | null> {
  const others = typeof code === 'string' ? rest : { ...rest, code }
  if (isLonger(others, maxCharacters)) return null
  await nextTurn()
  const json = JSON.stringify(others)
  await nextTurn()
  return { json, ...(typeof code === 'string' && { code }) }
}

/** Counts without writing JSON: at most as many steps as characters. */
function isLonger(value: unknown, limit: number): boolean {
  let left = limit
  const count = (part: unknown): boolean => {
    left -= typeof part === 'string' ? part.length + 3 : 2
    if (typeof part !== 'object' || part === null) return left >= 0
    if (Array.isArray(part)) return part.every(count)
    for (const key in part) {
      left -= key.length + 4
      if (!count((part as Record<string, unknown>)[key])) return false
    }
    return left >= 0
  }
  return !count(value)
}

/** A document without problems. */
export interface CheckedDocument {
  document: AuthoredDocument
  /** Compiled from its flows; null for a document without flows. */
  code: string | null
}

/** Throws InvalidPayload with the problems in its metadata. */
export async function checkBotDocument(
  workspaceId: string,
  given: Record<string, unknown>,
): Promise<CheckedDocument> {
  const text = await toText(given)
  if (!text) throw problemsError([tooLong])
  const compiled = await compute.run(workspaceId, 'compileDocument', text, { deadlineMs })
  if ('problems' in compiled) throw problemsError(compiled.problems, compiled.count)
  return { document: migrateDocument(given) as AuthoredDocument, code: compiled.code }
}

/** `found` may be the first of `count`. */
export function problemsError(found: Problem[], count = found.length): ApiError {
  const [first] = found
  const more = count > 1 ? `, and ${count - 1} more` : ''
  const metadata = { problems: found.map(({ pointer, message }) => ({ pointer, message })) }
  return new ApiError('InvalidPayload', `botJson${first?.pointer} ${first?.message}${more}`, {
    metadata,
  })
}
