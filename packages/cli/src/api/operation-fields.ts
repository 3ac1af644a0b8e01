// The fields of an operation as options of a command, and options as parts of a request.
import { findWorkspaceParameter } from '@botstead/contract'
import { Option } from 'commander'
import { UsageError } from '../failure.ts'
import type { NamedOperation } from './operations.ts'

const locations = ['params', 'query', 'headers', 'body'] as const
type Location = (typeof locations)[number]

export interface Field {
  name: string
  location: Location
  schema: Schema
  required: boolean
  option: Option
}

export type RequestParts = Record<Location, Record<string, unknown>>

/** The part of JSON Schema that the contract uses. */
interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  description?: string
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

/** Options of `api` itself, as attributes. A field with such a name is `--<location>.<name>`. */
const ownOptions = new Set(
  'server token workspace bot chat userKey input output idempotencyKey paginate json help'.split(
    ' ',
  ),
)

/** Without those that `--bot`, `--workspace` and `--chat` set. */
export function fieldsOf(operation: NamedOperation): Field[] {
  const taken = new Set(ownOptions)
  return locations.flatMap((location) => {
    const { properties = {}, required = [] } = (operation[location] ?? {}) as Schema
    return Object.entries(properties)
      .filter(([name]) => !(location === 'params' && isScope(operation, name)))
      .map(([name, schema]) => {
        const needed = required.includes(name)
        const plain = toOption(name, schema, needed)
        const isFree = !taken.has(plain.attributeName())
        const option = isFree
          ? plain
          : toOption(
              `${location === 'params' ? 'path' : location}.${name}`,
              schema,
              needed,
            )
        taken.add(option.attributeName())
        return { name, location, schema, required: needed, option }
      })
  })
}

const isScope = (operation: NamedOperation, name: string) =>
  name === 'botId' || name === findWorkspaceParameter(operation)

function toOption(label: string, schema: Schema, required: boolean): Option {
  const isFlag = schema.type === 'boolean'
  const about = [required && 'required', describe(schema), schema.description].filter(
    Boolean,
  )
  const option = new Option(
    `--${label} ${isFlag ? '[value]' : '<value>'}`,
    about.join('; '),
  )
  if (schema.enum && !schema.anyOf) option.choices(schema.enum.map(String))
  if (isFlag) option.choices(['true', 'false'])
  if (schema.type === 'array')
    option.argParser((text: string, all: string[] = []) => [...all, text])
  return option
}

/** Returns type and bounds, such as `text, 1 to 200 characters`. */
function describe(schema: Schema): string {
  const { anyOf, type, items, properties, format, pattern } = schema
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  // The choices of an option are in its help anyway.
  if (schema.enum) return ''
  if (anyOf)
    return [...new Set(anyOf.map((one) => describe(one) || toChoices(one)))].join(' or ')
  if (type === 'array') {
    const each = (items && (describe(items) || toChoices(items))) || 'values'
    const count = bounds(schema.minItems, schema.maxItems, 'items')
    return `list of ${each}${count}; repeat the option, or pass JSON`
  }
  if (type === 'object') return `JSON object${properties ? toKeys(schema) : ''}`
  if (type === 'string') {
    const length = bounds(schema.minLength, schema.maxLength, 'characters')
    return `text${format ? ` (${format})` : ''}${length}${pattern ? `, ${pattern}` : ''}`
  }
  if (type === undefined) return 'JSON'
  return `${type}${bounds(schema.minimum, schema.maximum)}`
}

const toChoices = ({ enum: values = [] }: Schema) =>
  values.map((one) => JSON.stringify(one)).join(' or ')

/** Required keys have no question mark. */
function toKeys({ properties = {}, required = [] }: Schema): string {
  const keys = Object.keys(properties).map((key) =>
    required.includes(key) ? key : `${key}?`,
  )
  return keys.length === 0 ? '' : ` {${keys.join(', ')}}`
}

function bounds(
  minimum: number | undefined,
  maximum: number | undefined,
  unit = '',
): string {
  if (minimum === undefined && maximum === undefined) return ''
  const range =
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}`
      : `at ${minimum === undefined ? `most ${maximum}` : `least ${minimum}`}`
  return `, ${range} ${unit}`.trimEnd()
}

/**
 * Converts options to parts of a request. Fields of `input` precede none of the options: an option
 * replaces the field of the same name.
 */
export function toRequest(
  fields: Field[],
  options: Record<string, unknown>,
  input: Record<string, unknown>,
): RequestParts {
  const parts: RequestParts = { params: {}, query: {}, headers: {}, body: { ...input } }
  for (const { name, location, schema, option } of fields) {
    const given = options[option.attributeName()] as string | string[] | true | undefined
    if (given !== undefined)
      parts[location][name] = toValue(
        given === true ? 'true' : given,
        schema,
        option,
        location,
      )
  }
  const missing = fields.filter(
    ({ name, location, required }) => required && !Object.hasOwn(parts[location], name),
  )
  if (missing.length > 0)
    throw new UsageError(
      `missing: ${missing.map(({ option }) => option.long).join(', ')}; --help describes them`,
    )
  return parts
}

function toValue(
  given: string | string[],
  schema: Schema,
  option: Option,
  location: Location,
): unknown {
  if (Array.isArray(given))
    return given.flatMap((text) =>
      text.trim().startsWith('[')
        ? (toJsonValue(text, schema, option) as unknown[])
        : [toValue(text, schema.items ?? {}, option, location)],
    )
  const types = toTypes(schema)
  if (location !== 'body' && !types.has('object')) return given
  if (types.delete('null') && given === 'null') return null
  if (types.size === 1 && types.has('string')) return given
  if (!types.has('string') && types.size > 0) return toJsonValue(given, schema, option)
  // The schema allows texts and other values.
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

/** Returns an empty set if the schema allows any value. */
function toTypes(schema: Schema): Set<string> {
  const types = (schema.anyOf ?? [schema]).flatMap((one) => {
    if (one.type) return [one.type]
    return (one.enum ?? (one.const === undefined ? [] : [one.const])).map((value) =>
      value === null ? 'null' : typeof value,
    )
  })
  return new Set(types)
}

function toJsonValue(text: string, schema: Schema, option: Option): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(
      `${option.long} must be ${describe(schema) || 'JSON'}, not "${text}"`,
    )
  }
}
