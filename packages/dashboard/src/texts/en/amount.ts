/** Returns a number with separators: `1,234`. */
export const thousands = (count: number) => count.toLocaleString('en')

/** Returns a number of things: `1 row`, `1,234 rows`. */
export const amount = (count: number, one: string, many = `${one}s`) =>
  `${thousands(count)} ${count === 1 ? one : many}`
