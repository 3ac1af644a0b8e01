// Values of cells as texts, and back. The server converts texts to numbers and dates, and rejects
// invalid ones.
import { texts } from '../../../texts/texts.ts'
import type { GridColumn } from '../columns.ts'

const { yes, no } = texts.tableViews.filter

/** Returns the text of a cell in the grid. */
export function shownText(value: unknown, column: Pick<GridColumn, 'type'>): string {
  const text = inputText(value, column)
  return column.type === 'boolean' ? ({ true: yes, false: no }[text] ?? text) : text
}

/**
 * Returns the text that an editor begins with. Dates have a short form, which the server reads as
 * the same time: without midnight, and without zeros at its end.
 */
export function inputText(value: unknown, { type }: Pick<GridColumn, 'type'>): string {
  const text = editedText(value)
  if (type !== 'date') return text
  const [, day, time, seconds] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:.*)Z$/.exec(text) ?? []
  if (!day) return text
  const shownTime = `${time}${seconds!.replace(/\.?0+$/, '').replace(/^:0?0?$/, '')}`
  return shownTime === '00:00' ? day : `${day} ${shownTime}`
}

/** Returns a value as a text. */
export function editedText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** An empty text clears the cell. */
export function parseCell(
  text: string,
  { type }: Pick<GridColumn, 'type'>,
): { value: unknown } | { wrong: string } {
  if (text === '') return { value: null }
  if (type === 'boolean') return { value: booleanIn(text.trim().toLowerCase()) }
  if (type !== 'object' && type !== 'array') return { value: text }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { wrong: texts.common.errors.invalidJson }
  }
}

const booleanIn = (text: string) =>
  ({ [yes.toLowerCase()]: 'true', [no.toLowerCase()]: 'false' })[text] ?? text

/** The server speaks of the JSON values of the type “Yes or no”. */
export const inWordsOfTypes = (reason: string) =>
  reason.replaceAll(/must be true or false(?=[,;]|$)/g, texts.tables.grid.notBoolean)

/** Writes cells as spreadsheets copy them. */
export const toTsv = (rows: string[][]) =>
  rows
    .map((cells) =>
      cells
        .map((text) =>
          /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
        )
        .join('\t'),
    )
    .join('\n')

/** Reads cells that a spreadsheet copied. */
export function fromTsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/gy
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    const [, quoted, plain = '', end] = match
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '' || cell.lastIndex === text.length) break
    if (end !== '\t') rows.push([])
  }
  return rows
}
