// Reports the problems of a document as an error, each with its position.
import { ApiError } from '@botstead/contract'
import {
  type AuthoredDocument,
  compileDocument,
  DocumentError,
  checkDocument as findProblems,
  findWarnings,
  isFlowDocument,
  type Problem,
} from '@botstead/flows'

const maxProblems = 100

interface Inspection {
  problems: Problem[]
  warnings: Problem[]
  /** Further problems may appear when these are corrected. */
  isPartial: boolean
}

/** Returns the first problems of a document, or its first warnings if it has no problem. */
export function inspectDocument(given: Record<string, unknown>): Inspection {
  try {
    const document = findProblems(given)
    if (!isFlowDocument(document)) return { problems: [], warnings: [], isPartial: false }
    compileDocument(document)
    return { problems: [], warnings: shown(findWarnings(document)), isPartial: false }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const { problems, isPartial } = error
    return {
      problems: shown(problems),
      warnings: [],
      isPartial: isPartial || problems.length > maxProblems,
    }
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

/** Throws InvalidPayload with the problems in its metadata. */
export function checkBotDocument(document: Record<string, unknown>): AuthoredDocument {
  return asApiError(() => findProblems(document))
}

/** Converts a DocumentError to InvalidPayload. */
export function asApiError<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw error instanceof DocumentError ? problemsError(error.problems) : error
  }
}

export function problemsError(found: Problem[]): ApiError {
  const [first] = found
  const more = found.length > 1 ? `, and ${found.length - 1} more` : ''
  const metadata = {
    problems: shown(found).map(({ pointer, message }) => ({ pointer, message })),
  }
  return new ApiError('InvalidPayload', `botJson${first?.pointer} ${first?.message}${more}`, {
    metadata,
  })
}
