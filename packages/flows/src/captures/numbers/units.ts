// Units and currencies beside numbers.
import { lazily } from '../../engine/lazily.ts'
import { byLocale } from '../locales.ts'

/** Units that are not a word of three or more letters. */
const units = byLocale((locale) => {
  const found = new Set<string>()
  for (const unit of Intl.supportedValuesOf('unit'))
    for (const unitDisplay of ['short', 'narrow'] as const) {
      const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay })
      for (const count of [1, 2])
        for (const { type, value } of format.formatToParts(count))
          if (type === 'unit') found.add(value.trim().toLowerCase())
    }
  return found
})

const otherUnits = new Set(
  'x pc ea lbs kgs hrs st stk km² qm cbm kw kwh mw ha hz °'.split(' '),
)
const currencies = lazily(() => new Set(Intl.supportedValuesOf('currency')))

/** Signs and abbreviations that stand before an amount. */
const amountSigns = /^(?:\p{Sc}|[A-Z]{1,3}\$|Rs\.?|R|S\/|kr\.?|Fr\.?|Kč|zł)$/u

export const isCurrency = (text: string) =>
  amountSigns.test(text) || currencies().has(text.toUpperCase())

/** Returns whether letters after a number without a space may be its unit, not a part of a code. */
export function isUnit(letters: string, locale: string | undefined): boolean {
  const word = letters.toLowerCase()
  if (/^(?:st|nd|rd|th|am|pm|b)$/.test(word)) return false
  if (currencies().has(letters.toUpperCase()) || otherUnits.has(word)) return true
  if (/^(?=\p{L}*\p{Ll})\p{L}{3,}$/u.test(letters) || !/^[A-Za-z]/.test(letters))
    return true
  return units('en').has(word) || (locale !== undefined && units(locale).has(word))
}
