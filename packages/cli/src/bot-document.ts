// `bot.json` and the code files beside it, as one document. What is wrong with it is told all at once, each with the line it stands in.
import { readFileSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import {
  type AuthoredDocument,
  checkDocument,
  compile,
  DocumentError,
  type FlowDocument,
  fileKey,
  findPlaces,
  isFlowDocument,
  JsonError,
  type Problem,
  parseJson,
} from '@botstead/flows'
import { Failure } from './failure.ts'

export interface ReadDocument {
  path: string
  document: AuthoredDocument
  /** Where each value stands. */
  placeOf: ReturnType<typeof findPlaces>
  /** What it was read from. */
  sources: string[]
}

/** Throws WrongDocument, Failure for what cannot be read. */
export function readDocument(path: string): ReadDocument {
  const text = readText(path)
  const given = parse(path, text)
  const placeOf = findPlaces(text)
  const { files, sources } = readCode(path, given)
  try {
    const document = checkDocument(
      isObject(given) && Object.keys(files).length
        ? { ...given, files: { ...(given.files as object), ...files } }
        : given,
    )
    if (isFlowDocument(document)) compile(document)
    return { path, document, placeOf, sources: [path, ...sources] }
  } catch (error) {
    throw error instanceof DocumentError
      ? new WrongDocument(path, error.problems, placeOf, [path, ...sources])
      : error
  }
}

/** Each problem a line that editors can jump to. */
export class WrongDocument extends Failure {
  readonly lines: string[]
  readonly sources: string[]
  constructor(path: string, problems: Problem[], placeOf: ReturnType<typeof findPlaces>, sources: string[]) {
    super(
      problems.length === 1
        ? `${path} is wrong in one place`
        : `${path} is wrong in ${problems.length} places`,
    )
    this.sources = sources
    const placed = problems
      .map((problem) => ({ ...problem, ...placeOf(problem.pointer) }))
      .sort((one, other) => one.line - other.line || one.column - other.column)
    this.lines = placed.map(
      ({ line, column, pointer, message }) => `${path}:${line}:${column} ${pointer || '/'} ${message}`,
    )
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code: reason } = error as NodeJS.ErrnoException
    throw new Failure(reason === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read (${reason})`)
  }
}

function parse(path: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonError)
      throw new Failure(`${path}:${error.place.line}:${error.place.column} is no JSON: ${error.message}`)
    throw error
  }
}

/** What is not there is told with the place that names it. Nothing outside of the document's folder is read. */
function readCode(path: string, given: unknown): { files: Record<string, string>; sources: string[] } {
  const folder = dirname(resolve(path))
  const found = [...new Set(filesIn(given))].flatMap((file) => {
    const place = resolve(folder, file)
    if (relative(folder, place).startsWith(`..${sep}`)) return []
    try {
      return [{ key: fileKey(file), text: readFileSync(place, 'utf8'), place }]
    } catch {
      return []
    }
  })
  return {
    files: Object.fromEntries(found.map(({ key, text }) => [key, text])),
    sources: found.map(({ place }) => place),
  }
}

/** Of any `{"file": "…"}` that could be code. */
function filesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own =
    isObject(value) && typeof value.file === 'string' && Object.keys(value).length === 1 ? [value.file] : []
  return [...own, ...Object.values(value).flatMap(filesIn)]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of a document with flows. Throws Failure for any other. */
export function flowsOf({ path, document }: ReadDocument): FlowDocument {
  if (isFlowDocument(document)) return document
  throw new Failure(`${path} has no flows`)
}
