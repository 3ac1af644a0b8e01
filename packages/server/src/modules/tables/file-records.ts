// Streams the records of a file of rows (CSV or JSON, optionally compressed), each with its
// location and its values by column name. An invalid record is reported with its location and does
// not affect the others.
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ApiError } from '@botstead/contract'
import type { WorkbookRow } from '../../infra/extraction/xlsx.ts'
import { rejectUnstorable } from '../../infra/lib/storable.ts'
import { columnNameFor } from './column-names.ts'
import { readCsv } from './csv.ts'
import { readJson } from './json-records.ts'
import { through } from './streams.ts'

export interface FileRecord {
  /** Location: `line 3` of CSV, `value 3` of JSON. */
  place: string
  /** Approximate number of characters. */
  size: number
  values: Record<string, unknown>
  /** The cells after those with a name. */
  extra?: string[]
  /** Why the record is not a row. */
  wrong?: string
}

export interface RecordFile {
  format: 'csv' | 'json' | 'xlsx'
  /** The names of the columns that were read so far. */
  names: Set<string>
  records: AsyncGenerator<FileRecord>
}

/** Maximum uncompressed size in bytes: a small file can expand to a very large one. */
const maxBytes = 10 * 1_073_741_824

/**
 * Detects the format from `key` and the first bytes. Throws InvalidDataFormat, also while records
 * are read.
 */
export async function openRecords(
  content: AsyncIterable<Buffer>,
  key: string,
  readWorkbook: (content: Readable) => Promise<WorkbookRow[]>,
): Promise<RecordFile> {
  const chunks = content[Symbol.asyncIterator]()
  const first = await chunks.next()
  const head: Buffer = first.done ? Buffer.alloc(0) : first.value
  const whole = Readable.from(joined(head, chunks), { objectMode: false })
  const names = new Set<string>()
  if (head.subarray(0, 4).equals(workbookStart))
    return { format: 'xlsx', names, records: workbookRecords(await readWorkbook(whole), names) }
  const isCompressed = head[0] === 0x1f && head[1] === 0x8b
  const texts = textsOf(isCompressed ? through(whole, createGunzip()) : whole)
  const begin = await texts.next()
  const text = begin.done ? '' : begin.value
  const isJson =
    /\.(json|jsonl|ndjson)(\.gz)?$/i.test(key) ||
    (!/\.(csv|tsv|txt)(\.gz)?$/i.test(key) && /^\s*[[{]/.test(text))
  const all = joined(text, texts)
  return isJson
    ? { format: 'json', names, records: jsonRecords(all, names) }
    : { format: 'csv', names, records: csvRecords(all, names) }
}

/** The beginning of a zip file. */
const workbookStart = Buffer.from('PK\x03\x04', 'latin1')

async function* workbookRecords(
  rows: WorkbookRow[],
  names: Set<string>,
): AsyncGenerator<FileRecord> {
  const [head, ...others] = rows
  const columns = nameColumns(head?.cells ?? [], names)
  for (const { number, cells } of others) {
    // Sheets have empty cells at the end of rows.
    const filled = cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1)
    const texts = filled.map((cell) => (cell === '' ? null : cell))
    yield toRecord(`row ${number}`, texts, columns)
  }
}

async function* joined<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

async function* textsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null
  let size = 0
  try {
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > maxBytes)
        throw new ApiError('LimitExceeded', `The uncompressed file exceeds ${maxBytes} bytes`)
      decoder ??= new TextDecoder(chunk[0] === 0xff && chunk[1] === 0xfe ? 'utf-16le' : 'utf-8')
      yield decoder.decode(chunk, { stream: true })
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw code.startsWith('Z_')
      ? new ApiError('InvalidDataFormat', 'The compressed file is damaged')
      : error
  }
  yield decoder?.decode() ?? ''
}

const separatorHint = ': quote cells that contain the separator'

async function* csvRecords(
  texts: AsyncIterable<string>,
  names: Set<string>,
): AsyncGenerator<FileRecord> {
  let columns: string[] | null = null
  for await (const { line, cells } of readCsv(texts)) {
    if (columns) yield toRecord(`line ${line}`, cells, columns, separatorHint)
    else columns = nameColumns(cells, names)
  }
}

function nameColumns(cells: (string | null)[], names: Set<string>): string[] {
  const columns = cells.map((cell, i) => columnNameFor(cell || `column ${i + 1}`))
  for (const column of columns) names.add(column)
  return columns
}

/** A record with too many cells is not a row: its cells may be shifted. */
function toRecord(
  place: string,
  cells: (string | null)[],
  columns: string[],
  hint = '',
): FileRecord {
  const size = cells.reduce((sum, cell) => sum + (cell?.length ?? 0) + 1, 0)
  const values = Object.fromEntries(
    cells
      .slice(0, columns.length)
      .flatMap((cell, i) => (cell === null ? [] : [[columns[i], cell]])),
  )
  if (cells.length <= columns.length) return checked({ place, size, values })
  const extra = cells.slice(columns.length).map((cell) => cell ?? '')
  const wrong = `expected ${columns.length} cells, found ${cells.length}${hint}`
  return checked({ place, size, values, extra, wrong })
}

async function* jsonRecords(
  texts: AsyncIterable<string>,
  names: Set<string>,
): AsyncGenerator<FileRecord> {
  for await (const { number, size, value } of readJson(texts)) {
    const place = `value ${number}`
    if (value === undefined) yield { place, size, values: {}, wrong: 'not valid JSON' }
    else if (typeof value !== 'object' || value === null || Array.isArray(value))
      yield { place, size, values: {}, wrong: 'not a JSON object' }
    else {
      const entries = Object.entries(value).map(
        ([name, one]) => [columnNameFor(name), one] as const,
      )
      for (const [name] of entries) if (names.size < maxNames) names.add(name)
      yield checked({ place, size, values: Object.fromEntries(entries) })
    }
  }
}

/** Of JSON objects, which may all have different keys. */
const maxNames = 1_000

function checked(record: FileRecord): FileRecord {
  try {
    rejectUnstorable(record.values, '', 'it')
    rejectUnstorable(record.extra, 'cells', 'it')
    return record
  } catch (error) {
    const { place, size } = record
    return { place, size, values: {}, wrong: (error as Error).message }
  }
}
