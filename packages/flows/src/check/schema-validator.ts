// Validates values with the JSON Schemas of cards. References are not allowed, because a few nested
// ones can occupy a validator for years. Patterns run on RE2, because models write the texts.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'
import type { JsonSchema } from '../document/shapes.ts'

const maxLength = 20_000

/** Returns the reason for which a schema cannot be used, otherwise null. */
export function schemaFault(schema: JsonSchema): string | null {
  if (JSON.stringify(schema).length > maxLength)
    return `has more than ${maxLength} characters. Shorten it`
  const ajv = openAjv()
  const anonymous = withoutNames(schema)
  try {
    if (!ajv.validateSchema(anonymous))
      return `is not a valid JSON Schema: ${ajv.errorsText(ajv.errors, { dataVar: '' })}`
    return splitIntoParts(anonymous).map(faultOfPart).find(Boolean) ?? null
  } catch (error) {
    if (error instanceof RangeError) return 'is nested too deeply. Simplify it'
    throw error
  }
}

/** Does not check formats: `format` only informs the model. */
export const compileSchema = (schema: JsonSchema): ValidateFunction =>
  openAjv().compile(withoutNames(schema))

const regExp = Object.assign(
  (pattern: string) => {
    const automaton = RE2JS.compile(RE2JS.translateRegExp(pattern))
    return {
      test: (text: string) => automaton.matcher(text).find(),
      toString: () => pattern,
    }
  },
  { code: 'automaton' },
)

let opened: Ajv2020 | undefined
/** Shared for the meta-schema, which takes long to compile; schemas have no names to collide. */
const openAjv = () =>
  (opened ??= new Ajv2020({
    strict: false,
    allErrors: true,
    ownProperties: true,
    validateFormats: false,
    logger: false,
    addUsedSchema: false,
    code: { regExp },
  }))

/** Removes the dialect, which makes no difference here, and the name. */
const withoutNames = ({ $schema: _dialect, $id: _name, ...schema }: JsonSchema) => schema

function faultOfPart(part: Record<string, unknown>): string | null {
  const reference = ['$ref', '$dynamicRef', '$id', '$anchor', '$dynamicAnchor'].find(
    (name) => Object.hasOwn(part, name),
  )
  if (reference) return `must not contain \`${reference}\`. Write the schema in its place`
  const patterns = [part.pattern, ...Object.keys(part.patternProperties ?? {})]
  for (const pattern of patterns)
    if (typeof pattern === 'string' && !isPattern(pattern))
      return `has the pattern ${JSON.stringify(pattern)}, which is not valid in RE2`
  return null
}

function isPattern(pattern: string): boolean {
  try {
    regExp(pattern)
    return true
  } catch {
    return false
  }
}

/** Keywords with plain values, and keywords with schemas by name. */
const plain = ['const', 'enum', 'default', 'examples']
const named = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
]

/** Returns the schema and all schemas in it. */
function splitIntoParts(schema: unknown): Record<string, unknown>[] {
  if (Array.isArray(schema)) return schema.flatMap(splitIntoParts)
  if (typeof schema !== 'object' || schema === null) return []
  const inside = Object.entries(schema).flatMap(([keyword, value]) => {
    if (plain.includes(keyword)) return []
    return splitIntoParts(
      named.includes(keyword) ? Object.values(value as object) : value,
    )
  })
  return [schema as Record<string, unknown>, ...inside]
}
