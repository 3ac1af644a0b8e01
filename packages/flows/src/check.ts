// Whether a document is one of a bot: all that is wrong with it, each with its place, so that who keeps documents beside code can mend them in one go.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { AuthoredDocument, type FlowDocument } from './document.ts'
import { escapePointer } from './json-places.ts'
import { migrate } from './migrate.ts'
import { DocumentError, type Problem } from './problems.ts'
import { checkReferences } from './references.ts'

let compiled: ValidateFunction<AuthoredDocument> | undefined

/** Compiled when it is first needed: most who load this package never check anything. */
function shapeCheck(): ValidateFunction<AuthoredDocument> {
  compiled ??= new Ajv2020({ allErrors: true, strict: false }).compile<AuthoredDocument>(AuthoredDocument)
  return compiled
}

/** Of a document with flows, which is looked through at one go. */
const largest = 5_000_000

/** Of any version; it comes out as the newest. Throws DocumentError. */
export function checkDocument(given: unknown): AuthoredDocument {
  const document = migrate(given)
  if (isFlows(document) && JSON.stringify(document).length > largest)
    throw new DocumentError([{ pointer: '', message: `has more than ${largest} characters` }])
  const check = shapeCheck()
  if (!check(document)) throw new DocumentError(unique(told(check.errors ?? []).map(problemOf)))
  const problems = isFlowDocument(document) ? checkReferences(document) : checkWithoutFlows(document)
  if (problems.length) throw new DocumentError(problems)
  return document
}

export const isFlowDocument = (document: AuthoredDocument): document is FlowDocument =>
  document.flows !== undefined

const isFlows = (document: unknown) =>
  typeof document === 'object' && document !== null && 'flows' in document

const onlyWithFlows = [
  'settings',
  'variables',
  'hooks',
  'triggers',
  'knowledgeBases',
  'tables',
  'files',
] as const

const checkWithoutFlows = (document: AuthoredDocument): Problem[] =>
  onlyWithFlows.flatMap((name) =>
    document[name] === undefined
      ? []
      : [{ pointer: `/${name}`, message: 'means nothing in a document without flows' }],
  )

/** Of the ways that something may be, all have failed: told is the one that was meant, if any looks like it. */
function told(errors: ErrorObject[]): ErrorObject[] {
  const hidden = new Set<ErrorObject>(
    errors.filter(({ keyword, propertyName }) => keyword === 'if' || propertyName !== undefined),
  )
  for (const choice of errors.filter(({ keyword }) => keyword === 'anyOf')) {
    const inside = errors.filter(({ schemaPath }) => schemaPath.startsWith(`${choice.schemaPath}/`))
    const isOther = ({ keyword, instancePath }: ErrorObject) =>
      instancePath === choice.instancePath && (keyword === 'type' || keyword === 'pattern')
    const others = inside.filter(isOther)
    const isMeant = inside.length > others.length
    for (const error of isMeant ? [choice, ...others] : inside) hidden.add(error)
  }
  return errors.filter((error) => !hidden.has(error))
}

const unique = (problems: Problem[]) => [
  ...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values(),
]

function problemOf({ instancePath: pointer, keyword, params, message = 'is wrong' }: ErrorObject): Problem {
  if (keyword === 'additionalProperties')
    return { pointer: `${pointer}/${escapePointer(params.additionalProperty)}`, message: 'is not known' }
  if (keyword === 'required')
    return { pointer: `${pointer}/${escapePointer(params.missingProperty)}`, message: 'is missing' }
  if (keyword === 'const') return { pointer, message: `must be ${JSON.stringify(params.allowedValue)}` }
  if (keyword === 'enum') return { pointer, message: `must be one of ${params.allowedValues.join(', ')}` }
  if (keyword === 'propertyNames')
    return {
      pointer: `${pointer}/${escapePointer(params.propertyName)}`,
      message: 'is no name: it begins with a letter, and has letters, digits and _ only',
    }
  if (keyword === 'anyOf') return { pointer, message: 'is none of what it may be' }
  return { pointer, message }
}
