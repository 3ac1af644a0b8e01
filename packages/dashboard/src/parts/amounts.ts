// Amounts with their units.
const units = ['B', 'KB', 'MB', 'GB', 'TB']

/** In powers of 1000: `1.2 MB`. */
export function toBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const amount = bytes / 1000 ** power
  return `${amount.toLocaleString('en', { maximumFractionDigits: power === 0 ? 0 : 1 })} ${units[power]}`
}

/** With two units at most: `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function toDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}

const dollars = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 4,
})
export const toDollars = (amount: number) => dollars.format(amount)
export const toCount = (count: number) => count.toLocaleString('en')
