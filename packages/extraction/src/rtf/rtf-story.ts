// Collects the paragraphs, lists and tables of a document in Rich Text Format.
import { type Block, oneLine } from '../blocks.ts'
import { rowText } from '../csv/csv.ts'
import { resolveMarks } from '../text/text-marks.ts'

export interface Paragraph {
  /** From 1; 0 outside of headings. */
  headingLevel: number
  isInTable: boolean
}

export class RtfStory {
  readonly #found: Block[] = []
  #text = ''
  /** The number or the bullet of a list item. */
  #label = ''
  #items: string[] = []
  #cells: string[] = []
  #rows: string[] = []
  /** Footnotes of the open paragraph. */
  #notes: string[] = []

  add(text: string): void {
    this.#text += text
  }

  setLabel(text: string): void {
    const label = oneLine(text)
    this.#label = /[\p{L}\p{N}]/u.test(label) ? label : '-'
  }

  addNote(text: string): void {
    if (text !== '') this.#notes.push(text)
  }

  endParagraph({ headingLevel, isInTable }: Paragraph): void {
    // A cell may have several paragraphs.
    if (isInTable) this.add('\n')
    else this.#endBody(headingLevel)
  }

  #endBody(headingLevel: number): void {
    this.#endTable()
    const text = this.#takeText()
    const label = this.#label
    this.#label = ''
    if (text !== '' && label !== '' && headingLevel === 0)
      this.#items.push(`${label} ${text}`)
    else {
      this.#endList()
      if (text !== '')
        this.#found.push(toBlock([label, text].join(' ').trim(), headingLevel))
    }
    this.#endNotes()
  }

  endCell(): void {
    this.#endList()
    this.#cells.push([this.#label, this.#takeText()].join(' ').trim())
    this.#label = ''
  }

  endRow(): void {
    const row = rowText(this.#cells)
    this.#cells = []
    if (row !== '') this.#rows.push(row)
  }

  end(): Block[] {
    this.#endBody(0)
    this.#endList()
    return this.#found
  }

  #takeText(): string {
    const text = resolveMarks(this.#text)
    this.#text = ''
    return text
      .split('\n')
      .map(oneLine)
      .filter((line) => line !== '')
      .join('\n')
  }

  #endList(): void {
    if (this.#items.length > 0)
      this.#found.push({ kind: 'list', text: this.#items.join('\n') })
    this.#items = []
  }

  #endTable(): void {
    if (this.#cells.length > 0) this.endRow()
    const [header, ...rows] = this.#rows
    this.#rows = []
    if (header === undefined) return
    this.#endList()
    this.#found.push(
      rows.length > 0
        ? { kind: 'table', header, text: rows.join('\n') }
        : { kind: 'table', text: header },
    )
    this.#endNotes()
  }

  #endNotes(): void {
    for (const text of this.#notes) this.#found.push({ kind: 'paragraph', text })
    this.#notes = []
  }
}

const toBlock = (text: string, level: number): Block =>
  level > 0
    ? { kind: 'heading', level, text: oneLine(text) }
    : { kind: 'paragraph', text }
