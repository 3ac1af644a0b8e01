import { type Static, Type as T } from 'typebox'
import { type ErrorType, errors } from '../errors.ts'
import { closed, Json } from '../fields.ts'

/** What a failed call is answered with. `code` is the HTTP status; `id` is what the server's log has it under. */
export const ErrorReply = closed({
  id: T.String(),
  code: T.Integer(),
  type: T.Enum(Object.keys(errors) as ErrorType[]),
  message: T.String(),
  metadata: T.Optional(Json),
})
export type ErrorReply = Static<typeof ErrorReply>
