// Collects the blocks of an HTML document: the open ones, their cells and rows, and the finished ones.
import { type Block, type BlockKind, oneLine } from './blocks.ts'
import { rowText } from './csv.ts'

/** An open block. A table for layout is a container of paragraphs. */
interface Container {
  kind: BlockKind | 'layout'
  /** Text of the block, or of the current cell. */
  text: string
  cells: string[]
  rows: string[]
  /** The next number of each open list, the innermost last; null for bullets. */
  numbers: (number | null)[]
}

const newContainer = (kind: Container['kind']): Container => ({
  kind,
  text: '',
  cells: [],
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

  endCell(table: Container): void {
    table.cells.push(table.text)
    table.text = ''
  }

  endRow(table: Container): void {
    if (table.text.trim() !== '') this.endCell(table)
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
    const content = contentOf(kind, container.text)
    container.text = ''
    if (content === '') return
    if (this.heading > 0)
      this.found.push({ kind: 'heading', level: this.heading, text: oneLine(content) })
    else this.found.push({ kind, text: content })
  }
}

function contentOf(kind: BlockKind, text: string): string {
  if (kind === 'code') return text.replace(/^\n+|\s+$/g, '')
  return kind === 'paragraph' || kind === 'blockquote' ? oneLine(text) : linesOf(text)
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').trimEnd())
    .map((line) => line.replace(/^ (?! *(?:-|\d+\.) )/, ''))
    .filter((line) => !/^\s*(?:-|-?\d+\.)?$/.test(line))
    .join('\n')
