// Reads ODS (OpenDocument 1.3, part 3, 9): all sheets are in one part, and equal rows and cells are
// written once with their number.
import { UnreadableFile } from '../blocks.ts'
import { streamText } from '../office/office-package.ts'
import { createXmlParser } from '../office/office-xml.ts'
import type { ZipArchive } from '../office/zip-archive.ts'
import { toTextStyle } from '../open-document/text-styles.ts'
import { isStruckText, marked, resolveMarks, type TextStyle } from '../text/text-marks.ts'
import { toReference } from './cell-reference.ts'
import { struckRemark, toDateCell } from './cell-values.ts'
import { Remarks } from './remarks.ts'
import { maxCells, maxRows } from './sheet-rows.ts'
import {
  type CellValue,
  type CellView,
  remedy,
  type Sheet,
  type WorkbookRow,
} from './sheets.ts'

const content = 'content.xml'

/** Throws UnreadableFile. */
export async function openOds(zip: ZipArchive): Promise<Sheet[]> {
  const { names, styles, isSpreadsheet } = await listTables(zip)
  if (!isSpreadsheet) throw new UnreadableFile(`This document is no workbook${remedy}`)
  return names.map(({ name, isHidden }, index) => {
    const remarks = new Remarks()
    return {
      name,
      isHidden,
      rows: (view) => readTable(zip, index, { name, view, styles, remarks }),
      remarks: () => remarks.list(),
    }
  })
}

async function listTables(zip: ZipArchive) {
  const hidden = new Set<string>()
  const names: { name: string; isHidden: boolean }[] = []
  const styles = new Map<string, TextStyle>()
  let style = ''
  let depth = 0
  let isSpreadsheet = false
  const parser = createXmlParser({
    open(tag, attributes) {
      if (tag === 'spreadsheet') isSpreadsheet = true
      else if (tag === 'style') style = attributes.name ?? ''
      else if (tag === 'table-properties' && attributes.display === 'false')
        hidden.add(style)
      else if (tag === 'text-properties') styles.set(style, toTextStyle(attributes))
      else if (tag === 'table' && depth++ === 0)
        names.push({
          name: attributes.name ?? '',
          isHidden: hidden.has(attributes['style-name'] ?? ''),
        })
    },
    close(tag) {
      if (tag === 'table') depth--
    },
  })
  for await (const piece of streamText(zip, content)) parser.write(piece)
  parser.end()
  return { names, styles, isSpreadsheet }
}

interface TableContext {
  name: string
  view: CellView
  /** By name. */
  styles: Map<string, TextStyle>
  remarks: Remarks
}

async function* readTable(
  zip: ZipArchive,
  index: number,
  context: TableContext,
): AsyncGenerator<WorkbookRow> {
  const table = new TableReader(index, context)
  const parser = createXmlParser(table)
  for await (const piece of streamText(zip, content)) {
    parser.write(piece)
    yield* table.taken()
    if (table.isRead) return
  }
  parser.end()
  yield* table.taken()
}

class TableReader {
  readonly #index: number
  readonly #context: TableContext
  #rows: WorkbookRow[] = []
  #at = -1
  /** Of tables in cells: their content is not read. */
  #depth = 0
  #row: CellValue[] = []
  #number = 0
  #repeatedRows = 1
  #column = 0
  #cellCount = 0
  #attributes: Record<string, string> = {}
  /** With marks. */
  #lines: string[] | null = null
  /** Of the open spans of a cell. */
  #spans: TextStyle[] = []
  #annotations = 0
  isRead = false

  constructor(index: number, context: TableContext) {
    this.#index = index
    this.#context = context
  }

