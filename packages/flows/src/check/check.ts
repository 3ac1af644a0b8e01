// Validates documents. Reports all problems at once, each with its JSON pointer.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { AuthoredDocument, type FlowDocument } from '../document/document.ts'
import { migrateDocument } from '../document/migrate.ts'
import { escapePointer } from '../document/pointer.ts'
import { DocumentError, type Problem } from '../document/problems.ts'
import { Name, VariablePath, Word } from '../document/shapes.ts'
import { checkEmptyTexts } from './empty-texts.ts'
import { checkLoops } from './endless-loops.ts'
import { isShared, mapNodes } from './known-parts.ts'
import { checkModels, checkOmissions } from './missing-parts.ts'
import { checkBraces } from './open-braces.ts'
import { checkDocumentReferences } from './references.ts'
import { findTranslationWarnings } from './translations.ts'
import { checkMemberNames } from './variable-names.ts'

let compiled: ValidateFunction<AuthoredDocument> | undefined

/**
 * Compiles the validator on first use, because most processes that load this package never
 * validate.
 */
function shapeCheck(): ValidateFunction<AuthoredDocument> {
  compiled ??= new Ajv2020({ allErrors: true, strict: false }).compile<AuthoredDocument>(
    AuthoredDocument,
  )
  return compiled
}

/** Maximum size of a document with flows, since it is checked synchronously. */
const maxCharacters = 5_000_000

/** Shared nodes whose shape is valid. */
const valid = new WeakSet<object>()
const anyValid = { type: 'end' }

function listShapeErrors(document: unknown): ErrorObject[] {
  const check = shapeCheck()
  const errors = check(mapNodes(document, (node) => (valid.has(node) ? anyValid : node)))
    ? []
    : (check.errors ?? [])
  const faulty = new Set(
    errors.map(({ instancePath }) => instancePath.split('/', 5).join('/')),
  )
  mapNodes(document, (node, pointer) => {
    if (isShared(node) && !faulty.has(pointer)) valid.add(node)
    return node
  })
  return errors
}

/** Validates a document of any version and returns it in the current one. Throws DocumentError. */
export function checkDocument(given: unknown): AuthoredDocument {
  const document = migrateDocument(given)
  if (isFlows(document) && JSON.stringify(document).length > maxCharacters)
    throw new DocumentError([
      { pointer: '', message: `has more than ${maxCharacters} characters. Shorten it` },
    ])
  const errors = relevant(listShapeErrors(document))
  const problems = unique(errors.map(toProblem))
  // The remaining checks need values of the right form, but ignore unknown fields.
  const isUsable = errors.every(({ keyword }) => keyword === 'additionalProperties')
  if (!isUsable) throw new DocumentError(problems, { isPartial: true })
  const usable = document as AuthoredDocument
  problems.push(
    ...(isFlowDocument(usable)
      ? checkDocumentReferences(usable)
      : checkWithoutFlows(usable)),
  )
  if (problems.length) throw new DocumentError(problems)
  return usable
}

interface WarningOptions {
  /** Whether the bot has a language model; by default, it may have one. */
  hasModel?: boolean | undefined
}

/** Returns likely mistakes in a valid document, which do not prevent its deployment. */
export const findWarnings = (
  document: FlowDocument,
  { hasModel = true }: WarningOptions = {},
): Problem[] => [
  ...(hasModel ? [] : checkModels(document)),
  ...checkOmissions(document),
  ...checkMemberNames(document),
  ...checkBraces(document),
  ...checkEmptyTexts(document),
  ...checkLoops(document),
  ...findTranslationWarnings(document),
]

export const isFlowDocument = (document: AuthoredDocument): document is FlowDocument =>
  document.flows !== undefined

const isFlows = (document: unknown) =>
  typeof document === 'object' && document !== null && 'flows' in document

const onlyWithFlows = [
  'settings',
  'languages',
  'variables',
  'hooks',
  'triggers',
  'knowledgeBases',
  'tables',
  'tests',
  'files',
] as const

