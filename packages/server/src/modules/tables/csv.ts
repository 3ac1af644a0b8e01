// Streaming CSV reader and writer (RFC 4180, with the variants that spreadsheets write).
// An empty cell is null; an empty quoted cell is the empty string.
import { ApiError } from '@botstead/contract'

export type Cell = string | null
export interface CsvRecord {
  /** Number of its first line in the file, from 1. */
  line: number
  cells: Cell[]
}

/** In characters. A longer record is probably an unclosed quote. */
export const longestRecord = 1_048_576
const delimiters = [',', ';', '\t', '|']

/** Reads records. The first one names the columns and determines the delimiter. Throws InvalidDataFormat. */
export async function* readCsv(texts: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let reader: CsvReader | null = null
  let head = ''
  for await (const text of texts) {
    if (reader) yield* reader.read(text)
    else if (/[\r\n]/.test(text) || head.length > longestRecord) {
      reader = new CsvReader(delimiterOf(head + text))
      yield* reader.read(head + text)
    } else head += text
  }
  reader ??= new CsvReader(delimiterOf(head))
  if (head !== '' && reader.isFresh) yield* reader.read(head)
  yield* reader.end()
}

/** Returns the most frequent candidate in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const [line = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const counts = delimiters.map((delimiter) => line.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}

/** Reads chunk by chunk; a chunk may end anywhere. */
class CsvReader {
  readonly #delimiter: string
  #cells: Cell[] = []
  #cell = ''
  #state: 'start' | 'plain' | 'quoted' | 'quote' = 'start'
  #line = 1
  #beganAt = 1
  #length = 0
  #afterReturn = false
  isFresh = true

  constructor(delimiter: string) {
    this.#delimiter = delimiter
  }

  *read(text: string): Generator<CsvRecord> {
    for (let at = 0; at < text.length; ) {
      // copy a run of ordinary characters at once
      const end = this.#endOfRun(text, at)
      if (end > at) {
        this.#take(text.slice(at, end))
        at = end
        continue
      }
      const record = this.#step(text[at++]!)
      if (record) yield record
    }
    this.isFresh = false
  }

  *end(): Generator<CsvRecord> {
    if (this.#state === 'quoted')
      throw new ApiError('InvalidDataFormat', `The record at line ${this.#beganAt} has an unclosed quote`)
    if (this.#cells.length > 0 || this.#state !== 'start') yield this.#finishRecord()
  }

  #endOfRun(text: string, from: number): number {
    let at = from
    if (this.#state === 'quoted') {
      while (at < text.length && text[at] !== '"' && text[at] !== '\n') at++
    } else if (this.#state !== 'quote') {
      while (
        at < text.length &&
        text[at] !== this.#delimiter &&
        text[at] !== '\n' &&
        text[at] !== '\r' &&
        text[at] !== '"'
      )
        at++
    }
    return at
  }

  #take(text: string) {
    this.#length += text.length
    if (this.#length > longestRecord)
      throw new ApiError(
        'InvalidDataFormat',
        `The record at line ${this.#beganAt} exceeds ${longestRecord} characters`,
      )
    this.#cell += text
    this.#afterReturn = false
    if (this.#state === 'start') this.#state = 'plain'
  }

  #step(char: string): CsvRecord | null {
    const follows = this.#afterReturn && char === '\n'
    this.#afterReturn = false
    if (follows) return null
    if (char === '\n') this.#line++
    if (this.#state === 'quoted') {
      if (char === '"') this.#state = 'quote'
      else this.#take(char)
      return null
    }
    if (char === '"' && this.#state === 'start') this.#state = 'quoted'
    else if (char === '"' && this.#state === 'quote') {
      this.#state = 'quoted'
      this.#take('"')
    } else if (char === this.#delimiter) this.#finishCell()
    else if (char === '\r' || char === '\n') return this.#endLine(char)
    else {
      // text after a closing quote, or a quote within text: kept as is
      this.#state = 'plain'
      this.#take(char)
    }
    return null
  }

  #endLine(char: string): CsvRecord | null {
    this.#afterReturn = char === '\r'
    if (char === '\r') this.#line++
    const isEmpty = this.#cells.length === 0 && this.#state === 'start'
    const record = isEmpty ? null : this.#finishRecord()
    this.#beganAt = this.#line
    return record
  }

  #finishCell() {
    this.#cells.push(this.#state === 'start' ? null : this.#cell)
    this.#cell = ''
    this.#state = 'start'
    this.#length += 1
  }

  #finishRecord(): CsvRecord {
    this.#finishCell()
    const record = { line: this.#beganAt, cells: this.#cells }
    this.#cells = []
    this.#length = 0
    return record
  }
}

/** Returns one record with its line ending. */
export const csvLine = (values: unknown[]) => `${values.map(csvCell).join(',')}\r\n`

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' || /[",;\t|\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
