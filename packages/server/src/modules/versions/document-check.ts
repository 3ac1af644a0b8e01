// Reports the problems of a document as an error, each with its position.
import { ApiError } from '@botstead/contract'
import {
  type AuthoredDocument,
  DocumentError,
  checkDocument as findProblems,
  type Problem,
} from '@botstead/flows'

const maxProblems = 100

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
    problems: found.slice(0, maxProblems).map(({ pointer, message }) => ({
      pointer: pointer.slice(0, 500),
      message: message.slice(0, 500),
    })),
  }
  return new ApiError('InvalidPayload', `botJson${first?.pointer} ${first?.message}${more}`, {
    metadata,
  })
}
