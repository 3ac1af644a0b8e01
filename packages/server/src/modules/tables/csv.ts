// Streams the records of CSV files, and writes CSV.
import { ApiError } from '@botstead/contract'
import { CsvError, CsvReader, type CsvRecord, delimiterOf } from '../../infra/lib/csv.ts'

/** In characters. A longer record is probably an unclosed quote. */
export const maxRecordLength = 1_048_576

/**
 * Reads records. The first one names the columns and determines the delimiter. Throws
 * InvalidDataFormat.
 */
export async function* readCsv(texts: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  let reader: CsvReader | null = null
  let head = ''
  const open = (text: string) => new CsvReader(delimiterOf(text), { maxRecord: maxRecordLength })
  try {
    for await (const text of texts) {
      if (reader) yield* reader.read(text)
      else if (/[\r\n]/.test(text) || head.length > maxRecordLength) {
        reader = open(head + text)
        yield* reader.read(head + text)
      } else head += text
    }
    reader ??= open(head)
    if (head !== '' && reader.isFresh) yield* reader.read(head)
    yield* reader.end()
  } catch (error) {
    throw error instanceof CsvError ? new ApiError('InvalidDataFormat', error.message) : error
  }
}

/** Returns one record with its line ending. */
export const csvLine = (values: unknown[]) => `${values.map(csvCell).join(',')}\r\n`

/**
 * Beginnings of texts that a spreadsheet runs as a formula (OWASP, "CSV Injection"), also as full-width
 * signs and behind spaces and invisible characters, which programs may leave out.
 */
const formula =
  /^(?:[\p{Z}\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b]|[\t\r\n])/u
const number = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

/** Puts `'` before a text that a spreadsheet would run. Numbers stay. */
export const withoutFormula = (value: unknown): unknown =>
  typeof value === 'string' && formula.test(value) && !number.test(value) ? `'${value}` : value

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' || /[",;\t|\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
