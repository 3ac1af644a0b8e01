// Workbooks (ECMA-376, SpreadsheetML): each sheet is a table below its name. Formulas are read as
// their stored values.
import { type Block, UnreadableFile } from './blocks.ts'
import { rowText } from './csv.ts'
import { openParts, readXml, relationsOf, type ZipParts } from './office-zip.ts'

/** A row with cells: its number in the sheet, from 1. */
export interface WorkbookRow {
  number: number
  cells: string[]
}

const wantedParts =
  /^xl\/(?:workbook|sharedStrings|styles|worksheets\/[^/]+)\.xml$|^xl\/_rels\/workbook\.xml\.rels$/

export function* xlsxBlocks(bytes: Uint8Array): Generator<Block> {
  const parts = openParts(bytes, wantedParts)
  const strings = sharedStrings(parts)
  for (const { name, path } of sheetsOf(parts)) {
    const [header, ...rows] = rowsOf(parts.get(path) ?? '', { strings, dates: new Set() })
      .map(({ cells }) => rowText(cells))
      .filter((row) => row !== '')
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

interface Texts {
  strings: string[]
  /** The styles of cells that contain dates. */
  dates: Set<number>
}

function rowsOf(xml: string, { strings, dates }: Texts): WorkbookRow[] {
  const rows: WorkbookRow[] = []
  let row: WorkbookRow = { number: 0, cells: [] }
  let [type, style, value] = ['', '', '']
  let reading = false
  readXml(xml, {
    open(tag, { t = '', r = '', s = '' }) {
      if (tag === 'row') row = { number: Number(r) || row.number + 1, cells: [] }
      else if (tag === 'c') {
        ;[type, style, value] = [t, s, '']
        // Empty cells may be omitted in the file.
        while (row.cells.length < columnOf(r)) row.cells.push('')
      } else if (tag === 'v' || tag === 't') reading = true
    },
    text(content) {
      if (reading) value += content
    },
    close(tag) {
      if (tag === 'v' || tag === 't') reading = false
      else if (tag === 'c') row.cells.push(cellText(type, value, dates.has(Number(style || -1))))
      else if (tag === 'row') rows.push(row)
    },
  })
  return rows

  function cellText(type: string, value: string, isDate: boolean): string {
    if (type === 's') return strings[Number(value)] ?? ''
    return isDate && type !== 'str' && type !== 'inlineStr' ? dateText(value) : value
  }
}

/** In characters of all cells. */
const maxLength = 64 * 1_048_576

/** Returns the rows of the first sheet with any, for tables: dates as texts. Throws UnreadableFile. */
export function workbookRows(bytes: Uint8Array): WorkbookRow[] {
  const parts = openParts(bytes, wantedParts)
  const texts = { strings: sharedStrings(parts), dates: dateStyles(parts) }
  for (const { path } of sheetsOf(parts)) {
    const rows = rowsOf(parts.get(path) ?? '', texts).filter(({ cells }) =>
      cells.some((cell) => cell !== ''),
    )
    let length = 0
    for (const { cells } of rows) for (const cell of cells) length += cell.length + 1
    if (length > maxLength)
      throw new UnreadableFile(`The workbook exceeds ${maxLength} characters; save it as CSV`)
    if (rows.length > 0) return rows
  }
  return []
}

/** Formats of dates and times in every workbook; others contain letters of dates. */
const builtInDates = /^(?:1[4-9]|2[0-2]|2[7-9]|3[0-6]|4[5-7]|5[0-8])$/

function dateStyles(parts: ZipParts): Set<number> {
  const formats = new Map<string, string>()
  const dates = new Set<number>()
  let isInCells = false
  let style = 0
  readXml(parts.get('xl/styles.xml') ?? '', {
    open(tag, { numFmtId = '', formatCode = '' }) {
      if (tag === 'numFmt') formats.set(numFmtId, formatCode)
      else if (tag === 'cellXfs') isInCells = true
      else if (tag === 'xf' && isInCells) {
        // Without quoted texts, colours and conditions.
        const code = formats.get(numFmtId)?.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, '') ?? ''
        if (builtInDates.test(numFmtId) || /[dmyhs]/i.test(code)) dates.add(style)
        style++
      }
    },
    close(tag) {
      if (tag === 'cellXfs') isInCells = false
    },
  })
  return dates
}

const dayMs = 86_400_000
/** Day 0 of the calendar of workbooks. */
const firstDay = Date.UTC(1899, 11, 30)

/** Converts a number of days. */
function dateText(value: string): string {
  const days = Number(value)
  const date = new Date(firstDay + Math.round(days * 86_400) * 1_000)
  if (value === '' || Number.isNaN(date.getTime()) || days * dayMs < 0) return value
  return date.toISOString()
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
