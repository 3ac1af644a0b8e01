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

type Schema = ConstructorParameters<typeof Validator>[0]

const findErrors = (schema: RJSFSchema, data: unknown): RJSFValidationError[] =>
  new Validator(schema as Schema, '7', false)
    .validate(data ?? {})
    .errors.filter(isOfField)
    .map(toFormError)

/** Containers repeat the errors of their properties. */
const isOfField = ({ keyword }: OutputUnit) => !['properties', 'items', '$ref'].includes(keyword)

function toFormError({ instanceLocation, keyword, error }: OutputUnit): RJSFValidationError {
  const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined
  const steps = [...instanceLocation.split('/').slice(1), ...(missing ? [missing] : [])]
  return { property: `.${steps.join('.')}`, name: keyword, message: error, stack: error }
}

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
    return new Validator({ ...definitions, ...schema } as Schema, '7').validate(formData ?? null)
      .valid
  },
  rawValidation: (schema, formData) => ({ errors: findErrors(schema, formData) as never[] }),
}
