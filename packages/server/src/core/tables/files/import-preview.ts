// Previews a file before its import: columns, inferred types and first rows.
import { ApiError } from '@botstead/contract'
import { nextSlice } from '@botstead/lib'
import type { Blobs } from '../../files/index.ts'
import { columnNamed } from '../columns.ts'
import { coerceCell } from '../rows/cells.ts'
import { isComputed } from '../rows/row-input.ts'
import type { TableRow } from '../tables.ts'
import { type FileRecord, openRecords, type RecordFile } from './file-records.ts'
import { type ColumnShape, inferShape } from './inference.ts'
import type { Workbooks } from './workbooks.ts'

const maxRead = 500
const maxCharacters = 1_048_576
/** Characters within which the rows are counted: under a second. */
const maxCounted = 16 * 1_048_576
const maxRows = 20
const maxNames = 100

interface Content {
  key: string
  blob: string
  size: number
  contentType: string
}

/** Throws InvalidDataFormat, LimitExceeded. */
export async function previewFile(
  { blobs, workbooks }: { blobs: Blobs; workbooks: Pick<Workbooks, 'read'> },
  { key, blob, size, contentType }: Content,
  tenant: string,
) {
  const content = await blobs.read(blob)
  let file: RecordFile | undefined
  try {
    file = await openRecords({
      content,
      key,
      contentType,
      readWorkbook: (whole) =>
        workbooks.read({ content: whole, size, tenant }, 'preview'),
    })
    return await previewRecords(file)
  } finally {
    content.destroy()
    await file?.close()
  }
}

async function previewRecords({ format, names, records, isCut }: RecordFile) {
  const { read, count, isCountComplete } = await readFirst(records)
  const values = read.map((record) => record.values)
  const shown = [...names].slice(0, maxNames)
  const columns: { name: string; type: PreviewType }[] = []
  for (const name of shown) {
    await nextSlice()
    columns.push({ name, type: usualType(listValues(values, name), format !== 'csv') })
  }
  const isWhole = names.size <= maxNames
  const rows = values
    .slice(0, maxRows)
    .map((row) => (isWhole ? row : pickCells(row, shown)))
  const hasMore = read.length > maxRows
  return {
    format,
    columns,
    rows,
    hasMore,
    count,
    isCountComplete: isCountComplete && !isCut,
  }
}

const pickCells = (row: FileRecord['values'], names: string[]) =>
  Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(row, name) ? [[name, row[name]]] : [])),
  )

const listValues = (records: FileRecord['values'][], name: string) =>
  records.flatMap((record) => (Object.hasOwn(record, name) ? [record[name]] : []))

type PreviewType = ColumnShape['type'] | 'date'

/** Share of the values that have the type of a column. The import rejects the others. */
const usualShare = 0.9

/** A wrong value among many does not change the type. */
function usualType(values: unknown[], isTyped: boolean): PreviewType {
  const counts = new Map<PreviewType, number>()
  const given = values.filter(
    (value) => value !== undefined && value !== null && value !== '',
  )
  for (const value of given) {
    const { type } = inferShape([value], isTyped)!
    const name = type === 'string' && 'value' in coerceCell('date', value) ? 'date' : type
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const usual = [...counts].find(([, count]) => count >= given.length * usualShare)
  return usual?.[0] ?? 'string'
}

/** Returns the first records for the preview, and counts those after them. */
async function readFirst(records: AsyncGenerator<FileRecord>) {
  const read: FileRecord[] = []
  let [count, size] = [0, 0]
  for await (const record of records) {
    if (size > maxCounted) return { read, count, isCountComplete: false }
    const isPreviewed = read.length < maxRead && size <= maxCharacters
    if (isPreviewed && record.wrong === undefined) read.push(record)
    count += 1
    size += record.size + 1
  }
  return { read, count, isCountComplete: true }
}

/** Throws InvalidPayload for an unknown or computed column, and for one with two sources. */
export function checkImportColumns(
  table: TableRow,
  columns: Record<string, string>,
): void {
  const invalid = (reason: string) =>
    new ApiError('InvalidPayload', `\`columns\`: ${reason}`)
  const names = Object.values(columns)
  if (names.length === 0) throw invalid('name at least one column')
  for (const [at, name] of names.entries()) {
    const column = columnNamed(table.columns, name)
    if (!column) throw invalid(`the table has no column "${name}"`)
    if (isComputed(table, column)) throw invalid(`the column "${name}" is computed`)
    if (names.indexOf(name) < at) throw invalid(`the column "${name}" appears twice`)
  }
}
