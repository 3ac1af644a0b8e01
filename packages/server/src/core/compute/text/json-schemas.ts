// Validates values against JSON Schemas written by authors of bots and integrations. Such a schema
// is untrusted code: its size is limited, it fetches nothing, and compiling and validating have a
// timeout, because a few nested references can occupy a validator for years. The main thread uses
// core/compute/schemas.ts, which moves slow ones to another thread. Patterns run on an
// automaton (RE2) without backtracking. Patterns that RE2 does not support (lookaround,
// backreferences) are not checked; the author's code has to.
import { createRequire } from 'node:module'
import { createContext, Script } from 'node:vm'
import { ApiError } from '@botstead/contract'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'

export type JsonSchema = Record<string, unknown>

/**
 * Used when no schema is declared: accepts any object. Not `{}`: command lines generate the type
 * `any` from it, which does not compile where an object is required.
 */
export const undeclared: JsonSchema = { type: 'object', properties: {} }

const maxSchemaLength = 100_000
/**
 * Milliseconds. Generous, because it is wall-clock time on a busy machine; ordinary schemas take
 * one or two.
 */
const maxMs = 1_000
const maxCompiled = 500
const compiled = new Map<string, ValidateFunction>()
let schemaCheck: ValidateFunction | undefined
const isSchema = () =>
  (schemaCheck ??= new Ajv({ strict: false, logger: false }).getSchema(
    'http://json-schema.org/draft-07/schema',
  )!)

/**
 * Returns the first mismatch as a sentence, or null when the value is valid. Never changes the
 * value: no coercion, defaults or removals. Throws InvalidJsonSchema for an unusable schema.
 */
export function findMismatchHere(
  schema: JsonSchema,
  value: unknown,
  timeoutMs: number = maxMs,
): string | null {
  automata() // loads outside the timeout
  return withinTime(timeoutMs, () => {
    const check = compile(schema)
    if (check(value)) return null
    const [first] = check.errors ?? []
    return `${first?.instancePath || 'the value'} ${toReason(first)}`.slice(0, 500)
  })
}

/** Returns a copy that allows undeclared properties. */
export const opened = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (keyword, part) =>
    keyword === 'additionalProperties' && part === false ? undefined : part,
  )

/** Names the allowed values, or the unknown property, which the validator's message omits. */
function toReason({
  keyword,
  params,
  message = 'does not match',
}: Partial<ErrorObject> = {}) {
  if (keyword === 'enum')
    return `must be one of ${params!.allowedValues.map((one: unknown) => JSON.stringify(one)).join(', ')}`
  if (keyword === 'additionalProperties')
    return `must not have the property "${params!.additionalProperty}"`
  return message
}

/**
 * Checks the schemas of a definition, each with its path, against the meta-schema and for
 * unresolvable references. Does not compile them: that takes a hundred times as long, and
 * definitions have many. A schema that compiles too slowly is rejected where it is used. Throws
 * InvalidJsonSchema.
 */
export function rejectInvalidSchemas(
  schemas: [string, JsonSchema][],
  timeoutMs: number = maxMs,
): void {
  let at = ''
  try {
    withinTime(timeoutMs, () => {
      for (const [path, schema] of schemas) {
        at = path
        const named = checked(schema, JSON.stringify(schema))
        const missing = referencesIn(named).find(
          (reference) => !resolves(named, reference),
        )
        if (missing !== undefined)
          throw new ApiError(
            'InvalidJsonSchema',
            `\`$ref\` "${missing.slice(0, 200)}" does not resolve: refer only to parts of the same schema`,
          )
      }
    })
  } catch (error) {
    if (error instanceof SchemaTimeout && timeoutMs < maxMs) throw error
    throw new ApiError(
      'InvalidJsonSchema',
      `${at}: ${(error as Error).message}`.slice(0, 500),
      {
        cause: error,
      },
    )
  }
}

/** Keywords with plain values, which are not searched for references. */
const values = ['const', 'enum', 'default', 'examples']

function referencesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([keyword, part]) => {
    if (keyword === '$ref' && typeof part === 'string') return [part]
    return values.includes(keyword) || keyword.startsWith('x-') ? [] : referencesIn(part)
  })
}

/**
 * Returns whether a reference resolves within the schema. Names (`#name`) are left to the compiler.
 */
function resolves(schema: JsonSchema, reference: string): boolean {
  if (!reference.startsWith('#')) return false
  if (!reference.startsWith('#/')) return true
  let part: unknown = schema
  for (const step of reference.slice(2).split('/')) {
    const name = decodeStep(step)
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name))
      return false
    part = (part as Record<string, unknown>)[name]
  }
  return true
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}

function compile(schema: JsonSchema): ValidateFunction {
  const text = JSON.stringify(schema)
  const known = compiled.get(text)
  if (known) return known
  const check = newChecker().compile(checked(schema, text))
  if (compiled.size >= maxCompiled) compiled.delete(compiled.keys().next().value!)
  compiled.set(text, check)
  return check
}

/** Returns the schema as the validator accepts it. Throws InvalidJsonSchema. */
function checked(schema: JsonSchema, text: string): JsonSchema {
  if (text.length > maxSchemaLength)
    throw new ApiError(
      'InvalidJsonSchema',
      `The schema exceeds ${maxSchemaLength} characters of JSON: shorten it`,
    )
  const named = withoutNames(schema)
  const check = isSchema()
  if (!check(named))
    throw new ApiError(
      'InvalidJsonSchema',
      `The schema is invalid: ${check.errors?.[0]?.instancePath} ${check.errors?.[0]?.message}`,
    )
  return named
}

let loaded: typeof import('re2js') | undefined
/** Loads RE2 on first use, not at every start. */
const automata = () =>
  (loaded ??= createRequire(import.meta.url)('re2js') as typeof import('re2js'))

/** In characters; longer patterns are not checked. */
const maxPatternLength = 1_000

/** Replaces RegExp in the validator, which compares patterns by `toString`. */
function matcher(pattern: string) {
  const automaton = pattern.length > maxPatternLength ? null : compileAutomaton(pattern)
  return {
    test: (text: string) => automaton?.matcher(text).find() ?? true,
    toString: () => pattern,
  }
}

function compileAutomaton(pattern: string) {
  const { RE2JS, RE2JSException } = automata()
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern))
  } catch (error) {
    if (error instanceof RE2JSException) return null
    throw error
  }
}

/**
 * Creates a validator per schema, so that schemas share no names. Unknown keywords (`x-zui` …) are
 * annotations.
 */
function newChecker(): Ajv {
  const regExp = Object.assign(matcher, { code: 'matcher' })
  const ajv = new Ajv({
    strict: false,
    ownProperties: true,
    logger: false,
    meta: false,
    validateSchema: false,
    code: { regExp },
  })
  formats.default(ajv)
  return ajv
}

/**
 * Removes `$schema` (the dialects differ in nothing that we use), and `$id`, which would redirect
 * references.
 */
function withoutNames({
  $schema: _dialect,
  $id: _name,
  ...schema
}: JsonSchema): JsonSchema {
  return schema
}

const context = createContext({ run: undefined as unknown })
const script = new Script('run()')

/** Checking a schema, or a value, takes too long. */
export class SchemaTimeout extends ApiError {}

/** Runs `run` under the timeout of node:vm, which also stops code that was compiled elsewhere. */
function withinTime<T>(timeoutMs: number, run: () => T): T {
  isSchema() // compiles outside the timeout
  context.run = run
  try {
    return script.runInContext(context, { timeout: timeoutMs })
  } catch (error) {
    if (error instanceof ApiError) throw error
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw new SchemaTimeout(
        'InvalidJsonSchema',
        `The schema is invalid: checking exceeds ${timeoutMs} ms`,
      )
    throw new ApiError('InvalidJsonSchema', `The schema is invalid: ${explain(error)}`, {
      cause: error,
    })
  } finally {
    context.run = undefined
  }
}

function explain(error: unknown) {
  if (error instanceof RangeError) return 'it recurses without end'
  return (error as Error).message.slice(0, 300)
}
