// Streams the records of CSV files, and writes CSV.
import { ApiError } from '@botstead/contract'
import { CsvError, CsvReader, type CsvRecord, detectDialect } from '@botstead/extraction'
import { isFormula } from '@botstead/flows/texts'

/** In characters. A longer record is probably an unclosed quote. */
export const maxRecordLength = 1_048_576

/** Characters at the beginning that determine the delimiter: at least, and at most. */
const sampleLength = 16_384
const maxSampleLength = 65_536

/** Reads records. The first one names the columns. Throws InvalidDataFormat. */
export async function* readCsv(texts: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let reader: CsvReader | null = null
  let head = ''
  const open = function* () {
    const { delimiter, from } = detectDialect(head.slice(0, maxSampleLength))
    const beginning = head.slice(0, from)
    reader = new CsvReader(delimiter, {
      maxRecord: maxRecordLength,
      line: beginning === '' ? 1 : 2,
    })
    yield* reader.read(head.slice(from))
  }
  try {
    for await (const text of texts) {
      if (reader) yield* (reader as CsvReader).read(text)
      else {
        head += text
        if (head.length >= sampleLength) yield* open()
      }
    }
    if (!reader) yield* open()
    yield* reader!.end()
  } catch (error) {
    throw error instanceof CsvError
      ? new ApiError('InvalidDataFormat', error.message)
      : error
  }
}

/** Returns one record with its line ending. */
export const csvLine = (values: unknown[]) => `${values.map(csvCell).join(',')}\r\n`

const number = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Puts `'` before a text that a spreadsheet would run. Numbers stay. */
export const withoutFormula = (value: unknown): unknown =>
  typeof value === 'string' && isFormula(value) && !number.test(value)
    ? `'${value}`
    : value

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' || /[",;\t|\r\n]|^\s|\s$/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text
}
