// Validates form data without generated code, which the content security policy forbids.
import { type OutputUnit, Validator } from '@cfworker/json-schema'
import {
  createErrorHandler,
  type ErrorSchema,
  type RJSFSchema,
  type RJSFValidationError,
  toErrorSchema,
  unwrapErrorHandler,
  type ValidatorType,
  validationDataMerge,
} from '@rjsf/utils'

import { texts } from '../../texts/texts.ts'
import { type FieldSchema, formHint } from './field-widgets.ts'

type Schema = ConstructorParameters<typeof Validator>[0]

const findErrors = (schema: RJSFSchema, data: unknown): RJSFValidationError[] =>
  new Validator(schema as Schema, '7', false)
    .validate(data ?? {})
    .errors.filter(isOfField)
    .map((unit) => toFormError(schema, unit))

/** Containers repeat the errors of their properties. */
const isOfField = ({ keyword }: OutputUnit) =>
  !['properties', 'items', '$ref'].includes(keyword)

function toFormError(schema: RJSFSchema, unit: OutputUnit): RJSFValidationError {
  const { instanceLocation, keyword, error } = unit
  const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined
  const steps = [...instanceLocation.split('/').slice(1), ...(missing ? [missing] : [])]
  const message = toMessage(schema, unit)
  return { property: `.${steps.join('.')}`, name: keyword, message, stack: message }
}

function toMessage(
  schema: RJSFSchema,
  { keyword, keywordLocation, error }: OutputUnit,
): string {
  if (keyword === 'required') return texts.common.errors.required
  if (keyword !== 'pattern' && keyword !== 'format') return error
  const { example, colour, text } = formHint(schemaAt(schema, keywordLocation))
  if (example !== undefined)
    return colour
      ? texts.common.errors.colour(example)
      : texts.common.errors.example(example)
  return text === undefined ? error : texts.common.errors.form(text)
}

/** Returns the schema that has the keyword at this location, such as `#/properties/name/pattern`. */
function schemaAt(root: RJSFSchema, location: string): FieldSchema {
  const steps = location.split('/').slice(1, -1).map(unescaped)
  return steps.reduce<Record<string, unknown>>((at, step) => {
    const next = at[step]
    if (step === '$ref' && typeof next === 'string') return partAt(root, next)
    return (next ?? {}) as Record<string, unknown>
  }, root)
}

const partAt = (root: RJSFSchema, reference: string): Record<string, unknown> =>
  reference
    .split('/')
    .slice(1)
    .map(unescaped)
    .reduce<Record<string, unknown>>((at, step) => (at[step] ?? {}) as typeof at, root)

/** Of a step of a JSON pointer. */
const unescaped = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')

export const validator: ValidatorType = {
  validateFormData(formData, schema, customValidate, transformErrors, uiSchema) {
    const found = findErrors(schema, formData)
    const errors = transformErrors ? transformErrors(found, uiSchema) : found
    const data = { errors, errorSchema: toErrorSchema(errors) as ErrorSchema }
    if (!customValidate) return data
    const handler = customValidate(formData, createErrorHandler(formData), uiSchema)
    return validationDataMerge(data, unwrapErrorHandler(handler))
  },
  isValid(schema, formData, rootSchema) {
    const definitions = { definitions: rootSchema.definitions, $defs: rootSchema.$defs }
    return new Validator({ ...definitions, ...schema } as Schema, '7').validate(
      formData ?? null,
    ).valid
  },
  rawValidation: (schema, formData) => ({
    errors: findErrors(schema, formData) as never[],
  }),
}
