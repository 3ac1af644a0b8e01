// Repeats the text of a cell of several rows in each of them, so that every row makes sense alone.
import { parseColumn } from './cell-reference.ts'
import type { CellValue, WorkbookRow } from './sheets.ts'

interface MergedCell {
  column: number
  /** Numbers of the first and the last row. */
  first: number
  last: number
}

/** Ranges of several rows; hostile files have more. */
const maxMerged = 10_000
/** At once. */
const maxOpen = 100
/** As in documents: longer texts are not repeated. */
const maxRepeated = 200

/** Finds the ranges in the XML of a sheet, where they follow the rows. */
export async function findMergedCells(xml: AsyncIterable<string>): Promise<MergedCell[]> {
  const found: MergedCell[] = []
  let rest = ''
  for await (const piece of xml) {
    const text = rest + piece
    for (const [, ref] of text.matchAll(
      /<(?:\w+:)?mergeCell\s[^<>]{0,200}?ref="([^"]{3,40})"[^<>]*>/g,
    ))
      if (found.length < maxMerged) found.push(...toMergedCell(ref!))
    const last = text.lastIndexOf('<')
    const isOpen = last >= 0 && text.length - last < maxTag && !text.includes('>', last)
    rest = isOpen ? text.slice(last) : ''
  }
  return found
}

const maxTag = 500

function toMergedCell(ref: string): MergedCell[] {
  const [from = '', to = ''] = ref.split(':')
  const column = parseColumn(from)
  const [first, last] = [from, to].map((one) => Number(/\d+$/.exec(one)?.[0])) as [
    number,
    number,
  ]
  return column !== null && last > first ? [{ column, first, last }] : []
}

/** Fills the rows in their order. */
export class MergedCells {
  /** Those of the next rows, by their first row. */
  readonly #byRow = new Map<number, MergedCell[]>()
  #open: (MergedCell & { value: CellValue })[] = []

  constructor(cells: MergedCell[]) {
    for (const cell of cells) {
      const others = this.#byRow.get(cell.first)
      if (others) others.push(cell)
      else this.#byRow.set(cell.first, [cell])
    }
  }

  fill(row: WorkbookRow): WorkbookRow {
    this.#open = this.#open.filter(({ last }) => last >= row.number)
    const cells = [...row.cells]
    for (const { column, value } of this.#open) {
      while (cells.length <= column) cells.push(null)
      cells[column] ??= value
    }
    for (const cell of this.#byRow.get(row.number) ?? []) {
      const value = cells[cell.column] ?? null
      const isShort = value !== null && String(value).length <= maxRepeated
      if (isShort && this.#open.length < maxOpen) this.#open.push({ ...cell, value })
    }
    return { ...row, cells }
  }
}
