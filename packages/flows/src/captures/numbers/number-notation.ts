// Signs of numbers: "1,234.5", "1.234,5", "1 234,5", "1'234.5", "12,34,567", "١٬٢٣٤٫٥".
import { byLocale, type Conventions } from '../locales.ts'

interface Signs {
  decimal: string
  group: string
}

/** Writes signs of digits that only one script uses as their ASCII equivalents. */
const toSigns = byLocale((locale): Signs => {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(
    -1234567.8,
  )
  const find = (wanted: string) => parts.find(({ type }) => type === wanted)?.value ?? ''
  return { decimal: find('decimal'), group: find('group') }
})

const western = /^[1-9]\d{0,2}(?:[.,'٬ ]\d{3})+$/
const indian = /^[1-9]\d?(?:[,٬]\d{2})*[,٬]\d{3}$/
const groupSigns = /[.,'٬ ]/g

/** Returns the digits of a whole number, or undefined if its groups are irregular. */
function ungrouped(whole: string): string | undefined {
  if (/^\d*$/.test(whole)) return whole
  const isRegular =
    new Set(whole.match(groupSigns)).size === 1 &&
    (western.test(whole) || indian.test(whole))
  return isRegular ? whole.replace(groupSigns, '') : undefined
}

/** Returns the number with its decimals after the sign at this position. */
function withDecimals(written: string, at: number): string | undefined {
  const [whole, decimals] = [ungrouped(written.slice(0, at)), written.slice(at + 1)]
  return whole === undefined || !/^\d+$/.test(decimals)
    ? undefined
    : `${whole || '0'}.${decimals}`
}

/**
 * Returns the possible readings of digits and signs, as decimal texts with a point. There are two
 * if a single sign may separate thousands or decimals, and the conventions do not decide.
 */
export function readNotation(written: string, conventions: Conventions): string[] {
  const [arabic, point, comma] = ['٫', '.', ','].map((sign) =>
    written.lastIndexOf(sign),
  ) as [number, number, number]
  const last = Math.max(point, comma)
  if (arabic >= 0) return known(withDecimals(written, arabic))
  if (last < 0) return known(ungrouped(written))
  if (point >= 0 && comma >= 0) return known(withDecimals(written, last))
  const sign = written[last]!
  if (written.indexOf(sign) !== last) return known(ungrouped(written))
  const mayBeGroup = /^[1-9]\d{0,2}[.,]\d{3}$/.test(written)
  return mayBeGroup
    ? readings(written, sign, conventions)
    : known(withDecimals(written, last))
}

const known = (reading: string | undefined) => (reading === undefined ? [] : [reading])

/** Without a locale, "1,500" is 1500 except in the time zones of continental Europe. */
function readings(
  written: string,
  sign: string,
  { locale, timezone }: Conventions,
): string[] {
  const [asDecimal, asGroup] = [written.replace(',', '.'), written.replace(sign, '')]
  if (locale === undefined)
    return sign === ',' && !writesDecimalCommas(timezone)
      ? [asGroup]
      : [asDecimal, asGroup]
  const { decimal, group } = toSigns(locale)
  if (sign === decimal) return [asDecimal]
  return sign === group ? [asGroup] : [asDecimal, asGroup]
}

const writesDecimalCommas = (timezone: string) =>
  /^Europe\/(?!London|Dublin|Belfast|Jersey|Guernsey|Isle_of_Man|Malta|Gibraltar)/i.test(
    timezone,
  )

/**
 * Returns the value of a decimal text, or undefined if JavaScript has no number that is written so.
 */
export function toExactNumber(decimal: string): number | undefined {
  const value = Number(decimal)
  return Number.isFinite(value) && canonical(String(value)) === canonical(decimal)
    ? value
    : undefined
}

/** Writes a decimal as its significant digits and the exponent of the last one. */
function canonical(decimal: string): string {
  const [, sign, whole = '', decimals = '', exponent = '0'] =
    /^([-+]?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(decimal) ?? []
  const digits = `${whole}${decimals}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power = Number(exponent) - decimals.length + digits.length - significant.length
  return `${sign === '-' ? '-' : ''}${significant}e${power}`
}
