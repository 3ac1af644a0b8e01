// Workbooks (ECMA-376, SpreadsheetML): each sheet is a table below its name. Formulas are read as
// their stored values.
import type { Block } from './blocks.ts'
import { rowText } from './csv.ts'
import { openParts, readXml, relationsOf, type ZipParts } from './office-zip.ts'

export function* xlsxBlocks(bytes: Uint8Array): Generator<Block> {
  const parts = openParts(
    bytes,
    /^xl\/(?:workbook|sharedStrings|worksheets\/[^/]+)\.xml$|^xl\/_rels\/workbook\.xml\.rels$/,
  )
  const strings = sharedStrings(parts)
  for (const { name, path } of sheetsOf(parts)) {
    const [header, ...rows] = rowsOf(parts.get(path) ?? '', strings)
    if (header === undefined) continue
    yield { kind: 'heading', level: 1, text: name }
    yield rows.length > 0
      ? { kind: 'table', header, text: rows.join('\n') }
      : { kind: 'table', text: header }
  }
}

function sheetsOf(parts: ZipParts): { name: string; path: string }[] {
  const targets = relationsOf(parts, 'xl', 'workbook.xml')
  const sheets: { name: string; path: string }[] = []
  readXml(parts.get('xl/workbook.xml') ?? '', {
    open: (tag, { name = '', id = '' }) =>
      void (tag === 'sheet' && sheets.push({ name, path: targets.get(id) ?? '' })),
  })
  return sheets
}

function sharedStrings(parts: ZipParts): string[] {
  const strings: string[] = []
  let text = ''
  let reading = false
  let phonetic = false
  readXml(parts.get('xl/sharedStrings.xml') ?? '', {
    open(tag) {
      if (tag === 'si') text = ''
      else if (tag === 't') reading = true
      else if (tag === 'rPh') phonetic = true
    },
    text(content) {
      if (reading && !phonetic) text += content
    },
    close(tag) {
      if (tag === 't') reading = false
      else if (tag === 'rPh') phonetic = false
      else if (tag === 'si') strings.push(text)
    },
  })
  return strings
}

function rowsOf(xml: string, strings: string[]): string[] {
  const rows: string[] = []
  let cells: string[] = []
  let type = ''
  let value = ''
  let reading = false
  readXml(xml, {
    open(tag, { t = '', r = '' }) {
      if (tag === 'row') cells = []
      else if (tag === 'c') {
        type = t
        value = ''
        // Empty cells may be omitted in the file.
        while (cells.length < columnOf(r)) cells.push('')
      } else if (tag === 'v' || tag === 't') reading = true
    },
    text(content) {
      if (reading) value += content
    },
    close(tag) {
      if (tag === 'v' || tag === 't') reading = false
      else if (tag === 'c') cells.push(type === 's' ? (strings[Number(value)] ?? '') : value)
      else if (tag === 'row') rows.push(rowText(cells))
    },
  })
  return rows.filter((row) => row !== '')
}

const maxColumns = 16_384

/** Returns the zero-based column of a cell reference: C7 is in column 2. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? ''
  return Math.min(
    maxColumns,
    Math.max(
      0,
      [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1,
    ),
  )
}
