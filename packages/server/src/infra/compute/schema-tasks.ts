// Validates values against schemas.
import * as schemas from '../lib/json-schemas.ts'

export const findMismatch = ({ schema, value }: { schema: schemas.JsonSchema; value: unknown }) =>
  schemas.findMismatch(schema, value)

export const rejectInvalidSchemas = (all: [string, schemas.JsonSchema][]) =>
  schemas.rejectInvalidSchemas(all)
