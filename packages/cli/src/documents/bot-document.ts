// Reads `bot.json` or `bot.yaml` and the code files beside it as one document. Reports all problems
// at once, each with its line.
import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import {
  type AuthoredDocument,
  checkDocument,
  compileDocument,
  DocumentError,
  type FlowDocument,
  fileKey,
  findWarnings,
  isFlowDocument,
  type Problem,
} from '@botstead/flows'
import {
  DocumentSyntaxError,
  type ParsedText,
  parseText,
  type TextFormat,
} from '@botstead/flows/document-text'
import { CliError } from '../failure.ts'
import { isYaml } from './document-file.ts'

export interface ReadDocument {
  path: string
  document: AuthoredDocument
  /** Returns line and column of the value at a JSON pointer. */
  findPosition: ParsedText['findPosition']
  /** Paths of the files that it was read from. */
  sources: string[]
}

/**
 * Throws WrongDocument for an invalid document, and Failure for a file that cannot be read or
 * parsed.
 */
export function readDocument(path: string): ReadDocument {
  const { value: given, files: found, findPosition } = readParts(path)
  const files = Object.fromEntries([...found].map(([key, { text }]) => [key, text]))
  const sources = [...found.values()].map(({ path }) => path)
  try {
    const document = checkDocument(
      isObject(given) && Object.keys(files).length
        ? { ...given, files: { ...(given.files as object), ...files } }
        : given,
    )
    if (isFlowDocument(document)) compileDocument(document)
    return { path, document, findPosition, sources: [path, ...sources] }
  } catch (error) {
    throw error instanceof DocumentError
      ? new WrongDocument(path, error, findPosition, [path, ...sources])
      : error
  }
}

/** The files of a document, which may have problems. */
export interface ReadParts extends ParsedText {
  text: string
  format: TextFormat
  /** The code files that it names, by their keys in `files`. */
  files: Map<string, { path: string; text: string }>
}

/** Throws Failure for a file that cannot be read or parsed. */
export function readParts(path: string): ReadParts {
  const text = readText(path)
  const parsed = parse(path, text)
  const format = isYaml(path) ? 'YAML' : 'JSON'
  return { ...parsed, text, format, files: readCode(path, parsed.value) }
}

/** Has one line per problem, `path:line:column pointer message`, which editors can jump to. */
export class WrongDocument extends CliError {
  readonly lines: string[]
  readonly sources: string[]
  constructor(
    path: string,
    { problems, isPartial }: Pick<DocumentError, 'problems' | 'isPartial'>,
    findPosition: ParsedText['findPosition'],
    sources: string[],
  ) {
    const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`
    const more = isPartial ? '; further checks follow after the correction' : ''
    super(`${path} has ${count}${more}`)
    this.sources = sources
    this.lines = toLines(path, problems, findPosition)
  }
}

/** Returns a line for each problem, by their positions in the document. */
function toLines(
  path: string,
  problems: Problem[],
  findPosition: ParsedText['findPosition'],
) {
  const placed = problems
    .map((problem) => ({ ...problem, ...findPosition(problem.pointer) }))
    .sort((one, other) => one.line - other.line || one.column - other.column)
  return placed.map(({ line, column, pointer, message, source }) =>
    source
      ? `${join(dirname(path), source.file)}:${source.line}:${source.column} ${source.message}`
      : `${path}:${line}:${column} ${pointer || '/'} ${message}`,
  )
}

/** Returns a line for each likely mistake in a valid document. */
export const warningLines = ({ path, document, findPosition }: ReadDocument): string[] =>
  isFlowDocument(document)
    ? toLines(
        path,
        findWarnings(document).map((one) => ({
          ...one,
          message: `${one.message} (warning)`,
        })),
        findPosition,
      )
    : []

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code: reason } = error as NodeJS.ErrnoException
    throw new CliError(
      reason === 'ENOENT'
        ? `file ${path} does not exist`
        : `cannot read ${path} (${reason})`,
    )
  }
}

function parse(path: string, text: string): ParsedText {
  const format = isYaml(path) ? 'YAML' : 'JSON'
  try {
    return parseText(text, format)
  } catch (error) {
    if (error instanceof DocumentSyntaxError)
      throw new CliError(
        `${path}:${error.position.line}:${error.position.column} is not valid ${format}: ${error.message}`,
      )
    throw error
  }
}

/**
 * Reads the code files that the document names. Skips missing files, which the validation reports
 * with their line, and files outside the document's folder.
 */
function readCode(path: string, given: unknown): ReadParts['files'] {
  const folder = dirname(resolve(path))
  const found = listFileNames(given).flatMap((file) => {
    const source = resolve(folder, file)
    if (relative(folder, source).startsWith(`..${sep}`)) return []
    try {
      return [
        [fileKey(file), { path: source, text: readFileSync(source, 'utf8') }] as const,
      ]
    } catch {
      return []
    }
  })
  return new Map(found)
}

/** Returns the files that the document names. */
export const listFileNames = (document: unknown): string[] => [
  ...new Set(filesIn(document)),
]

/** Returns the file of each `{"file": "…"}` in the value, whether it is code or not. */
function filesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own =
    isObject(value) && typeof value.file === 'string' && Object.keys(value).length === 1
      ? [value.file]
      : []
  return [...own, ...Object.values(value).flatMap(filesIn)]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the document if it has flows; throws Failure otherwise. */
export function toFlows({ path, document }: ReadDocument): FlowDocument {
  if (isFlowDocument(document)) return document
  throw new CliError(
    `${path} has no flows: this command needs a flow bot (property "flows")`,
  )
}