  taken(): WorkbookRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open = (tag: string, attributes: Record<string, string>): void => {
    if (tag === 'table' && this.#depth++ === 0) this.#at++
    if (!this.#isHere) return
    if (tag === 'table-row') {
      this.#row = []
      this.#column = 0
      this.#repeatedRows = repeated(attributes['number-rows-repeated'])
    } else if (tag === 'table-cell' || tag === 'covered-table-cell') {
      this.#attributes = attributes
      this.#lines = []
      this.#spans = []
    } else if (tag === 'annotation') this.#annotations++
    else if (this.#lines && this.#annotations === 0) this.#openText(tag, attributes)
  }

  #openText(
    tag: string,
    { c = '1', 'style-name': style = '' }: Record<string, string>,
  ): void {
    if (tag === 'p' || tag === 'h') this.#lines!.push('')
    else if (tag === 'span') this.#spans.push(this.#context.styles.get(style) ?? {})
    else if (tag === 's') this.text(' '.repeat(Math.min(repeated(c), 1_000)))
    else if (tag === 'tab') this.text('\t')
    else if (tag === 'line-break') this.text('\n')
  }

  text = (text: string): void => {
    if (!this.#isHere || !this.#lines?.length || this.#annotations > 0) return
    const style = { ...this.#context.styles.get(this.#attributes['style-name'] ?? '') }
    for (const span of this.#spans) Object.assign(style, span)
    this.#lines[this.#lines.length - 1] += marked(text, style)
  }

  close = (tag: string): void => {
    if (this.#isHere) {
      if (tag === 'annotation') this.#annotations--
      else if (tag === 'span' && this.#annotations === 0) this.#spans.pop()
      else if (tag === 'table-cell' || tag === 'covered-table-cell') this.#endCell()
      else if (tag === 'table-row') this.#endRow()
    }
    if (tag === 'table' && --this.#depth === 0) this.isRead = this.#at === this.#index
  }

  get #isHere(): boolean {
    return this.#at === this.#index && this.#depth === 1
  }

  #endCell(): void {
    const count = repeated(this.#attributes['number-columns-repeated'])
    const value = this.#value()
    this.#lines = null
    if (value !== null && value !== '') {
      this.#countCells(this.#column + count - this.#row.length)
      while (this.#row.length < this.#column) this.#row.push(null)
      for (let n = 0; n < count; n++) this.#row.push(value)
    }
    this.#column += count
  }

  #endRow(): void {
    if (this.#row.length > 0) {
      if (this.#number + this.#repeatedRows > maxRows)
        throw this.#unreadable(`exceeds ${maxRows} rows`)
      this.#countCells((this.#repeatedRows - 1) * this.#row.length)
      for (let n = 1; n <= this.#repeatedRows; n++)
        this.#rows.push({ number: this.#number + n, cells: this.#row })
    }
    this.#number += this.#repeatedRows
  }

  #countCells(count: number): void {
    this.#cellCount += count
    if (this.#cellCount > maxCells) throw this.#unreadable(`exceeds ${maxCells} cells`)
  }

  #unreadable = (problem: string) =>
    new UnreadableFile(`The sheet "${this.#context.name}" ${problem}`)

  #value(): CellValue {
    const { view, remarks } = this.#context
    const attributes = this.#attributes
    const written = this.#lines!.join('\n')
    const shown = resolveMarks(written, { keepsStruck: view === 'text' })
    const isError =
      attributes['value-type'] === 'error' ||
      /^#(?:N\/A|REF!|DIV\/0!|NAME\?|VALUE!|NUM!|NULL!)$|^Err:\d+$/.test(shown)
    if (isError && view === 'data' && attributes.formula !== undefined) {
      remarks.add(
        'Cells with errors such as #N/A are empty',
        toReference(this.#column, this.#number + 1),
      )
      return null
    }
    if (view === 'text') return shown
    if (isStruckText(written))
      remarks.add(struckRemark, toReference(this.#column, this.#number + 1))
    return toDataValue(attributes, shown)
  }
}

function toDataValue(attributes: Record<string, string>, shown: string): CellValue {
  switch (attributes['value-type']) {
    case 'float':
    case 'currency':
    case 'percentage':
      return isPaddedCode(shown, Number(attributes.value))
        ? shown
        : Number(attributes.value)
    case 'boolean':
      return attributes['boolean-value'] === 'true'
    case 'date':
      return toDateCell(attributes['date-value'] ?? shown, 'data')
    case 'time':
      return toClockText(attributes['time-value'] ?? '') ?? shown
    case undefined:
      return shown === '' ? null : shown
    default:
      return attributes['string-value'] ?? shown
  }
}

/** Whether the number is shown as a code with zeros in front: 00123, or A-0012. */
const isPaddedCode = (shown: string, number: number) =>
  Number.isInteger(number) &&
  /^[^\d.,%]*0\d[^.,%]*$/.test(shown) &&
  shown.replaceAll(/\D/g, '').replace(/^0+/, '') ===
    String(Math.abs(number)).replace(/^0$/, '')

/** Converts a duration such as PT10H30M00S. */
function toClockText(duration: string): string | null {
  const [, sign, hours, minutes, seconds] =
    /^(-?)PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/.exec(duration) ?? []
  if (hours === undefined) return null
  const two = (text: string) => text.padStart(2, '0')
  const rest = Number(seconds) > 0 ? `:${two(seconds!)}` : ''
  return `${sign}${two(hours)}:${two(minutes!)}${rest}`
}

const repeated = (text = '1') => Math.max(1, Math.min(Number(text) || 1, maxRows))
