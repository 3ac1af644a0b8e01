// Comma-separated values (RFC 4180) and common variants: semicolons, tabs, quotes inside cells. The first
// line names the columns.
import type { Block } from './blocks.ts'

export function* csvBlocks(text: string, separator = separatorOf(text)): Generator<Block> {
  let header: string | null = null
  let rows: string[] = []
  for (const cells of rowsOf(text, separator)) {
    const row = rowText(cells)
    if (row === '') continue
    if (header === null) header = row
    else rows.push(row)
    if (rows.length < rowsPerBlock) continue
    yield { kind: 'table', header, text: rows.join('\n') }
    rows = []
  }
  if (rows.length > 0) yield { kind: 'table', header: header!, text: rows.join('\n') }
  else if (header !== null) yield { kind: 'table', text: header }
}

const rowsPerBlock = 100

/** Joins the cells of a row, without empty ones at the end. */
export const rowText = (cells: string[]) =>
  cells
    .map((cell) => cell.replaceAll(/\s+/g, ' ').trim())
    .join(' | ')
    .replace(/(?: \| ?)+$/, '')

/** Returns the candidate that is most frequent in the first line. */
function separatorOf(text: string): string {
  const line = text.slice(0, 10_000).split('\n', 1)[0]!
  return [',', ';', '\t', '|']
    .map((one) => ({ one, count: line.split(one).length }))
    .sort((a, b) => b.count - a.count)[0]!.one
}

function* rowsOf(text: string, separator: string): Generator<string[]> {
  let at = text.startsWith('\ufeff') ? 1 : 0
  let cells: string[] = []
  while (at < text.length) {
    const { cell, end } = text[at] === '"' ? quoted(text, at) : bare(text, at, separator)
    cells.push(cell)
    at = end
    if (text[at] === separator) {
      at += 1
      if (at < text.length) continue
      cells.push('')
    }
    while (at < text.length && text[at] !== '\n' && text[at] !== separator) at += 1
    if (text[at] === separator) {
      at += 1
      continue
    }
    at += 1
    yield cells
    cells = []
  }
  if (cells.length > 0) yield cells
}

function quoted(text: string, from: number): { cell: string; end: number } {
  let cell = ''
  let at = from + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return { cell: cell + text.slice(at), end: text.length }
    cell += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 }
    cell += '"'
    at = quote + 2
  }
}

function bare(text: string, from: number, separator: string): { cell: string; end: number } {
  let at = from
  while (at < text.length && text[at] !== '\n' && text[at] !== separator) at += 1
  return { cell: text.slice(from, at).replace(/\r$/, ''), end: at }
}
