// Reads a day that is written in numbers ("24.12.2026", "2026/03/05") or with the name of its month.
import { DateTime } from 'luxon'
import type { Conventions } from '../locales.ts'
import { plain } from '../words.ts'
import { findMonth, findWeekdayIn, isGregorian, orderIn } from './date-names.ts'

export interface DateContext extends Conventions {
  now: Date
  /** Returns whether a day is within the limits. Decides the century of a year such as 55. */
  isAllowed?: (day: DateTime) => boolean
}

interface Written {
  day: number
  month: number
  year?: string | undefined
}

/** "2026年3月5日", "2026년 3월 5일". */
const eastAsian = /^(?:(\d{4}) ?[年년] ?)?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]$/

const numeric = /^(\d{1,4}) ?([./-]) ?(\d{1,2})(?: ?([./-])(?: ?(\d{4}|\d{1,2}))?)?\.?$/

/** Returns the possible days of a numeric date, or undefined if the text is none. */
export function numericDays(
  phrase: string,
  here: DateTime,
  context: DateContext,
): DateTime[] | undefined {
  const [isEastAsian, ofYear, ofMonth, ofDay] = eastAsian.exec(phrase) ?? []
  if (isEastAsian)
    return toDays(
      { year: ofYear, month: Number(ofMonth), day: Number(ofDay) },
      here,
      context,
    )
  const [found, first = '', sign, second, other = sign, third = ''] =
    numeric.exec(phrase) ?? []
  if (found === undefined) return undefined
  const isYearFirst = first.length === 4
  if (other !== sign || first.length === 3 || (isYearFirst && third.length > 2)) return []
  const { locale } = context
  if (locale && !isGregorian(locale) && !isYearFirst && third.length !== 4) return []
  const orders = isYearFirst ? ['ymd'] : listOrders(sign!, third, locale)
  const readings = orders.flatMap((order) => {
    const parts = [first, second!, third]
    const at = (name: string) => parts[order.indexOf(name)]
    const [day, month] = [Number(at('d')), Number(at('m'))]
    return day === 0
      ? []
      : toDays({ day, month, year: at('y') || undefined }, here, context)
  })
  if (readings.length > 0 || isYearFirst) return readings
  // "10.30" is a time, and "3.14" a number.
  if (sign === '.' && third === '') return []
  // Only the other order is a date: 24/12 in a locale that writes the month first.
  const [day, month] = orders[0] === 'mdy' ? [first, second] : [second, first]
  return toDays(
    { day: Number(day), month: Number(month), year: third || undefined },
    here,
    context,
  )
}

/** Dots follow the day, except in locales that write the month first. */
function listOrders(sign: string, year: string, locale: string | undefined): string[] {
  const order = locale === undefined ? undefined : orderIn(locale)
  if (order === 'dmy') return ['dmy']
  if (order === 'mdy') return sign === '.' ? ['dmy', 'mdy'] : ['mdy']
  if (order === 'ymd' && year.length < 3) return year === '' ? ['mdy'] : ['ymd']
  if (sign === '.') return ['dmy']
  return sign === '-' && year.length === 2 ? ['dmy', 'mdy', 'ymd'] : ['dmy', 'mdy']
}

/** Before the day, "mar" is a month in English, and a weekday in Spanish. */
const findMonthOnly = (name: string, isFirst: boolean, locale: string | undefined) =>
  isFirst && findWeekdayIn(locale ?? 'en', name) ? undefined : findMonth(name, locale)

const fillers = new Set(
  'the of de del di da do den des le la el il et d og г року р'.split(' '),
)

/** Returns the possible days of a date with the name of a month, or undefined if it has none. */
export function writtenDays(
  phrase: string,
  here: DateTime,
  context: DateContext,
): DateTime[] | undefined {
  const words = phrase
    .replace(/(?<=\d)(?:st|nd|rd|th|er|ère|ste|de|e|º|ª|°|\.)(?![\p{L}\d])/gu, '')
    .split(/[\s,./'-]+/u)
    .filter((word) => word !== '' && !fillers.has(word))
  const numbers = words.filter((word) => /^\d+$/.test(word))
  const names = words.filter((word) => !/^\d+$/.test(word))
  const [name = '', ...others] = names
  const isFirst = words[0] === name
  const month =
    others.length > 0 ? undefined : findMonthOnly(plain(name), isFirst, context.locale)
  if (!month || numbers.length === 0 || numbers.length > 2) return undefined
  const [first, second] = numbers as [string, string | undefined]
  const [day, year] = first.length === 4 ? [second, first] : [first, second]
  if (!day || day.length > 2 || !(year === undefined || /^(?:\d\d|\d{4})$/.test(year)))
    return []
  return toDays({ day: Number(day), month, year }, here, context)
}

/** Dates outside of these years are of another calendar, or misspelt. */
const isPlausible = (year: number) => year >= 1583 && year <= 2300

/**
 * Returns the days that may be meant: without a year, the next such day; with two digits, the one
 * of the century that POSIX prescribes, and if that is far ahead, also that of the other.
 */
function toDays(
  { day, month, year }: Written,
  here: DateTime,
  context: DateContext,
): DateTime[] {
  const toDay = (number: number) =>
    DateTime.fromObject({ year: number, month, day }, { zone: here.zone })
  const isDay = ({ isValid }: DateTime) => isValid
  if (year === undefined) return nextSuchDay(toDay, here)
  if (year.length === 4)
    return isPlausible(Number(year)) ? [toDay(Number(year))].filter(isDay) : []
  const short = Number(year)
  const centuries = short < 69 ? [2000, 1900] : [1900, 2000]
  const both = centuries.map((century) => toDay(century + short)).filter(isDay)
  const allowed = both.filter((one) => context.isAllowed?.(one))
  if (allowed.length === 1) return allowed
  return both[0] && both[0] > here.plus({ years: maxYearsAhead })
    ? both
    : both.slice(0, 1)
}

const maxYearsAhead = 10

/** 29 February is at most eight years ahead. */
function nextSuchDay(toDay: (year: number) => DateTime, here: DateTime): DateTime[] {
  const today = here.startOf('day')
  const years = Array.from({ length: 9 }, (_, more) => here.year + more)
  const found = years.map(toDay).find((day) => day.isValid && day >= today)
  return found ? [found] : []
}
