import { type Static, Type as T } from 'typebox'
import { type ErrorType, errors } from '../errors.ts'
import { closed, Json } from '../fields.ts'

/**
 * The body of an error response. `code` is the HTTP status; `id` also appears in the server's log.
 * @component
 */
export const ErrorReply = closed({
  id: T.String(),
  code: T.Integer(),
  type: T.Enum(Object.keys(errors) as ErrorType[]),
  message: T.String(),
  metadata: T.Optional(Json),
  /** Only in the OpenAI-compatible API, whose clients read it. */
  error: T.Optional(Json),
})
export type ErrorReply = Static<typeof ErrorReply>
