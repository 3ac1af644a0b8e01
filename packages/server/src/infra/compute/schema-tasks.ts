// Validates values against schemas.
import * as schemas from '../lib/json-schemas.ts'

export const findMismatch = ({ schema, value }: { schema: schemas.JsonSchema; value: unknown }) =>
  schemas.findMismatch(schema, value)

/** The schemas are JSON: copying them as values would occupy the main thread for longer. */
export const rejectInvalidSchemas = (json: string) => schemas.rejectInvalidSchemas(JSON.parse(json))
