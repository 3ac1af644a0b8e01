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

/** The comma is last: it is in numbers and sentences, too. */
const delimiters = ['\t', ';', '|', ',']
const sampleRecords = 20

/** A hint for spreadsheet programs, which do not show it. */
const hint = /^\ufeff?"?sep=([^\r\n"])"?[,;\t|]*(?:\r\n?|\n|$)/i

/**
 * Detects the delimiter at the beginning of a text: that of a line `sep=;`, else the one that cuts the
 * first records into equal numbers of cells. `from` is where the records begin.
 */
export function detectDialect(text: string): { delimiter: string; from: number } {
  const [line, named] = hint.exec(text) ?? []
  if (line !== undefined && named !== undefined)
    return { delimiter: named, from: line.length }
  const scores = delimiters.map((delimiter) => {
    const [first = 1, ...others] = cellCounts(text, delimiter)
    const equal = others.filter((count) => count === first).length
    if (first > 1) return (equal + 1) / (others.length + 1) + first / maxCells
    return others.length > 1 && isTable(others) ? shareBelowTitle : 0
  })
  const best = Math.max(...scores)
  return { delimiter: best === 0 ? ',' : delimiters[scores.indexOf(best)]!, from: 0 }
}

/** Returns the text of a formula that keeps a code from becoming a number, such as `="00123"`; else null. */
export const formulaText = (cell: string | null): string | null =>
  cell?.startsWith('="') ? (/^="([\w +./:-]{1,100})"$/.exec(cell)?.[1] ?? null) : null

/** Equal records below a title of one cell. */
const isTable = ([first = 1, ...others]: number[]) =>
  first > 1 && others.every((count) => count === first)
const shareBelowTitle = 0.9

/** Of a record, for the score only: more cells decide between equal shares. */
const maxCells = 100_000

/** The numbers of cells of the first records, without an unfinished one at the end. */
function cellCounts(text: string, delimiter: string): number[] {
  const counts: number[] = []
  const reader = new CsvReader(delimiter)
  for (const { cells } of reader.read(text)) {
    counts.push(cells.length)
    if (counts.length === sampleRecords) return counts
  }
  if (counts.length === 0) for (const { cells } of reader.end()) counts.push(cells.length)
  return counts
}

/**
 * Reads chunk by chunk; a chunk may end anywhere. With `maxRecord`, throws CsvError for a record
 * with more characters, or with an unclosed quote; otherwise the end of the text closes the quote.
 */
export class CsvReader {
  readonly #delimiter: string
  readonly #maxRecord: number | null
  #cells: Cell[] = []
  /** Joined at the end of the cell: looking into a text that grows would copy it each time. */
  #pieces: string[] = []
  #state: 'start' | 'plain' | 'quoted' | 'quote' = 'start'
  #line: number
  #beganAt: number
  #length = 0
  #afterReturn = false
  /** Whether a backslash before a quote makes it text, as programs of databases write. */
  #escapes = false

  /** `line` is the number of the first line. */
  constructor(
    delimiter: string,
    { maxRecord = null, line = 1 }: { maxRecord?: number | null; line?: number } = {},
  ) {
    this.#delimiter = delimiter
    this.#maxRecord = maxRecord
    this.#line = line
    this.#beganAt = line
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
    // Backslashes before a quote stay together.
    const continued = this.#pieces.at(-1)?.endsWith('\\') ? this.#pieces.pop()! : ''
    this.#pieces.push(continued + text)
    this.#afterReturn = false
    if (this.#state === 'start') this.#state = 'plain'
  }

  #step(char: string): CsvRecord | null {
    const follows = this.#afterReturn && char === '\n'
    this.#afterReturn = false
    if (follows) return null
    if (char === '\n') this.#line++
    if (this.#state === 'quoted') {
      if (char !== '"') this.#take(char)
      else if (this.#escapes && this.#endsInBackslash) this.#takeQuote()
      else this.#state = 'quote'
      return null
    }
    if (char === '"' && this.#isStart) this.#openQuote()
    else if (char === '"' && this.#state === 'quote') {
      this.#state = 'quoted'
      this.#take('"')
    } else if (char === this.#delimiter) this.#finishCell()
    else if (char === '\r' || char === '\n') return this.#endLine(char)
    else if (this.#state === 'quote' && this.#endsInBackslash) {
      this.#escapes = true
      this.#takeQuote()
      this.#take(char)
    } else {
      // text after a closing quote, or a quote within text: kept as is
      this.#state = 'plain'
      this.#take(char)
    }
    return null
  }

  get #endsInBackslash(): boolean {
    const last = this.#pieces.at(-1) ?? ''
    return (/\\+$/.exec(last.slice(-20))?.[0].length ?? 0) % 2 === 1
  }

  #takeQuote() {
    this.#pieces.push(`${this.#pieces.pop()!.slice(0, -1)}"`)
    this.#state = 'quoted'
  }

  /** Some programs write a space before the quote. */
  get #isStart(): boolean {
    if (this.#state !== 'plain') return this.#state === 'start'
    return this.#pieces.length <= 10 && /^ {1,10}$/.test(this.#pieces.join(''))
  }

  #openQuote() {
    this.#pieces = []
    this.#state = 'quoted'
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
    this.#cells.push(this.#state === 'start' ? null : this.#pieces.join(''))
    this.#pieces = []
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