const checkWithoutFlows = (document: AuthoredDocument): Problem[] =>
  onlyWithFlows.flatMap((name) =>
    document[name] === undefined
      ? []
      : [
          {
            pointer: `/${name}`,
            message: 'requires `flows`. Add `flows`, or remove this field',
          },
        ],
  )

/**
 * Keeps the errors that help an author. When all forms of an anyOf fail, these are the errors
 * inside the form that has the right type; if none has it, only the anyOf itself.
 */
function relevant(errors: ErrorObject[]): ErrorObject[] {
  const hidden = new Set<ErrorObject>(
    errors.filter(
      ({ keyword, propertyName }) => keyword === 'if' || propertyName !== undefined,
    ),
  )
  for (const choice of errors.filter(({ keyword }) => keyword === 'anyOf')) {
    const inside = errors.filter(({ schemaPath }) =>
      schemaPath.startsWith(`${choice.schemaPath}/`),
    )
    const isOther = ({ keyword, instancePath }: ErrorObject) =>
      instancePath === choice.instancePath &&
      (keyword === 'type' || keyword === 'pattern')
    const others = inside.filter(isOther)
    const isMeant = inside.length > others.length
    for (const error of isMeant ? [choice, ...others] : inside) hidden.add(error)
  }
  return errors.filter((error) => !hidden.has(error))
}

const unique = (problems: Problem[]) => [
  ...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values(),
]

const quoted = (values: string[]) =>
  values.map((value) => JSON.stringify(value)).join(', ')

const nameRule =
  'a letter, then letters, digits and "_", at most 64 characters; "-" only in names of flows, nodes, ' +
  'triggers and knowledge bases'

const toPattern = (schema: object) => (schema as { pattern: string }).pattern

const formRules: Record<string, string> = {
  [toPattern(Name)]: `is not a valid name. Use ${nameRule}`,
  [toPattern(Word)]: `is not a valid name. Use ${nameRule}`,
  [toPattern(VariablePath)]:
    'is no variable. Write its scope and its name, such as `workflow.city`: the scope is `workflow`, ' +
    '`conversation`, `user` or `bot`; the name has letters, digits and "_"',
}

/** Faults of single values, in words that people understand who never saw a schema. */
const sentences: Record<string, (params: Record<string, unknown>) => string> = {
  pattern: ({ pattern }) =>
    formRules[String(pattern)] ?? 'does not have the form of this field',
  minLength: ({ limit }) =>
    limit === 1
      ? 'is empty. Fill it in, or remove it'
      : `needs at least ${limit} characters`,
  maxLength: ({ limit }) => `has more than ${limit} characters. Shorten it`,
  minItems: ({ limit }) =>
    `needs at least ${limit} ${limit === 1 ? 'element' : 'elements'}`,
  maxItems: ({ limit }) => `has more than ${limit} elements. Remove some`,
  maxProperties: ({ limit }) => `has more than ${limit} entries. Remove some`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
}

function toProblem({
  instancePath: pointer,
  keyword,
  params,
  message = 'is invalid',
}: ErrorObject): Problem {
  if (keyword === 'additionalProperties')
    return {
      pointer: `${pointer}/${escapePointer(params.additionalProperty)}`,
      message: 'is not a known field. Correct its name, or remove it',
    }
  if (keyword === 'required')
    return {
      pointer: `${pointer}/${escapePointer(params.missingProperty)}`,
      message: 'is missing. Add it',
    }
  if (keyword === 'const')
    return { pointer, message: `must be ${JSON.stringify(params.allowedValue)}` }
  if (keyword === 'enum')
    return {
      pointer,
      message: `must be one of ${quoted(params.allowedValues)}`,
    }
  if (keyword === 'propertyNames')
    return {
      pointer: `${pointer}/${escapePointer(params.propertyName)}`,
      message: `is not a valid name. Use ${nameRule}`,
    }
  if (keyword === 'anyOf')
    return {
      pointer,
      message: 'has none of the forms that this field allows. See docs/flows.md for them',
    }
  return { pointer, message: sentences[keyword]?.(params) ?? message }
}
