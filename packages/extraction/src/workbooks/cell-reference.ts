const maxColumns = 16_384

/** Returns the zero-based column of a cell reference: C7 is in column 2. Null for another text. */
export function parseColumn(reference: string): number | null {
  const letters = /^\$?([A-Z]{1,3})(?![A-Z])/i.exec(reference)?.[1]?.toUpperCase()
  if (!letters) return null
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column > maxColumns ? null : column - 1
}

/** Returns the reference of a cell: C7. */
export function toReference(column: number, row: number): string {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return `${letters}${row}`
}
