// Validates values against schemas.
import * as schemas from '../lib/text/json-schemas.ts'

/** Threads have a low priority, so a busy machine may take a multiple of an ordinary time. */
const timeoutMs = 3_000

export const findMismatch = ({ schema, value }: { schema: schemas.JsonSchema; value: unknown }) =>
  schemas.findMismatch(schema, value, timeoutMs)

/** The schemas are JSON: copying them as values would occupy the main thread for longer. */
export const rejectInvalidSchemas = (json: string) =>
  schemas.rejectInvalidSchemas(JSON.parse(json), timeoutMs)
