// Collects the blocks of an HTML document: the open ones, their cells and rows, and the finished ones.
import { type Block, type BlockKind, oneLine } from '../blocks.ts'
import { rowText } from '../csv/csv.ts'
import { resolveMarks } from '../text/text-marks.ts'
import type { OpenList } from './html-lists.ts'

/** An open block. A table for layout is a container of paragraphs. */
interface Container {
  kind: BlockKind | 'layout'
  /** Text of the block, or of the current cell. */
  text: string
  cells: string[]
  /** By column: the text of a cell that continues in the next rows, and the number of these. */
  below: { text: string; rows: number }[]
  /** Rows of a table, in the order in which they are shown. */
  rows: Record<Section, string[]>
  section: Section
  /** Whether the current row has other cells than those of headers. */
  hasData: boolean
  /** The open lists, the innermost last. */
  lists: OpenList[]
}

type Section = 'thead' | 'tbody' | 'tfoot'
const noRows = (): Container['rows'] => ({ thead: [], tbody: [], tfoot: [] })

/** Follows the label of a list item; no text has it (Unicode, 23.7). */
export const labelEnd = '\ufdd6'

const newContainer = (kind: Container['kind']): Container => ({
  kind,
  text: '',
  cells: [],
  below: [],
  rows: noRows(),
  section: 'tbody',
  hasData: false,
  lists: [],
})

export class HtmlBlocks {
  readonly found: Block[] = []
  /** Level of the current heading; 0 outside of headings. */
  heading = 0
  /** The innermost last; the first is the document. */
  readonly #containers = [newContainer('layout')]

  get here(): Container {
    return this.#containers.at(-1)!
  }

  /** Returns the action that closes the container. */
  openContainer(kind: Container['kind']): () => void {
    this.#containers.push(newContainer(kind))
    return () => {
      this.emit()
      this.#containers.pop()
    }
  }

  /** A cell of several columns is in the first, a cell of several rows in each. */
  endCell(table: Container, { colspan, rowspan }: Record<string, string> = {}): void {
    const { cells, below } = table
    while (fillFromAbove(table)) {}
    const rows = findRowSpan(rowspan) - 1
    const whole = resolveMarks(table.text)
    const text = whole.length > maxRepeated ? '' : whole
    for (let n = 0; n < findSpan(colspan); n++) {
      if (rows > 0) below[cells.length] = { text: n === 0 ? text : '', rows }
      cells.push(n === 0 ? whole : '')
    }
    table.text = ''
  }

  endRow(table: Container): void {
    if (table.text.trim() !== '') this.endCell(table)
    if (table.cells.length === 0) return
    while (table.cells.length < table.below.length)
      if (!fillFromAbove(table)) table.cells.push('')
    const row = rowText(table.cells)
    table.cells = []
    const isHeader =
      !table.hasData && table.section === 'tbody' && table.rows.tbody.length === 0
    table.hasData = false
    if (row !== '') table.rows[isHeader ? 'thead' : table.section].push(row)
  }

  /** Cells of several rows end with their section. */
  openSection(table: Container, name: string): void {
    this.endRow(table)
    table.below = []
    table.section = name as Section
  }

  /** Ends the current block, and with it a heading. */
  endBlock(): void {
    this.emit()
    this.heading = 0
  }

  emit(): void {
    const here = this.here
    if (here.kind !== 'table')
      return void this.addBlock(here.kind === 'layout' ? 'paragraph' : here.kind, here)
    this.endRow(here)
    const { thead, tbody, tfoot } = here.rows
    here.rows = noRows()
    const rows = [...tbody, ...tfoot]
    const header = thead.length > 0 ? thead.join('\n') : rows.shift()
    if (header === undefined) return
    this.found.push(
      rows.length > 0
        ? { kind: 'table', header, text: rows.join('\n') }
        : { kind: 'table', text: header },
    )
  }

  addBlock(kind: BlockKind, container: Container): void {
    const content = readContent(kind, resolveMarks(container.text))
    container.text = ''
    if (content === '') return
    if (this.heading > 0)
      this.found.push({ kind: 'heading', level: this.heading, text: oneLine(content) })
    else this.found.push({ kind, text: content })
  }
}

const maxSpan = 100
/** 0 is the rest of the section. */
const findRowSpan = (span = '1') =>
  span.trim() === '0' ? maxRows : Math.min(Math.trunc(Number(span)) || 1, maxRows)
const maxRows = 1_000
const findSpan = (span = '1') =>
  Math.min(Math.max(Math.trunc(Number(span)) || 1, 1), maxSpan)
/** Characters; longer cells are not repeated. */
const maxRepeated = 200

/** Adds the cell of the row above that continues at the next column, if there is one. */
function fillFromAbove({ cells, below }: Container): boolean {
  const above = below[cells.length]
  if (!above || above.rows === 0) return false
  above.rows--
  cells.push(above.text)
  return true
}

function readContent(kind: BlockKind, text: string): string {
  if (kind === 'code') return text.replace(/^\n+|\s+$/g, '')
  return kind === 'paragraph' || kind === 'blockquote' ? oneLine(text) : toLines(text)
}

const toLines = (text: string) =>
  text
    .split('\n')
    .map(toLine)
    .filter((line, at, all) => !emptyItem.test(line) || hasItems(line, all[at + 1]))
    .map((line) => line.replaceAll(labelEnd, ''))
    .join('\n')

const emptyItem = /^\s*(?:[^\s\ufdd6]{1,20}\ufdd6)?$/

/** Items keep their indentation. */
const toLine = (line: string): string => {
  const indent = line.includes(labelEnd) ? line.search(/\S/) : 0
  return ' '.repeat(indent) + line.replaceAll(/[ \t]+/g, ' ').trim()
}

/** Whether a numbered item without text begins with a nested list. */
const hasItems = (line: string, next = '') =>
  /[^-\s]\ufdd6$/.test(line) &&
  next.includes(labelEnd) &&
  next.search(/\S/) > line.search(/\S/)
