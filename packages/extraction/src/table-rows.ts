// Writes each row of a table with the names of its columns, so that it can be understood alone:
// "Article: Baking stone | Price: 24.90 €".

const separator = ' | '
const toCells = (row: string) => row.split(separator).map((cell) => cell.trim())

/** Returns the names of the columns; null if the first row has values, as in a table without a header. */
export function findColumns(header: string | undefined): string[] | null {
  const names = toCells(header?.split('\n').at(-1) ?? '')
  if (names.length < 2 || names.filter((name) => name !== '').length < 2) return null
  const isName = (name: string) => name.length <= maxName && !hasValue.test(name)
  return names.every(isName) ? names : null
}

const maxName = 60
/** Times, prices, ranges and addresses; a year or a number alone may name a column. */
const hasValue =
  /\d[:.,]\d|\d\s*[–-]\s*\d|\p{Sc}\s*\d|\d\s*\p{Sc}|@|\d\s*(?:h|am|pm|uhr)\b/iu

/** Omits empty cells. Cells beyond the names, as of a text with the separator, stay at the end. */
export const describeRow = (columns: string[], row: string): string =>
  toCells(row)
    .map((cell, at) => (cell === '' || !columns[at] ? cell : `${columns[at]}: ${cell}`))
    .filter((cell) => cell !== '')
    .join(separator)
