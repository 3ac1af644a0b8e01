// Streams the rows of one XLSX sheet.
import { Parser } from 'htmlparser2'
import { depthGuard, UnreadableFile } from '../blocks.ts'
import { localName } from '../office/office-xml.ts'
import { parseColumn, toReference } from './cell-reference.ts'
import { type RawCell, toCellValue } from './cell-values.ts'
import { RichText } from './rich-text.ts'
import type { SheetContext } from './sheet-context.ts'
import type { WorkbookRow } from './sheets.ts'

/** As many as spreadsheet programs have. */
export const maxRows = 1_048_576
/** Including empty ones before the last of a row. */
export const maxCells = 10_000_000

/** Yields rows with cells. Throws UnreadableFile. */
export async function* readSheet(
  xml: AsyncIterable<string>,
  context: SheetContext,
): AsyncGenerator<WorkbookRow> {
  const reader = new SheetReader(context)
  for await (const piece of xml) yield* reader.read(piece)
  reader.end()
  yield* reader.read('')
}

class SheetReader {
  readonly #context: SheetContext
  readonly #parser: Parser
  readonly #depth = depthGuard()
  #rows: WorkbookRow[] = []
  #row: WorkbookRow = { number: 0, cells: [] }
  #column = 0
  #cell: RawCell = emptyCell
  #text = new RichText()
  #rowCount = 0
  #cellCount = 0
  #isClosed = false

  constructor(context: SheetContext) {
    this.#context = context
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(localName(name), attributes),
        ontext: (text) => this.#text.text(text),
        onclosetag: (name, isImplied) => this.#close(localName(name), isImplied),
      },
      { xmlMode: true, decodeEntities: true },
    )
  }

  *read(piece: string): Generator<WorkbookRow> {
    if (piece !== '') this.#parser.write(piece)
    const rows = this.#rows
    this.#rows = []
    yield* rows
  }

  end(): void {
    this.#parser.end()
    if (!this.#isClosed) throw this.#unreadable('is damaged: its end is missing')
  }

  #open(tag: string, attributes: Record<string, string>): void {
    this.#depth.opened()
    if (tag === 'row') this.#beginRow(attributes.r)
    else if (tag === 'c') this.#beginCell(attributes)
    else if (tag === 'v' || tag === 't') this.#cell.hasValue = true
    else if (tag === 'f') this.#cell.isFormula = true
    else if (tag === 'mergeCell')
      this.#context.remarks.add(mergedCells, attributes.ref ?? '')
    this.#text.open(tag, attributes)
  }

  #close(tag: string, isImplied: boolean): void {
    this.#depth.closed()
    this.#text.close(tag)
    if (tag === 'c') this.#endCell()
    else if (tag === 'row' && this.#row.cells.length > 0) this.#rows.push(this.#row)
    else if (tag === 'worksheet') this.#isClosed = !isImplied
  }

  #beginRow(reference = ''): void {
    this.#row = { number: Number(reference) || this.#row.number + 1, cells: [] }
    this.#column = 0
    this.#rowCount += 1
    if (this.#rowCount > maxRows || this.#row.number > maxRows)
      throw this.#unreadable(`exceeds ${maxRows} rows`)
  }

  #beginCell({ r, t = '', s = '' }: Record<string, string>): void {
    const column = r === undefined ? this.#column : parseColumn(r)
    if (column === null)
      throw this.#unreadable(`has a cell at "${r}", beyond the last column`)
    this.#column = column
    this.#text = new RichText()
    this.#cell = {
      type: t,
      text: '',
      style: this.#context.styles[Number(s || -1)],
      ...fresh,
    }
  }

  #endCell(): void {
    const { cells, number } = this.#row
    const reference = toReference(this.#column, number)
    this.#cell.text = this.#text.content
    const value = toCellValue(this.#cell, reference, this.#context)
    if (value !== null && value !== '') {
      this.#cellCount += Math.max(1, this.#column + 1 - cells.length)
      if (this.#cellCount > maxCells) throw this.#unreadable(`exceeds ${maxCells} cells`)
      while (cells.length < this.#column) cells.push(null)
      cells[this.#column] = value
    }
    this.#column += 1
  }

  #unreadable = (problem: string) =>
    new UnreadableFile(`The sheet "${this.#context.name}" ${problem}`)
}

const fresh = { isFormula: false, hasValue: false }
const emptyCell: RawCell = { type: '', text: '', style: undefined, ...fresh }
const mergedCells = 'Only the first of merged cells has their value'
