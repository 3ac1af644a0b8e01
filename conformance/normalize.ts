// Converts OpenAPI 3.0 (external) and 3.1 (Botstead) schemas to one form, equal for equivalent
// schemas:
// - references are resolved
// - `nullable` becomes an alternative
// - a constant becomes an enumeration of one value
// - a property name pattern that matches every name becomes `additionalProperties`
// An unknown keyword is an error, so that no difference is overlooked.

/** The alternatives for a value. */
export type Shape = Alternative[]

export type Alternative =
  | AnyShape
  | NullShape
  | BooleanShape
  | StringShape
  | NumberShape
  | ArrayShape
  | ObjectShape

interface AnyShape {
  type: 'any'
}
interface NullShape {
  type: 'null'
}
interface BooleanShape {
  type: 'boolean'
  values?: unknown[] | undefined
}
export interface StringShape {
  type: 'string'
  values?: unknown[] | undefined
  minLength: number
  maxLength: number
  pattern?: string | undefined
  format?: string | undefined
}
export interface NumberShape {
  type: 'number'
  values?: unknown[] | undefined
  integer: boolean
  minimum: number
  maximum: number
}
interface ArrayShape {
  type: 'array'
  items: Shape
  minItems: number
  maxItems: number
}
export interface ObjectShape {
  type: 'object'
  properties: Map<string, { required: boolean; shape: Shape }>
  /** The shape of further properties; null if none are permitted. */
  rest: Shape | null
}

export type Json = Record<string, unknown>

const any: Shape = [{ type: 'any' }]

export function normalize(schema: unknown, document: Json): Shape {
  if (schema === true || schema === undefined) return any
  if (!isObject(schema)) throw new Error(`Not a schema: ${JSON.stringify(schema)}`)
  rejectUnknown(schema)
  if (typeof schema.$ref === 'string')
    return normalize(resolve(schema.$ref, document), document)
  const { nullable, ...rest } = schema
  if (nullable) return union([...normalize(rest, document), { type: 'null' }])
  const parts = (schema.anyOf ?? schema.oneOf) as unknown[] | undefined
  if (parts) return union(parts.flatMap((part) => normalize(part, document)))
  if ('const' in schema) return [constants([schema.const])]
  if (Array.isArray(schema.enum)) return union(enumeration(schema.enum))
  if (Array.isArray(schema.type))
    return union(schema.type.flatMap((type) => normalize({ ...schema, type }, document)))
  return typed(schema, document)
}

/** Resolves a local reference, such as `#/components/schemas/Message`. */
export function resolve(reference: string, document: Json): unknown {
  const found = reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), document)
  if (found === undefined)
    throw new Error(`The reference "${reference}" points to nothing`)
  return found
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function typed(schema: Json, document: Json): Shape {
  const number = (key: string, otherwise: number) =>
    (schema[key] as number | undefined) ?? otherwise
  switch (schema.type ?? (schema.properties && 'object')) {
    case undefined:
      return any
    case 'null':
      return [{ type: 'null' }]
    case 'boolean':
      return [{ type: 'boolean' }]
    case 'string': {
      const { pattern, format } = schema as { pattern?: string; format?: string }
      return [
        {
          type: 'string',
          minLength: number('minLength', 0),
          maxLength: number('maxLength', Infinity),
          pattern,
          format,
        },
      ]
    }
    case 'number':
    case 'integer':
      return [
        {
          type: 'number',
          integer: schema.type === 'integer',
          minimum: number('minimum', -Infinity),
          maximum: number('maximum', Infinity),
        },
      ]
    case 'array':
      return [
        {
          type: 'array',
          items: normalize(schema.items, document),
          minItems: number('minItems', 0),
          maxItems: number('maxItems', Infinity),
        },
      ]
    case 'object':
      return [
        {
          type: 'object',
          properties: toProperties(schema, document),
          rest: toRest(schema, document),
        },
      ]
    default:
      throw new Error(`Unknown type ${JSON.stringify(schema.type)}`)
  }
}

function toProperties(schema: Json, document: Json): ObjectShape['properties'] {
  const required = (schema.required ?? []) as string[]
  const entries = Object.entries((schema.properties ?? {}) as Json)
  return new Map(
    entries.map(([name, property]) => [
      name,
      { required: required.includes(name), shape: normalize(property, document) },
    ]),
  )
}

/**
 * Returns the shape of `additionalProperties` or of a property name pattern that matches every
 * name.
 */
function toRest(schema: Json, document: Json): Shape | null {
  const [pattern, ...more] = Object.entries((schema.patternProperties ?? {}) as Json)
  if (pattern) {
    if (more.length > 0 || !['^.*$', '^(.*)$', '.*', ''].includes(pattern[0]))
      throw new Error(`Cannot compare the property name pattern "${pattern[0]}"`)
    return normalize(pattern[1], document)
  }
  return schema.additionalProperties === false
    ? null
    : normalize(schema.additionalProperties, document)
}

function enumeration(values: unknown[]): Shape {
  const types = [
    ...new Set(values.map((value) => (value === null ? 'null' : typeof value))),
  ]
  return types.map((type) =>
    type === 'null'
      ? { type: 'null' }
      : constants(values.filter((value) => value !== null && typeof value === type)),
  )
}

function constants(values: unknown[]): Alternative {
  switch (values[0] === null ? 'null' : typeof values[0]) {
    case 'null':
      return { type: 'null' }
    case 'boolean':
      return { type: 'boolean', values }
    case 'string':
      return { type: 'string', values, minLength: 0, maxLength: Infinity }
    case 'number':
      return {
        type: 'number',
        values,
        integer: false,
        minimum: -Infinity,
        maximum: Infinity,
      }
    default:
      throw new Error(`Cannot compare the constants ${JSON.stringify(values)}`)
  }
}

/** `any` absorbs all other alternatives; constants of one type become one enumeration. */
function union(alternatives: Shape): Shape {
  if (alternatives.some(({ type }) => type === 'any')) return any
  const values = alternatives.flatMap((one) => ('values' in one && one.values) || [])
  const others = alternatives.filter((one) => !('values' in one && one.values))
  return [...others, ...enumeration([...new Set(values)])]
}

/** Keywords that the comparison uses, and annotations that it ignores. */
const known = new Set(
  `$ref nullable anyOf oneOf const enum type minLength maxLength pattern format minimum maximum
   items minItems maxItems properties required
   additionalProperties patternProperties description title default example examples deprecated`.split(
    /\s+/,
  ),
)

function rejectUnknown(schema: Json) {
  for (const key of Object.keys(schema))
    if (!known.has(key) && !key.startsWith('x-'))
      throw new Error(`Cannot compare schemas with the keyword "${key}"`)
}
