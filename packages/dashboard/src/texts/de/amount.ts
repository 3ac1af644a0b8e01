/** Returns a number with separators: `1.234`. */
export const thousands = (count: number) => count.toLocaleString('de')

/** Returns the form for a number: `plural(1, 'Zeile', 'Zeilen')`. */
export const plural = (count: number, one: string, many: string) =>
  count === 1 ? one : many

/** Returns a number of things: `1 Zeile`, `1.234 Zeilen`. */
export const amount = (count: number, one: string, many: string) =>
  `${thousands(count)} ${plural(count, one, many)}`

/** Returns a number such as a score with a comma: `0,35`. */
export const decimal = (value: number | string) => String(value).replace('.', ',')
