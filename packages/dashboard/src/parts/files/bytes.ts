import { language } from '../../texts/in-language.ts'
import { texts } from '../../texts/texts.ts'

const units = texts.common.units.bytes

/** In powers of 1000: `1.2 MB`. */
export function toBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const amount = bytes / 1000 ** power
  return `${amount.toLocaleString(language, { maximumFractionDigits: power === 0 ? 0 : 1 })} ${units[power]}`
}
