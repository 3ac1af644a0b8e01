// Translations as CSV: a row for each text, a column for each language. Runs in browsers.

/**
 * Beginnings of texts that a spreadsheet runs as a formula (OWASP, "CSV Injection"), also as full-width
 * signs and behind spaces and invisible characters, which programs may leave out.
 */
const formula =
  /^(?:[\p{Z}\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b]|[\t\r\n])/u

/** Whether a spreadsheet would run the text as a formula. */
export const isFormula = (text: string): boolean => formula.test(text)

/** Also of a text with an apostrophe in front: it gets another one, so that reading takes away only that. */
const needsApostrophe = (text: string) => isFormula(text.replace(/^'+/, ''))

const toCell = (text: string): string =>
  `"${(needsApostrophe(text) ? `'${text}` : text).replaceAll('"', '""')}"`

const fromCell = (cell: string): string =>
  cell.startsWith("'") && needsApostrophe(cell) ? cell.slice(1) : cell

/** Returns the text of a file, with the mark by which spreadsheets recognize UTF-8. */
export const writeCsv = (rows: string[][]): string =>
  `\ufeff${rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')}`

/** Thrown for a file that cannot be read. */
export class TextFileError extends Error {
  override readonly name = 'TextFileError'
}

/** Parses a file with commas, semicolons or tabs (RFC 4180). Throws TextFileError. */
export function readCsv(file: string): string[][] {
  const text = file.replace(/^\ufeff/, '')
  const separator = findSeparator(text)
  const rows: string[][] = [[]]
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r?\\n|\\r|$)`,
    'y',
  )
  while (field.lastIndex < text.length) {
    const from = field.lastIndex
    const [, quoted, plain = '', end] = field.exec(text) ?? []
    if (end === undefined)
      throw new TextFileError(
        `The row ${rows.length} has a quotation mark in the wrong place. Save the file as CSV again`,
      )
    rows.at(-1)!.push(fromCell(quoted?.replaceAll('""', '"') ?? plain))
    if (end !== separator && field.lastIndex < text.length) rows.push([])
    if (end === separator && field.lastIndex === text.length) rows.at(-1)!.push('')
    if (field.lastIndex === from) break
  }
  return rows.filter((cells) => cells.some((cell) => cell !== ''))
}

function findSeparator(text: string): string {
  const [header = ''] = text.split(/[\r\n]/, 1)
  const counts = [',', ';', '\t'].map((one) => [one, header.split(one).length] as const)
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}
