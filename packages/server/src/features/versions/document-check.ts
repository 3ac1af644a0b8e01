// Checks documents in a thread, and reports their problems as an error, each with its position.
import { ApiError } from '@botstead/contract'
import { type AuthoredDocument, migrateDocument, type Problem } from '@botstead/flows'
import { toJsonInSlices } from '@botstead/lib'
import { compute } from '../../core/compute/index.ts'

/** Characters of JSON without the code of the bot. */
const maxCharacters = 5_000_000
/** The largest documents take some seconds; a busy machine takes several times as long. */
const deadlineMs = 30_000

/**
 * Returns the first problems of a document, or its first warnings if it has no problem. `hasModel`: of the
 * workspace, for texts.
 */
export async function inspectDocument(
  workspaceId: string,
  given: Record<string, unknown>,
  hasModel: boolean,
) {
  const text = await toText(workspaceId, given)
  if (!text) return { problems: [tooLong], warnings: [], isPartial: true }
  return compute.run(
    workspaceId,
    'inspectDocument',
    { ...text, hasModel },
    { deadlineMs },
  )
}

const tooLong: Problem = {
  pointer: '',
  message: `has more than ${maxCharacters} characters. Shorten it`,
}

/** Returns null for a document that is too long. */
async function toText(tenant: string, { code, ...rest }: Record<string, unknown>) {
  const others = typeof code === 'string' ? rest : { ...rest, code }
  const json = await toJsonInSlices(others, { tenant, max: maxCharacters })
  return json === null ? null : { json, ...(typeof code === 'string' && { code }) }
}

/** A document without problems. */
export interface CheckedDocument {
  document: AuthoredDocument
  /** Compiled from its flows; null for a document without flows. */
  code: string | null
}

const checked = new WeakMap<object, Promise<CheckedDocument>>()

/**
 * Checks each object once: a request does it before its transaction, which would wait for the thread, and may
 * run several times. Throws InvalidPayload with the problems in its metadata.
 */
export function checkBotDocument(
  workspaceId: string,
  given: Record<string, unknown>,
): Promise<CheckedDocument> {
  const known = checked.get(given)
  if (known) return known
  const check = compileDocument(workspaceId, given)
  checked.set(given, check)
  return check
}

async function compileDocument(
  workspaceId: string,
  given: Record<string, unknown>,
): Promise<CheckedDocument> {
  const text = await toText(workspaceId, given)
  if (!text) throw problemsError([tooLong])
  const compiled = await compute.run(workspaceId, 'compileDocument', text, { deadlineMs })
  if ('problems' in compiled) throw problemsError(compiled.problems, compiled.count)
  return { document: migrateDocument(given) as AuthoredDocument, code: compiled.code }
}

/** `found` may be the first of `count`. */
export function problemsError(found: Problem[], count = found.length): ApiError {
  const [first] = found
  const more = count > 1 ? `, and ${count - 1} more` : ''
  const metadata = {
    problems: found.map(({ pointer, message }) => ({ pointer, message })),
  }
  return new ApiError(
    'InvalidPayload',
    `botJson${first?.pointer} ${first?.message}${more}`,
    {
      metadata,
    },
  )
}
