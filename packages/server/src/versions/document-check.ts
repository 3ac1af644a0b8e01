// Whether a document is one of a bot: all that is wrong with it, each with its place, so that who keeps documents beside code can mend them in one go.
import { ApiError, BotDocument } from '@botstead/contract'
import { Ajv, type ErrorObject } from 'ajv'

const check = new Ajv({ allErrors: true, strict: false }).compile<BotDocument>(BotDocument)
const mostTold = 100

/** `pointer` is a JSON pointer into the document. */
export interface Problem {
  pointer: string
  message: string
}

/** Throws InvalidPayload, with the problems in its metadata. */
export function checkDocument(document: Record<string, unknown>): BotDocument {
  if (check(document)) return document
  throw problems((check.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf').map(problemOf))
}

export function problems(found: Problem[]): ApiError {
  const [first] = found
  const more = found.length > 1 ? `, and ${found.length - 1} more` : ''
  const metadata = { problems: found.slice(0, mostTold).map(({ pointer, message }) => ({ pointer: pointer.slice(0, 500), message: message.slice(0, 500) })) }
  return new ApiError('InvalidPayload', `botJson${first?.pointer} ${first?.message}${more}`, { metadata })
}

function problemOf({ instancePath, keyword, params, message = 'is wrong' }: ErrorObject): Problem {
  if (keyword === 'additionalProperties') return { pointer: `${instancePath}/${escapePointer(params.additionalProperty)}`, message: 'is not known' }
  if (keyword === 'required') return { pointer: `${instancePath}/${escapePointer(params.missingProperty)}`, message: 'is missing' }
  if (keyword === 'const') return { pointer: instancePath, message: `must be ${JSON.stringify(params.allowedValue)}` }
  if (keyword === 'enum') return { pointer: instancePath, message: `must be one of ${params.allowedValues.join(', ')}` }
  return { pointer: instancePath, message }
}

/** RFC 6901. */
export const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
