// Collects the blocks of an HTML document: the open ones, their cells and rows, and the finished ones.
import { type Block, type BlockKind, oneLine } from './blocks.ts'
import { rowText } from './csv.ts'

/** An open block. A table for layout is a container of paragraphs. */
interface Container {
  kind: BlockKind | 'layout'
  /** Text of the block, or of the current cell. */
  text: string
  cells: string[]
  /** By column: the text of a cell that continues in the next rows, and the number of these. */
  below: { text: string; rows: number }[]
  rows: string[]
  /** The next number of each open list, the innermost last; null for bullets. */
  numbers: (number | null)[]
}

const newContainer = (kind: Container['kind']): Container => ({
  kind,
  text: '',
  cells: [],
  below: [],
  rows: [],
  numbers: [],
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
    const rows = findSpan(rowspan) - 1
    const text = table.text.length > maxRepeated ? '' : table.text
    for (let n = 0; n < findSpan(colspan); n++) {
      if (rows > 0) below[cells.length] = { text: n === 0 ? text : '', rows }
      cells.push(n === 0 ? table.text : '')
    }
    table.text = ''
  }

  endRow(table: Container): void {
    if (table.text.trim() !== '') this.endCell(table)
    if (table.cells.length === 0) return
    while (table.cells.length < table.below.length) if (!fillFromAbove(table)) table.cells.push('')
    const row = rowText(table.cells)
    table.cells = []
    if (row !== '') table.rows.push(row)
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
    const [header, ...rows] = here.rows
    here.rows = []
    if (header === undefined) return
    this.found.push(
      rows.length > 0
        ? { kind: 'table', header, text: rows.join('\n') }
        : { kind: 'table', text: header },
    )
  }

  addBlock(kind: BlockKind, container: Container): void {
    const content = readContent(kind, container.text)
    container.text = ''
    if (content === '') return
    if (this.heading > 0)
      this.found.push({ kind: 'heading', level: this.heading, text: oneLine(content) })
    else this.found.push({ kind, text: content })
  }
}

const maxSpan = 100
const findSpan = (span = '1') => Math.min(Math.max(Math.trunc(Number(span)) || 1, 1), maxSpan)
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
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').trimEnd())
    .map((line) => line.replace(/^ (?! *(?:-|\d+\.) )/, ''))
    .filter((line) => !/^\s*(?:-|-?\d+\.)?$/.test(line))
    .join('\n')
