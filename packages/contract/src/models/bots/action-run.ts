import { type Static, Type as T } from 'typebox'
import { closed, Json, nullable } from '../../fields.ts'

/**
 * A call of an action that reached its handler, and the result. Large inputs and outputs are
 * truncated.
 * @component
 */
export const ActionRun = closed({
  timestamp: T.String(),
  /** Absent for an action of the bot. */
  integrationName: T.Optional(T.String()),
  actionType: T.String(),
  input: Json,
  inputTruncated: T.Optional(T.Boolean()),
  output: nullable(Json),
  outputTruncated: T.Optional(T.Boolean()),
  status: T.Enum(['SUCCESS', 'FAILURE']),
  durationMs: T.Number(),
  cached: T.Boolean(),
  errorMessage: T.Optional(nullable(T.String())),
})
export type ActionRun = Static<typeof ActionRun>
