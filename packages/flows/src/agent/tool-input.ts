// Validates the input of tools, which models write, with the JSON Schemas of the tools.
import type { ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonSchema } from '../document/shapes.ts'
import type { Json } from '../engine/platform.ts'

const maxErrors = 5
const validators = new WeakMap<JsonSchema, ValidateFunction>()

/** Returns the reason for which the input is not valid, otherwise null. */
export async function inputFault(
  schema: JsonSchema,
  input: Json,
): Promise<string | null> {
  const validate = await compileValidator(schema)
  if (validate(input)) return null
  return (validate.errors ?? [])
    .slice(0, maxErrors)
    .map(({ instancePath, message = 'is not valid', params }) => {
      const property =
        params.additionalProperty === undefined ? '' : ` ("${params.additionalProperty}")`
      return `${instancePath || 'the input'} ${message}${property}`
    })
    .join('; ')
}

/** Loads the validator on first use, because it takes long and most bots have no agent. */
async function compileValidator(schema: JsonSchema): Promise<ValidateFunction> {
  const known = validators.get(schema)
  if (known) return known
  const { compileSchema } = await import('../check/schema-validator.ts')
  const validate = compileSchema(schema)
  validators.set(schema, validate)
  return validate
}
