// Validates values against schemas.
import {
  findMismatch as findMismatchIn,
  type JsonSchema,
  rejectInvalidSchemas as rejectInvalid,
} from '../lib/index.ts'

/** Threads have a low priority, so a busy machine may take a multiple of an ordinary time. */
const timeoutMs = 3_000

export const findMismatch = ({ schema, value }: { schema: JsonSchema; value: unknown }) =>
  findMismatchIn(schema, value, timeoutMs)

/** The schemas are JSON: copying them as values would occupy the main thread for longer. */
export const rejectInvalidSchemas = (json: string) => rejectInvalid(JSON.parse(json), timeoutMs)
