// Streams JSON: the elements of an array, or consecutive values (usually one per line). Values are
// split before they are parsed, so an invalid one does not affect the others and the whole file is
// never in memory.
import { ApiError } from '@botstead/contract'
import { findInexactNumber, maxJsonDepth } from '@botstead/lib'
import { maxRecordLength } from './csv.ts'

export interface JsonRecord {
  /** From 1. */
  number: number
  /** In characters. */
  size: number
  value?: unknown
  /** Why there is no value. */
  wrong?: string
}

export const jsonShapes = 'imports read a list of objects, or one object per line'

/** Throws InvalidDataFormat. */
export async function* readJson(
  texts: AsyncIterable<string>,
): AsyncGenerator<JsonRecord> {
  const cutter = new JsonCutter()
  let number = 0
  const record = (piece: string | null) => ({
    number: ++number,
    size: piece?.length ?? 0,
    ...(piece === null ? { wrong: 'nested too deeply' } : parseExactJson(piece)),
  })
  for await (const text of texts)
    for (const piece of cutter.read(text)) yield record(piece)
  for (const piece of cutter.end()) yield record(piece)
}

/** Parses JSON. Rejects numbers that would lose digits. */
export function parseExactJson(text: string): { value: unknown } | { wrong: string } {
  const number = findInexactNumber(text)
  if (number !== null)
    return {
      wrong: `the number ${number.slice(0, 50)} would lose digits: write it as a string`,
    }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { wrong: 'not valid JSON' }
  }
}

class JsonCutter {
  #piece = ''
  #depth = 0
  #deepestHere = 0
  #inText = false
  #escaped = false
  #begun = false

  #keep(text: string) {
    this.#piece += text
    if (this.#piece.length > maxRecordLength)
      throw new ApiError(
        'InvalidDataFormat',
        `A value in the JSON is not terminated, or is too long: ${jsonShapes}`,
      )
  }

  /** Yields null for a value that is nested too deeply. */
  *read(text: string): Generator<string | null> {
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const char = text[at]!
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false
        else if (char === '\\') this.#escaped = true
        else if (char === '"') this.#inText = false
        continue
      }
      if (!this.#begun && char.trim() !== '') {
        this.#begun = true
        if (char === '[') {
          from = at + 1
          continue
        }
      }
      if (char === '"') this.#inText = true
      else if (char === '{' || char === '[')
        this.#deepestHere = Math.max(this.#deepestHere, ++this.#depth)
      else if (char === '}' || char === ']') this.#depth--
      const isCut = this.#depth === 0 && (char === ',' || char === '\n')
      if (isCut || this.#depth < 0) {
        this.#keep(text.slice(from, at))
        yield* this.#cut()
        from = at + 1
        if (this.#depth < 0) this.#depth = 0
      }
    }
    this.#keep(text.slice(from))
  }

  *end(): Generator<string | null> {
    if (this.#inText || this.#depth > 0)
      throw new ApiError('InvalidDataFormat', 'The JSON ends prematurely')
    yield* this.#cut()
  }

  *#cut(): Generator<string | null> {
    const piece = this.#piece.trim()
    const isTooDeep = this.#deepestHere > maxJsonDepth
    this.#piece = ''
    this.#deepestHere = 0
    if (piece !== '') yield isTooDeep ? null : piece
  }
}
