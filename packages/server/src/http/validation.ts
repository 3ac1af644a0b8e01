// Compiles the schemas of the contract, each when it is first needed: all of them would take a second or two of every start. Bodies are taken as they are: nothing is dropped, nothing is turned into something else.
// What comes in the address or in headers is text, and is turned into numbers and booleans where the contract wants them.
import { ApiError } from '@botstead/contract'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'

const addFormats = formats as unknown as (ajv: Ajv) => void
const make = (coerceTypes: boolean | 'array') => {
  const ajv = new Ajv({
    coerceTypes,
    removeAdditional: false,
    useDefaults: false,
    allErrors: false,
    strict: false,
    discriminator: false,
  })
  addFormats(ajv)
  return ajv
}
const asIs = make(false)
const fromText = make('array')

export type Check = (value: unknown) => void

export const bodyCheck = (schema: TSchema): Check =>
  check(() => asIs.compile(schema), 'InvalidPayload', 'body')
export const textCheck = (schema: TSchema, where: 'query' | 'params' | 'headers'): Check =>
  check(() => fromText.compile(schema), where === 'query' ? 'InvalidQuery' : 'InvalidPayload', where)

/** For tests: what we answer must be what the contract promises. */
export const answerCheck = (schema: TSchema): Check => check(() => asIs.compile(schema), 'Internal', 'answer')

function check(
  compile: () => ValidateFunction,
  type: 'InvalidPayload' | 'InvalidQuery' | 'Internal',
  where: string,
): Check {
  let validate: ValidateFunction | null = null
  return (value) => {
    validate ??= compile()
    if (!validate(value)) throw new ApiError(type, `${where}${describe(validate.errors?.at(-1))}`)
  }
}

function describe(error: ErrorObject | undefined) {
  if (!error) return ' is invalid'
  const detail =
    error.keyword === 'additionalProperties'
      ? `: ${error.params.additionalProperty}`
      : error.keyword === 'enum'
        ? `: ${error.params.allowedValues.join(', ')}`
        : ''
  return `${error.instancePath} ${error.message}${detail}`
}
