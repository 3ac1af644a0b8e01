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

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' || /[",;\t|\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
