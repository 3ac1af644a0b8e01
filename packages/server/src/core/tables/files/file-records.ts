// Streams the records of a file of rows (CSV, JSON or a workbook; texts optionally compressed), each
// with its location and its values by column name. An invalid record is reported with its location and
// does not affect the others.
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ApiError } from '@botstead/contract'
import type { CellValue, WorkbookRow } from '@botstead/extraction'
import { formulaText } from '@botstead/extraction'
import { nextSlice } from '@botstead/lib'
import { rejectUnstorable } from '../../lib/index.ts'
import { through } from '../streams.ts'
import { readCsv } from './csv.ts'
import {
  isGzip,
  isJson,
  isWorkbook,
  rejectOtherFormats,
  rejectOtherTexts,
} from './file-format.ts'
import { decodeTexts } from './file-texts.ts'
import { type JsonRecord, jsonShapes, readJson } from './json-records.ts'
import { isHeader, maxFileColumns, RecordNames } from './record-names.ts'
import type { WorkbookTable } from './workbooks.ts'

export interface FileRecord {
  /** Location: `line 3` of CSV, `value 3` of JSON, `row 3` of a workbook. */
  place: string
  /** Approximate number of characters. */
  size: number
  values: Record<string, unknown>
  /** The first cells after those with a name. */
  extra?: string[]
  /** Why the record is not a row. */
  wrong?: string
}

export interface RecordFile {
  /** `xlsx` also for ODS. */
  format: 'csv' | 'json' | 'xlsx'
  /** The names of the columns that were read so far. */
  names: Set<string>
  /** Omissions and assumptions so far, for the person who imports the file. */
  notes: Set<string>
  /** Whether the file has more records than these. */
  isCut: boolean
  records: AsyncGenerator<FileRecord>
  close(): Promise<void>
}

/** Which columns are read. Default: the first 100. */
export interface ColumnSelection {
  /** Only these. */
  chosen?: Set<string>
  /** These, besides the first ones. */
  known?: Set<string>
}

interface RecordSource extends ColumnSelection {
  content: AsyncIterable<Buffer>
  /** The file's name. */
  key: string
  contentType?: string
  readWorkbook: (content: Readable) => Promise<WorkbookTable>
}

/** More than a table has. */
const maxKept = 100
/** Maximum uncompressed size in bytes: a small file can expand to a very large one. */
const maxBytes = 10 * 1_073_741_824

/**
 * Detects the format from the file's name and first bytes. The caller closes the result. Throws
 * InvalidDataFormat, also while records are read.
 */
export async function openRecords(source: RecordSource): Promise<RecordFile> {
  const { head, whole } = await withHead(source.content)
  const notes = new Set<string>()
  const names = new RecordNames({ notes })
  const header = { ...source, names, notes }
  const file = { names: names.names, notes, isCut: false, close: async () => {} }
  if (isWorkbook(head)) {
    const table = await source.readWorkbook(Readable.from(whole, { objectMode: false }))
    for (const note of table.notes) notes.add(note)
    const records = inSlices(workbookRecords(table.rows(), header))
    return {
      ...file,
      format: 'xlsx',
      isCut: table.isCut,
      records,
      close: () => table.close(),
    }
  }
  const { text, texts } = await toTexts(
    isGzip(head) ? unpacked(whole) : whole,
    source,
    file,
  )
  return isJson(source.key, text)
    ? { ...file, format: 'json', records: inSlices(jsonRecords(texts, names)) }
    : { ...file, format: 'csv', records: inSlices(csvRecords(texts, header)) }
}

/** Characters of records in a slice. */
const maxInSlice = 32_768

async function* inSlices(
  records: AsyncGenerator<FileRecord>,
): AsyncGenerator<FileRecord> {
  let size = 0
  for await (const record of records) {
    yield record
    size += record.size
    if (size < maxInSlice) continue
    size = 0
    await nextSlice()
  }
}

const headLength = 4_096

/** Reads the first bytes, regardless of the sizes of chunks; `whole` includes them. */
async function withHead(content: AsyncIterable<Buffer>) {
  const chunks = content[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  while (head.length < headLength) {
    const { done, value } = await chunks.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  return { head, whole: joined(head, chunks) }
}

async function* joined<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next())
    yield next.value
}

/** Throws InvalidDataFormat for other content than text. `texts` includes the first, `text`. */
async function toTexts(
  bytes: AsyncIterable<Buffer>,
  { contentType = '' }: RecordSource,
  notes: Pick<RecordFile, 'notes'>,
) {
  const { head, whole } = await withHead(bytes)
  rejectOtherFormats(head)
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1]
  const texts = decodeTexts(limited(whole), charset, notes)
  const { value: text = '' } = await texts.next()
  rejectOtherTexts(text)
  return { text, texts: joined(text, texts) }
}

async function* unpacked(whole: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* through(Readable.from(whole, { objectMode: false }), createGunzip())
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw code.startsWith('Z_')
      ? new ApiError('InvalidDataFormat', 'The compressed file is damaged')
      : error
  }
}

