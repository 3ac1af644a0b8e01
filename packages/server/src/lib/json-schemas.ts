// Checks values against JSON Schemas that authors of bots and integrations wrote. Such a schema is a program by a stranger: it is bounded in size,
// fetches nothing, and both compiling and checking run under a clock, since a few nested references suffice to keep a checker busy for years.
// Patterns run on an automaton, and never back and forth. What it cannot do (looking around, referring back) is left to the author's own code.
import { createRequire } from 'node:module'
import { createContext, Script } from 'node:vm'
import { ApiError } from '@botstead/contract'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'

export type JsonSchema = Record<string, unknown>

/** Where nobody declared a schema: any object. Command lines generate `any` from `{}`, which does not compile where an object is due. */
export const undeclared: JsonSchema = { type: 'object', properties: {} }

const largestSchema = 100_000
/** Milliseconds: long, since the clock runs on while a busy machine does something else; what is well meant takes one or two. */
const patience = 1_000
const kept = 500
const compiled = new Map<string, ValidateFunction>()
let schemaCheck: ValidateFunction | undefined
const isSchema = () =>
  (schemaCheck ??= new Ajv({ strict: false, logger: false }).getSchema(
    'http://json-schema.org/draft-07/schema',
  )!)

/**
 * What is wrong with the value, in one sentence, or null. Throws InvalidJsonSchema for a schema that cannot be used.
 * The value is never changed: nothing is coerced, filled in or removed.
 */
export function findMismatch(schema: JsonSchema, value: unknown): string | null {
  automata() // that loading it takes long is nobody's fault
  return withinTime(() => {
    const check = compile(schema)
    if (check(value)) return null
    const [first] = check.errors ?? []
    return `${first?.instancePath || 'the value'} ${first?.message ?? 'does not match'}`.slice(0, 500)
  })
}

/**
 * All of them look usable; of a definition, each with its place. Throws InvalidJsonSchema. They are not compiled, which takes a hundred times as long
 * and of which most definitions have many: one that takes too long to compile is refused where it is used.
 */
export function refuseBadSchemas(schemas: [string, JsonSchema][]): void {
  let at = ''
  try {
    withinTime(() => {
      for (const [place, schema] of schemas) {
        at = place
        const named = checked(schema, JSON.stringify(schema))
        const lost = referencesIn(named).find((reference) => !leadsSomewhere(named, reference))
        if (lost !== undefined)
          throw new ApiError(
            'InvalidJsonSchema',
            `The schema refers to what is not in it: ${lost.slice(0, 200)}`,
          )
      }
    })
  } catch (error) {
    throw new ApiError('InvalidJsonSchema', `${at}: ${(error as Error).message}`.slice(0, 500), {
      cause: error,
    })
  }
}

/** What stands in these is a value, whatever it looks like. */
const values = ['const', 'enum', 'default', 'examples']

function referencesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([keyword, part]) => {
    if (keyword === '$ref' && typeof part === 'string') return [part]
    return values.includes(keyword) || keyword.startsWith('x-') ? [] : referencesIn(part)
  })
}

/** Nothing is fetched: a reference leads to a place in the same schema, or to a name, of which compiling knows more. */
function leadsSomewhere(schema: JsonSchema, reference: string): boolean {
  if (!reference.startsWith('#')) return false
  if (!reference.startsWith('#/')) return true
  let part: unknown = schema
  for (const step of reference.slice(2).split('/')) {
    const name = decodeStep(step)
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return false
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
  if (compiled.size >= kept) compiled.delete(compiled.keys().next().value!)
  compiled.set(text, check)
  return check
}

/** As the checker takes it. */
function checked(schema: JsonSchema, text: string): JsonSchema {
  if (text.length > largestSchema) throw new ApiError('InvalidJsonSchema', 'The schema is larger than 100 kB')
  const named = withoutNames(schema)
  const check = isSchema()
  if (!check(named))
    throw new ApiError(
      'InvalidJsonSchema',
      `The schema cannot be used: ${check.errors?.[0]?.instancePath} ${check.errors?.[0]?.message}`,
    )
  return named
}

let loaded: typeof import('re2js') | undefined
/** Not at every start. */
const automata = () => (loaded ??= createRequire(import.meta.url)('re2js') as typeof import('re2js'))

/** In characters; what is longer is left to the author, too. */
const longestPattern = 1_000

/** What the checker takes for a regular expression. It tells them apart by their texts. */
function matcher(pattern: string) {
  const automaton = pattern.length > longestPattern ? null : automatonOf(pattern)
  return { test: (text: string) => automaton?.matcher(text).find() ?? true, toString: () => pattern }
}

function automatonOf(pattern: string) {
  const { RE2JS, RE2JSException } = automata()
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern))
  } catch (error) {
    if (error instanceof RE2JSException) return null
    throw error
  }
}

/** One for each schema, so that no two share names. Unknown keywords (`x-zui` …) are annotations. */
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

/** `$schema` names dialects that differ in nothing we use; `$id` would make references look elsewhere. */
function withoutNames({ $schema: _dialect, $id: _name, ...schema }: JsonSchema): JsonSchema {
  return schema
}

const context = createContext({ run: undefined as unknown })
const script = new Script('run()')

/** The clock of node:vm stops whatever runs under it, wherever it was compiled. */
function withinTime<T>(run: () => T): T {
  isSchema() // its compiling is nobody's fault
  context.run = run
  try {
    return script.runInContext(context, { timeout: patience })
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('InvalidJsonSchema', `The schema cannot be used: ${explain(error)}`, { cause: error })
  } finally {
    context.run = undefined
  }
}

function explain(error: unknown) {
  if (error instanceof RangeError) return 'it never ends'
  const { code, message } = error as Error & { code?: string }
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'checking takes too long' : message.slice(0, 300)
}
