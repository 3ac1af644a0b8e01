// Names of months, weekdays and days near today in many languages, from the CLDR data of Node.
import { byLocale, commonLanguages } from '../locales.ts'
import { findNamedNumber } from '../numbers/number-names.ts'
import { findSmallNumber } from '../numbers/small-numbers.ts'
import { plain } from '../words.ts'

interface Names {
  months: Map<string, number>
  weekdays: Map<string, number>
  /** Days from today: "tomorrow". */
  days: Map<string, number>
  /** Words for a day before and after today: "कल". */
  twoWayDays: Set<string>
}

const numbersUpTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

/** Months in both cases: "marzec" and "5 marca". The days of January 2024 begin with a Monday. */
const readNames = byLocale((locale): Names => {
  const names: Names = {
    months: new Map(),
    weekdays: new Map(),
    days: new Map(),
    twoWayDays: new Set(),
  }
  const tag = `${new Intl.Locale(locale, { calendar: 'gregory', numberingSystem: 'latn' })}`
  const collect = (
    into: Map<string, number>,
    type: 'month' | 'weekday',
    options: Intl.DateTimeFormatOptions,
    toDate: (number: number) => number,
  ) => {
    const format = new Intl.DateTimeFormat(tag, { ...options, timeZone: 'utc' })
    for (const number of numbersUpTo(type === 'month' ? 12 : 7)) {
      const part = format.formatToParts(toDate(number)).find((one) => one.type === type)
      const name = plain(part?.value ?? '')
      if (name !== '' && !/^\d+$/.test(name) && !into.has(name)) into.set(name, number)
    }
  }
  for (const width of ['long', 'short'] as const) {
    const dateOfMonth = (month: number) => Date.UTC(2024, month - 1, 5)
    collect(names.months, 'month', { month: width }, dateOfMonth)
    collect(names.months, 'month', { month: width, day: 'numeric' }, dateOfMonth)
    collect(names.weekdays, 'weekday', { weekday: width }, (day) =>
      Date.UTC(2024, 0, day),
    )
  }
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  for (const count of [-2, -1, 0, 1, 2]) {
    const name = plain(relative.format(count, 'day'))
    if (names.days.get(name) === -count && count !== 0) names.twoWayDays.add(name)
    if (!/\d/.test(name)) names.days.set(name, count)
  }
  return names
})

const languagesFor = (locale: string | undefined) =>
  locale === undefined ? commonLanguages : [locale, ...commonLanguages]

/** The beginning of a name is an abbreviation: "Sept", "Thurs". */
function findIn(names: Map<string, number>, word: string): number[] {
  const exact = names.get(word)
  if (exact !== undefined) return [exact]
  const isLong = /^[a-z]{3,5}$/.test(word)
  const begun = [...names].filter(
    ([name]) => isLong && name.length > 4 && name.startsWith(word),
  )
  return [...new Set(begun.map(([, number]) => number))]
}

/**
 * Returns the number of a month or weekday (Monday is 1), or the days from today: in the locale or
 * English, or if all other languages agree.
 */
function findName(
  kind: 'months' | 'weekdays' | 'days',
  word: string,
  locale = 'en',
): number | undefined {
  const [own] = findIn(readNames(locale)[kind], word)
  if (own !== undefined) return own
  const found = commonLanguages.flatMap((language) =>
    findIn(readNames(language)[kind], word),
  )
  return new Set(found).size === 1 ? found[0] : undefined
}

/** Short names of other languages may be other words. */
export const findWeekdayIn = (locale: string, word: string): number | undefined =>
  findIn(readNames(locale).weekdays, word)[0]

export const findMonth = (word: string, locale?: string) =>
  findName('months', word, locale)

export const findWeekday = (word: string, locale?: string) =>
  findName('weekdays', word, locale)

const alsoNamed: Record<string, number> = {
  tonight: 0,
  'day after tomorrow': 2,
  'the day after tomorrow': 2,
}

/** Returns the possible numbers of days from today, for words such as "tomorrow". */
export function findDays(phrase: string, locale?: string): number[] {
  const day = Object.hasOwn(alsoNamed, phrase)
    ? alsoNamed[phrase]
    : findName('days', phrase, locale)
  if (day === undefined) return []
  return locale && readNames(locale).twoWayDays.has(phrase) ? [-day, day] : [day]
}

const units = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
type Unit = (typeof units)[number]

const relativeTimes = byLocale((locale) => new Intl.RelativeTimeFormat(`${locale}`))

const maxWords = 5

/** Writes the only number in words as digits: "in twenty one days". */
function withDigits(phrase: string, locale: string | undefined): string {
  const words = phrase.split(' ')
  if (/\d/.test(phrase) || words.length > 12) return phrase
  for (let length = maxWords; length > 0; length--)
    for (let at = 0; at + length <= words.length; at++) {
      const value = findNamedNumber(words.slice(at, at + length).join(' '), locale)
      if (value === undefined) continue
      const others = [...words.slice(0, at), ...words.slice(at + length)]
      const isOnly = others.every((word) => findSmallNumber(word, locale) === undefined)
      return isOnly
        ? [...words.slice(0, at), value, ...words.slice(at + length)].join(' ')
        : phrase
    }
  return phrase
}

/** Reads "in 3 days", "vor zwei Wochen", "in an hour". */
export function findOffset(
  written: string,
  locale?: string,
): { unit: Unit; count: number } | undefined {
  const phrase = withDigits(written, locale)
  const single = /^in (?:an?|1) (minute|hour|day|week|month|year)$/.exec(phrase)
  if (single) return { unit: single[1] as Unit, count: 1 }
  const [digits] = /(?<!\d)\d{1,4}(?!\d)/.exec(phrase) ?? []
  if (digits === undefined || !/\p{L}/u.test(phrase)) return undefined
  for (const language of languagesFor(locale))
    for (const unit of units)
      for (const count of [Number(digits), -Number(digits)])
        if (plain(relativeTimes(language).format(count, unit)) === phrase)
          return { unit, count }
  return undefined
}

/** Returns the order of day, month and year in numeric dates, as "dmy". */
export const orderIn = byLocale((locale) =>
  new Intl.DateTimeFormat(`${new Intl.Locale(locale, { calendar: 'gregory' })}`)
    .formatToParts(0)
    .map(({ type }) => (/^(?:day|month|year)$/.test(type) ? type[0] : ''))
    .join(''),
)

/** Returns whether the users of a locale count years as others do. */
export const isGregorian = byLocale(
  (locale) => new Intl.DateTimeFormat(locale).resolvedOptions().calendar === 'gregory',
)
