// Streaming CSV reader (RFC 4180, with the variants that spreadsheets write).
// An empty cell is null; an empty quoted cell is the empty string.

type Cell = string | null
export interface CsvRecord {
  /** Number of its first line in the file, from 1. */
  line: number
  cells: Cell[]
}

export class CsvError extends Error {
  override readonly name = 'CsvError'
}

const delimiters = [',', ';', '\t', '|']

/** Returns the most frequent candidate in the first line, outside of quotes. */
export function delimiterOf(text: string): string {
  const [line = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const counts = delimiters.map((delimiter) => line.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}

/**
 * Reads chunk by chunk; a chunk may end anywhere. With `maxRecord`, throws CsvError for a record
 * with more characters, or with an unclosed quote; otherwise the end of the text closes the quote.
 */
export class CsvReader {
  readonly #delimiter: string
  readonly #maxRecord: number | null
  #cells: Cell[] = []
  #cell = ''
  #state: 'start' | 'plain' | 'quoted' | 'quote' = 'start'
  #line = 1
  #beganAt = 1
  #length = 0
  #afterReturn = false
  isFresh = true

  constructor(delimiter: string, { maxRecord = null }: { maxRecord?: number | null } = {}) {
    this.#delimiter = delimiter
    this.#maxRecord = maxRecord
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
    if (this.#state === 'quoted' && this.#maxRecord !== null)
      throw new CsvError(`The record at line ${this.#beganAt} has an unclosed quote`)
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
    if (this.#maxRecord !== null && this.#length > this.#maxRecord)
      throw new CsvError(
        `The record at line ${this.#beganAt} exceeds ${this.#maxRecord} characters`,
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