async function* limited(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > maxBytes)
      throw new ApiError(
        'LimitExceeded',
        `The uncompressed file exceeds ${maxBytes} bytes`,
      )
    yield chunk
  }
}

interface Header extends ColumnSelection {
  names: RecordNames
  notes: Set<string>
}

/** The columns of a file whose first record names them. */
interface Columns {
  count: number
  kept: { at: number; name: string }[]
}

async function readColumns(
  { names, notes, chosen, known }: Header,
  cells: (string | null)[],
): Promise<Columns> {
  const all = await names.fromHeader(cells)
  const kept = all
    .map((name, at) => ({ at, name }))
    .filter(({ name, at }) =>
      chosen ? chosen.has(name) : at < maxKept || known?.has(name),
    )
  if (!chosen && kept.length < all.length) notes.add(unread)
  return { count: all.length, kept }
}

const unread = `Columns after the first ${maxKept} were not read: choose columns to import others`

async function* workbookRecords(
  rows: AsyncIterable<WorkbookRow>,
  header: Header,
): AsyncGenerator<FileRecord> {
  let columns: Columns | null = null
  for await (const { number, cells } of rows) {
    if (columns) yield toRecord(`row ${number}`, cells, columns)
    else if (isHeader(cells)) columns = await readColumns(header, cells.map(toHeader))
  }
}

/** A date in a header is a day, usually. */
const toHeader = (cell: CellValue) =>
  cell === null ? null : String(cell).replace(/T00:00:00\.000Z$/, '')

const separatorHint =
  ': quote cells that contain the separator, and remove titles above the column names'

async function* csvRecords(
  texts: AsyncIterable<string>,
  header: Header,
): AsyncGenerator<FileRecord> {
  let columns: Columns | null = null
  for await (const { line, cells: written } of readCsv(texts)) {
    const cells = written.map((cell) => formulaText(cell) ?? cell)
    if (cells.some((cell, at) => cell !== written[at]))
      header.notes.add('Cells such as ="00123" were read as their texts')
    if (cells.every((cell) => cell === null || cell === endOfFile)) continue
    if (columns) yield toRecord(`line ${line}`, cells, columns, separatorHint)
    else if (isHeader(cells)) columns = await readColumns(header, cells)
  }
}

/** Old programs write it after the last record. */
const endOfFile = '\x1a'
const maxEmpty = 100

/**
 * A record with too many cells is not a row: its cells may be shifted. Programs write separators without a
 * cell at the end.
 */
function toRecord(
  place: string,
  all: CellValue[],
  { count, kept }: Columns,
  hint = '',
): FileRecord {
  const length = all.findLastIndex((cell) => cell !== null) + 1
  const isLonger = length > count || all.length > count + maxEmpty
  let size = 0
  for (const cell of isLonger ? all : all.slice(0, count))
    size += String(cell ?? '').length + 1
  const values: Record<string, unknown> = {}
  for (const { at, name } of kept) {
    const cell = all[at] ?? null
    if (cell !== null) values[name] = cell
  }
  if (!isLonger) return checked({ place, size, values })
  const extra = all.slice(count, count + maxKept).map((cell) => String(cell ?? ''))
  const wrong = `expected ${count} cells, found ${all.length}${hint}`
  return checked({ place, size, values, extra, wrong })
}

async function* jsonRecords(
  texts: AsyncIterable<string>,
  names: RecordNames,
): AsyncGenerator<FileRecord> {
  let only: JsonRecord | null = null
  let count = 0
  for await (const record of readJson(texts)) {
    if (count > 0) {
      if (only) yield toJsonRecord(only, names)
      only = null
      yield toJsonRecord(record, names)
    } else only = record
    count++
  }
  if (!only) return
  rejectWrapper(only.value)
  yield toJsonRecord(only, names)
}

/** Throws InvalidDataFormat for the only value of a file if it is an object around the rows. */
function rejectWrapper(value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const list = Object.entries(value).find(
    ([, one]) => Array.isArray(one) && one.length > 0 && one.every(isPlainObject),
  )
  const isRow = Object.values(value).filter((one) => typeof one === 'string').length > 1
  if (list && !isRow)
    throw new ApiError(
      'InvalidDataFormat',
      `The JSON is one object with the list ${JSON.stringify(list[0].slice(0, 100))}: ${jsonShapes}`,
    )
}

const isPlainObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function toJsonRecord(
  { number, size, value, wrong }: JsonRecord,
  names: RecordNames,
): FileRecord {
  const place = `value ${number}`
  const invalid = (reason: string) => ({ place, size, values: {}, wrong: reason })
  if (wrong !== undefined) return invalid(wrong)
  if (!isPlainObject(value)) return invalid('not a JSON object')
  const object = value as Record<string, unknown>
  if (Object.keys(object).length > maxFileColumns)
    return invalid(`more than ${maxFileColumns} keys`)
  const columns = names.fromKeys(Object.keys(object))
  if (!columns) return invalid('two keys name the same column')
  const entries = Object.values(object).map((one, at) => [columns[at]!, one] as const)
  return checked({ place, size, values: Object.fromEntries(entries) })
}

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
