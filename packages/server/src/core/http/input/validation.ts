// Compiles the contract's schemas, each on its first use: compiling all would add about a second to
// every start. The largest are compiled in the background, because they would delay other requests.
// Bodies are validated as sent: nothing is dropped or converted. Texts in paths, queries and headers
// are converted to numbers and booleans if the schema requires it.
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, momentForms, parseMoment } from '@botstead/contract'
import { nextSlice } from '@botstead/lib'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { queryFault, shortened, toList } from './query.ts'
import { findMeantErrors } from './union-errors.ts'

const addFormats = formats as unknown as (ajv: Ajv) => void
const make = (coerceTypes: boolean | 'array') => {
  const ajv = new Ajv({
    coerceTypes,
    removeAdditional: false,
    useDefaults: false,
    allErrors: false,
    strict: false,
    discriminator: false,
    // Takes half of the time, and saves nothing that the engine does not.
    code: { optimize: false },
    verbose: true,
  })
  addFormats(ajv)
  ajv.addFormat('moment', (text: string) => parseMoment(text) !== null)
  return ajv
}
const asIs = make(false)
const fromText = make('array')

export type InputCheck = (value: unknown) => void

export function bodyCheck(schema: TSchema): InputCheck {
  const checkBody = check(() => asIs.compile(schema), 'InvalidPayload', 'body')
  if (JSON.stringify(schema).length > maxOnFirstUse) large.push(checkBody)
  return checkBody
}

/** Characters of a schema that takes some milliseconds to compile. */
const maxOnFirstUse = 3_000
const large: InputCheck[] = []

/** Compiles the largest schemas of bodies, with pauses: each takes 10 to 20 ms. */
export async function compileLargeSchemas(): Promise<void> {
  for (const checkBody of large.splice(0)) {
    await pause(pauseMs, undefined, { ref: false })
    await nextSlice()
    // The engine compiles the function that it gets only when it runs.
    try {
      checkBody({})
    } catch {
      // An empty body is wrong for most operations.
    }
  }
}

const pauseMs = 200
export const textCheck = (schema: TSchema, where: 'params' | 'headers'): InputCheck =>
  check(() => fromText.compile(schema), 'InvalidPayload', where)

interface QuerySchema {
  properties?: Record<string, TSchema & { minLength?: number; type?: string }>
  required?: string[]
}

/**
 * Removes empty parameters, because clients send `status=` for an absent status. A required
 * parameter must not be empty, unless its schema has `minLength: 0`. Unknown parameters are
 * ignored, but not unreadable forms of known ones (`ids[`), which would drop a filter.
 */
export function queryCheck(schema: TSchema): InputCheck {
  const { properties = {}, required = [] } = schema as QuerySchema
  const checkRest = check(() => fromText.compile(schema), 'InvalidQuery', 'query')
  return (value) => {
    const query = value as Record<string, unknown>
    rejectUnreadable(query, properties)
    for (const [name, { minLength, type }] of Object.entries(properties)) {
      // Without a type, the operation reads the parameter itself.
      if (type === 'array' || type === undefined)
        query[name] = withLists(query[name], type)
      if (query[name] === undefined) delete query[name]
      else if (minLength !== 0) removeEmpty(query, name, required.includes(name))
    }
    checkRest(query)
  }
}

function rejectUnreadable(query: Record<string, unknown>, properties: object) {
  const fault = (query as { [queryFault]?: string })[queryFault]
  if (fault !== undefined) throw new ApiError('InvalidQuery', fault)
  for (const key of Object.keys(query)) {
    const [name = ''] = key.split(/[.[]/, 1)
    if (name !== key && Object.hasOwn(properties, name))
      throw new ApiError(
        'InvalidQuery',
        `query/${shortened(key)} is not a form of \`${name}\`: repeat \`${name}\`, or write ` +
          `\`${name}[]\`, \`${name}[0]\` or \`${name}.key\``,
      )
  }
}

/** Lists with indexes (`a[0]=x`) as lists, for a parameter without a type also inside. */
function withLists(value: unknown, type: 'array' | undefined): unknown {
  const list = toList(value)
  if (list || type || typeof value !== 'object' || value === null) return list ?? value
  if (Array.isArray(value)) return value
  const inner = value as Record<string, unknown>
  for (const [key, one] of Object.entries(inner)) inner[key] = withLists(one, type)
  return inner
}

function removeEmpty(query: Record<string, unknown>, name: string, isRequired: boolean) {
  const value = query[name]
  if (Array.isArray(value)) query[name] = value.filter((item) => item !== '')
  if (value !== '' && (query[name] as unknown[] | undefined)?.length !== 0) return
  if (isRequired) throw new ApiError('InvalidQuery', `query/${name} must not be empty`)
  delete query[name]
}

/** Begins the error for a response that the contract does not allow. */
export const brokenContract = 'The response breaks the contract'

/** For tests: checks that responses match the contract. */
export const answerCheck = (schema: TSchema): InputCheck =>
  check(() => asIs.compile(schema), 'Internal', `${brokenContract}: body`)

/** Returns a function that tests a value and gives no reason. */
export function schemaTest(schema: TSchema): (value: unknown) => boolean {
  let validate: ValidateFunction | null = null
  return (value) => {
    validate ??= asIs.compile(schema)
    return validate(value)
  }
}

function check(
  compile: () => ValidateFunction,
  type: 'InvalidPayload' | 'InvalidQuery' | 'Internal',
  where: string,
): InputCheck {
  let validate: ValidateFunction | null = null
  return (value) => {
    validate ??= compile()
    if (!validate(value))
      throw new ApiError(type, `${where}${describe(validate.errors ?? [])}`)
  }
}

function describe(errors: ErrorObject[]): string {
  const error = errors.at(-1)
  if (!error) return ' is invalid'
  if (error.keyword === 'anyOf') {
    const meant = findMeantErrors(errors)
    if (meant !== null) return typeof meant === 'string' ? meant : describe(meant)
  }
  const { format } = error.params
  if (format === 'moment' || format === 'date-time') {
    const sent = JSON.stringify(String(error.data).slice(0, 60))
    const forms = format === 'moment' ? momentForms : dateTimeForm
    return `${error.instancePath} must be ${forms}, not ${sent}`
  }
  let detail = ''
  if (error.keyword === 'additionalProperties')
    detail = `: ${error.params.additionalProperty}`
  if (error.keyword === 'enum') detail = `: ${error.params.allowedValues.join(', ')}`
  return `${error.instancePath} ${error.message}${detail}`
}

const dateTimeForm = 'a date and time with its offset, such as 2026-01-31T12:00:00Z'
