// Comma-separated values and their variants. The first line names the columns.
import type { Block } from '../blocks.ts'
import { CsvReader, detectDialect, formulaText } from './csv-reader.ts'

export function* csvBlocks(text: string, separator?: string): Generator<Block> {
  let header: string | null = null
  let rows: string[] = []
  for (const cells of readRows(text, separator)) {
    const row = rowText(cells)
    if (row === '') continue
    if (header === null) header = row
    else rows.push(row)
    if (rows.length < rowsPerBlock) continue
    yield { kind: 'table', header, text: rows.join('\n') }
    rows = []
  }
  if (rows.length > 0) yield { kind: 'table', header: header!, text: rows.join('\n') }
  else if (header !== null) yield { kind: 'table', text: header }
}

function* readRows(text: string, separator?: string): Generator<string[]> {
  const { delimiter, from } = detectDialect(text.slice(0, 16_384))
  const reader = new CsvReader(separator ?? delimiter)
  for (const records of [reader.read(text.slice(from)), reader.end()])
    for (const { cells } of records)
      yield cells.map((cell) => formulaText(cell) ?? cell ?? '')
}

const rowsPerBlock = 100

/** Joins the cells of a row, without empty ones at the end. */
export const rowText = (cells: string[]) =>
  cells
    .map((cell) => cell.replaceAll(/\s+/g, ' ').trim())
    .join(' | ')
    .replace(/(?: \| ?)+$/, '')
