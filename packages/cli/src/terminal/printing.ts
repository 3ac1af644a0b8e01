// Prints lists and objects, the same way in every command: aligned columns on a terminal, columns
// separated by tabs elsewhere, and JSON with `--json`. Texts of users cannot control the terminal.
import { eastAsianWidth } from 'get-east-asian-width'
import { inWords, toPrintable } from './printable.ts'
import { wholeNumber } from './whole-number.ts'

type Cell = string | number | boolean | null | undefined

/** By title. On a terminal, the last column gets the rest of the width, so it has the longest text. */
export type Columns<Item> = Record<string, (item: Item) => Cell>

export interface ListPrinting {
  json?: boolean
  limit?: string
}

export interface Shape<Item> {
  columns: Columns<Item>
  /** Whether the end of the last column is more important than its beginning, as in paths. */
  keepsEnd?: boolean
  /** The sentence on a terminal if there are no items. */
  empty?: string
  /** Returns the value that `--json` prints, by default the item; undefined for none. */
  toValue?: (item: Item) => unknown
}

/** Of a table on a terminal. Scripts get everything. */
const usualLimit = 100

export async function printList<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  {
    columns,
    keepsEnd = false,
    empty = 'No entries.',
    toValue = (item) => item,
  }: Shape<Item>,
  { json, limit }: ListPrinting,
): Promise<void> {
  const isTable = !json && process.stdout.isTTY === true
  const maximum = limit === undefined ? null : wholeNumber('--limit', limit)
  const shown = isTable ? (maximum ?? usualLimit) : (maximum ?? Number.POSITIVE_INFINITY)
  const rows: string[][] = []
  let count = 0
  for await (const item of items) {
    if (count === shown) {
      if (maximum === null) noteMore(shown)
      break
    }
    count++
    if (json) printValue(toValue(item))
    else if (isTable) rows.push(toCells(item, columns))
    else print(toCells(item, columns).join('\t'))
  }
  if (isTable && count === 0) process.stderr.write(`${empty}\n`)
  else if (isTable)
    print(
      toTable(Object.keys(columns), rows, { terminal: process.stdout.columns, keepsEnd }),
    )
}

const printValue = (value: unknown) => value !== undefined && print(toJson(value))

const noteMore = (shown: number) =>
  process.stderr.write(`Only the first ${shown}; --limit <number> shows more.\n`)

/** Prints an object: a line for each field that is not empty, or JSON. */
export function printObject(
  object: object,
  { json }: { json?: boolean | undefined },
): void {
  if (json) {
    print(toJson(object))
    return
  }
  const fields = Object.entries(object).filter(([, value]) => !isEmpty(value))
  const width = Math.max(...fields.map(([name]) => inWords(name).length))
  for (const [name, value] of fields)
    print(`${inWords(name).padEnd(width)}  ${toPrintable(formatValue(value), 'line')}`)
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** Prints the outcome of a change: a sentence, or JSON. */
export const printDone = (
  sentence: string,
  result: unknown,
  { json }: { json?: boolean | undefined },
): void => print(json ? toJson(result) : toPrintable(sentence))

export const print = (text: string): void => void process.stdout.write(`${text}\n`)

function formatValue(value: unknown): string {
  if (typeof value === 'string') return isTime(value) ? formatTime(value)! : value
  return JSON.stringify(value)
}

const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z$/.test(text)

/** Returns `2026-01-31 12:30`, in UTC. */
export const formatTime = (time: string | null | undefined): string | undefined =>
  time?.slice(0, 16).replace('T', ' ')

/** JSON.stringify leaves some characters that control terminals, or reverse text; JSON may escape any. */
export const toJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(
    /[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const toCells = <Item>(item: Item, columns: Columns<Item>): string[] =>
  Object.values(columns).map((cell) => toPrintable(String(cell(item) ?? ''), 'line'))

/** Returns aligned lines, of which none is wider than the terminal unless the first columns are. */
export function toTable(
  titles: string[],
  rows: string[][],
  { terminal = 80, keepsEnd = false } = {},
): string {
  const lines = [titles.map((title) => title.toUpperCase()), ...rows]
  const widths = titles.map((_, i) =>
    Math.max(...lines.map((cells) => measureWidth(cells[i]!))),
  )
  const last = titles.length - 1
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + 2, 0)
  return lines
    .map((cells) =>
      cells
        .map((cell, i) =>
          i === last
            ? shorten(cell, Math.max(20, terminal - before), keepsEnd)
            : cell + ' '.repeat(widths[i]! + 2 - measureWidth(cell)),
        )
        .join('')
        .trimEnd(),
    )
    .join('\n')
}

const segmenter = new Intl.Segmenter()

/** Of one character as people see it, which may consist of several code points. */
const widthOfSegment = (segment: string) =>
  segment.includes('\ufe0f') ? 2 : eastAsianWidth(segment.codePointAt(0)!)

const measureWidth = (text: string) =>
  /^[\x20-\x7e]*$/.test(text)
    ? text.length
    : [...segmenter.segment(text)].reduce(
        (sum, { segment }) => sum + widthOfSegment(segment),
        0,
      )

function shorten(text: string, width: number, keepsEnd: boolean): string {
  if (measureWidth(text) <= width) return text
  const segments = [...segmenter.segment(text)].map(({ segment }) => segment)
  if (keepsEnd) segments.reverse()
  let used = 1
  const end = segments.findIndex((segment) => {
    used += widthOfSegment(segment)
    return used > width
  })
  const kept = segments.slice(0, end)
  return keepsEnd ? `…${kept.reverse().join('')}` : `${kept.join('')}…`
}
