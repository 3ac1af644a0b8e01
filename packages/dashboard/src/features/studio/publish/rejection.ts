// Problems that the server finds in a draft, at places that people know: it names them by pointers.
import { RequestError } from '@botstead/client'
import {
  type DocumentProblem,
  DocumentRejected,
} from '../../../parts/forms/input-error.ts'
import { translateProblem } from '../../../texts/of-document.ts'
import { texts } from '../../../texts/texts.ts'
import type { Json } from '../flows/bot-document.ts'
import { describePlace } from '../flows/places.ts'

/** For a request about the draft. Throws the error, or DocumentRejected in its place. */
export function explainRejection(
  error: unknown,
  document: Json,
  title = texts.studio.publishRejected,
): never {
  const { problems } = ((error as RequestError).metadata ?? {}) as {
    problems?: DocumentProblem[]
  }
  if (!(error instanceof RequestError) || !Array.isArray(problems)) throw error
  throw new DocumentRejected(
    title,
    problems.map(({ pointer = '', message }) => ({
      place: describePlace(pointer, document),
      message: translateProblem(message),
    })),
  )
}
