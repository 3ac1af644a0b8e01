// Amounts with their units.
import { texts } from '../../texts/texts.ts'
import { toBytes } from '../files/bytes.ts'

/** For files: an empty one has no amount. */
export const toSize = (bytes: number) => (bytes === 0 ? texts.common.empty : toBytes(bytes))

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
