// Validates values against schemas.
import {
  findMismatchHere,
  type JsonSchema,
  rejectInvalidSchemas as rejectInvalid,
} from './text/json-schemas.ts'

/** Threads have a low priority, so a busy machine may take a multiple of an ordinary time. */
const timeoutMs = 3_000

export const findMismatch = ({ schema, value }: { schema: JsonSchema; value: unknown }) =>
  findMismatchHere(schema, value, timeoutMs)

/** The schemas are JSON: copying them as values would occupy the main thread for longer. */
export const rejectInvalidSchemas = (json: string) =>
  rejectInvalid(JSON.parse(json), timeoutMs)
