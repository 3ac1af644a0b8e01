/** Returns a number with separators: `1 234`, with a narrow no-break space. */
export const thousands = (count: number) => count.toLocaleString('fr')

/**
 * Returns the form for a count. 0, 1 and 1.5 are singular. The form "many" of millions differs only
 * in words ("deux millions de lignes"), not after digits ("2 000 000 lignes").
 */
export const plural = (count: number, one: string, many = `${one}s`) =>
  Math.abs(count) < 2 ? one : many

/** Returns a number of things: `0 ligne`, `1 ligne`, `1 234 lignes`. */
export const amount = (count: number, one: string, many?: string) =>
  `${thousands(count)} ${plural(count, one, many)}`

/** Returns a decimal number as the rest of the page writes it: `0,35`. */
export const decimal = (value: number | string) => String(value).replace('.', ',')
