// Reads exports, which are untrusted. A value of a wrong type counts as absent, so a damaged part of a file
// costs only this part. Only own properties are read.
import { DocumentSyntaxError, parseText, type TextFormat } from '../document-text.ts'
import { ImportError } from './import-error.ts'

export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value at a path of own properties, or undefined. */
export function valueIn(value: unknown, ...path: (string | number)[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name))
      return undefined
    found = (found as Json)[name]
  }
  return found
}

/** Returns a text, or the text of a number or a boolean; otherwise ''. */
export function textIn(value: unknown, ...path: (string | number)[]): string {
  const found = valueIn(value, ...path)
  if (typeof found === 'string') return found
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : ''
}

export function numberIn(
  value: unknown,
  ...path: (string | number)[]
): number | undefined {
  const text = textIn(value, ...path).trim()
  const number = Number(text)
  return text !== '' && Number.isFinite(number) ? number : undefined
}

export const isSet = (value: unknown, ...path: (string | number)[]): boolean =>
  valueIn(value, ...path) === true

export function listIn(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = valueIn(value, ...path)
  return Array.isArray(found) ? found : []
}

export const objectsIn = (value: unknown, ...path: (string | number)[]): Json[] =>
  listIn(value, ...path).filter(isObject)

export const textsIn = (value: unknown, ...path: (string | number)[]): string[] =>
  listIn(value, ...path).filter((item) => typeof item === 'string')

export function entriesIn(
  value: unknown,
  ...path: (string | number)[]
): [string, unknown][] {
  const found = valueIn(value, ...path)
  return isObject(found) ? Object.entries(found) : []
}

/** Deeper values would exhaust the stack of code that reads them. */
const maxDepth = 100
/** Values in all, which bounds the time of a conversion. */
const maxValues = 500_000

/** Throws ImportError for invalid JSON or YAML, and for values that are too deep or too many. */
export function parseExport(text: string, format: TextFormat): unknown {
  try {
    const { value } = parseText(text, format)
    rejectLarge(value)
    return value
  } catch (error) {
    if (error instanceof DocumentSyntaxError)
      throw new ImportError(
        'invalidFile',
        `The file is not valid ${format}: ${error.message}. Export it again`,
        error.position,
      )
    if (error instanceof RangeError) throw tooDeep()
    throw error
  }
}

function rejectLarge(value: unknown): void {
  let [level, count] = [[value], 0]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) throw tooDeep()
    count += level.length
    if (count > maxValues)
      throw new ImportError(
        'tooLarge',
        `The file has more than ${maxValues} values. Export a smaller bot`,
      )
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? (Object.values(one) as unknown[]) : [],
    )
  }
}

const tooDeep = () =>
  new ImportError(
    'tooLarge',
    `The file is nested more than ${maxDepth} levels deep. Export it again`,
  )
