// Amounts with their units.
import { language } from '../../texts/in-language.ts'
import { texts } from '../../texts/texts.ts'
import { toBytes } from '../files/bytes.ts'

const { units } = texts.common

/** For files: an empty one has no amount. */
export const toSize = (bytes: number) =>
  bytes === 0 ? texts.common.empty : toBytes(bytes)

/** With two units at most: `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function toDuration(seconds: number): string {
  if (seconds < 60) return Math.round(seconds) + units.seconds
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return minutes + units.minutes
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours}${units.hours} ${minutes % 60}${units.minutes}`
  return `${Math.floor(hours / 24)}${units.days} ${hours % 24}${units.hours}`
}

const dollars = new Intl.NumberFormat(language, {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 4,
})
export const toDollars = (amount: number) => dollars.format(amount)
export const toCount = (count: number) => count.toLocaleString(language)
