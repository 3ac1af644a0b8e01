/** Returns a number with separators: `1,234`. */
export const thousands = (count: number) => count.toLocaleString('ja')

/** Returns a number with its counter: `1,234件`. Japanese nouns have no plural. */
export const amount = (count: number, counter = '件') => `${thousands(count)}${counter}`
