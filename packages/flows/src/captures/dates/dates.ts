// Reads dates and times in answers: "tomorrow at 3 pm", "next Monday", "2 March", "in 3 days",
// "24.12.2026", "2026-03-05 14:30:00", also in other languages.
import { DateTime } from 'luxon'
import { withAsciiSigns } from '../characters.ts'
import type { Ambiguous } from '../locales.ts'
import { withDigitsInDates } from '../numbers/han-numbers.ts'
import { oneOf } from '../patterns.ts'
import { plain } from '../words.ts'
import type { Time } from './clock-time.ts'
import { findDays, findOffset, findWeekday, findWeekdayIn } from './date-names.ts'
import { type DateContext, numericDays, writtenDays } from './days.ts'
import { takeTime } from './times.ts'

const maxLength = 200

/** Returns the current time in the zone. */
export function localNow({ now, timezone }: DateContext): DateTime {
  const zoned = DateTime.fromJSDate(now).setZone(timezone)
  return zoned.isValid ? zoned : DateTime.fromJSDate(now).setZone('utc')
}

/**
 * Returns a day as `2026-03-02`, or with a time, ISO 8601 in UTC. Returns the readings if there are
 * several, or undefined if the text is not a date.
 */
export function dateIn(
  text: string,
  context: DateContext,
): string | Ambiguous | undefined {
  if (text.length > maxLength) return undefined
  const here = localNow(context)
  const phrase = withDigitsInDates(withAsciiSigns(text))
    .toLowerCase()
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<!\d)[.!?。]$|(?<=\d{4})\.$|[!?。]$/, '')
  const iso = fromIso(phrase, here) ?? afterwards(phrase, here, context)
  if (iso !== undefined) return iso ?? undefined
  const taken = takeTime(phrase, context.locale)
  if (!taken) return undefined
  const { rest, times } = taken
  if (times.length === 0)
    return choose(listDays(rest, here, context).map((day) => day.toISODate()!))
  return choose(
    times.flatMap((time) => {
      const days = rest === '' ? [nextTime(here, time)] : listDays(rest, here, context)
      return days.flatMap((day) =>
        listReadings(time, rest).flatMap((one) => at(day, one)),
      )
    }),
  )
}

const listDays = (phrase: string, here: DateTime, context: DateContext) =>
  daysIn(phrase, here, context).filter(({ isValid }) => isValid)

/** Returns the times of a day that may be meant. */
function listReadings(time: Time, day: string): Time[] {
  const isEvening = /\btonight\b/.test(day) && !time.isHalfDay && time.hour < 12
  const hour = isEvening && !time.isMidnight ? time.hour + 12 : time.hour
  const isEitherEnd = time.isMidnight && day !== ''
  return isEitherEnd
    ? [
        { ...time, hour },
        { ...time, hour: 24 },
      ]
    : [{ ...time, hour }]
}

function choose(values: string[]): string | Ambiguous | undefined {
  const readings = [...new Set(values)]
  return readings.length > 1 ? { readings } : readings[0]
}

const instant = (moment: DateTime) => new Date(moment.toMillis()).toISOString()

const isoForm =
  /^(\d{4}-\d\d-\d\d|\d{4}-?w\d\d-?\d|\d{4}-\d{3}|\d{8})(?:(?:t|(?<=-\d\d) )(\d[\d:.]*) ?(z|[+-]\d\d(?::?\d\d)?)?)?$/

/** Returns null for a text that has the form of ISO 8601 but is no date. */
function fromIso(phrase: string, here: DateTime): string | Ambiguous | null | undefined {
  const [, day, clock, offset = ''] = isoForm.exec(phrase) ?? []
  if (day === undefined) return undefined
  // "10:00-11:00" is a range.
  if (/ \d\d:\d\d-\d\d:\d\d$/.test(phrase)) return null
  const written = `${day}${clock ? `t${clock}${offset}` : ''}`.toUpperCase()
  const moment = DateTime.fromISO(written, { zone: here.zone })
  if (!moment.isValid || (day.length === 8 && !day.includes('w') && moment.year < 1583))
    return null
  if (!clock) return moment.toISODate()
  if (offset) return instant(moment)
  const [hour, minute = '0'] = clock.match(/\d\d/g) ?? []
  const exists =
    hour === '24' || (moment.hour === Number(hour) && moment.minute === Number(minute))
  return (exists && choose(moment.getPossibleOffsets().map(instant))) || null
}

function afterwards(phrase: string, here: DateTime, { locale }: DateContext) {
  const offset = findOffset(plain(phrase), locale)
  if (!offset) return undefined
  const moment = here.plus({ [`${offset.unit}s`]: offset.count })
  return offset.unit === 'minute' || offset.unit === 'hour'
    ? instant(moment)
    : moment.toISODate()
}

/**
 * Returns the moments of a local time: none in the hour that summer time skips, two in the one that
 * it repeats.
 */
function at(day: DateTime, { hour, minute, second, zone }: Time): string[] {
  const { year, month, day: number } = hour === 24 ? day.plus({ days: 1 }) : day
  const moment = DateTime.fromObject(
    { year, month, day: number, hour: hour % 24, minute, second },
    { zone: zone ?? day.zone },
  )
  const exists = moment.isValid && moment.hour === hour % 24 && moment.minute === minute
  return exists ? moment.getPossibleOffsets().map(instant) : []
}

/** Returns the day of the next occurrence of a time. */
function nextTime(now: DateTime, { hour, minute, second, zone }: Time): DateTime {
  const here = zone === undefined ? now : now.setZone(zone)
  return here.set({ hour, minute, second }) > here ? here : here.plus({ days: 1 })
}

const before = oneOf(`
  on this coming next the(?=_\\d) am den de der le el la il op em no na w we в во diese[nrs]? ce
  este esta questo questa deze nächste[nrs]? kommende[nrs]? próxim[oa] prossim[oa] aanstaande
  volgende следующ(?:ий|ую|ее) gelecek bu يوم
`)
const behind = oneOf('prochain que_viene próximo prossim[oa]')
const introductions = new RegExp(`^(?:${before} )+| ${behind}$`, 'u')

/** Of a weekday later in this week, this may be the next one, or that of the next week. */
const nextNames = oneOf(`
  next nächste[nrs]? prochain próxim[oa] prossim[oa] volgende следующ(?:ий|ую|ее) gelecek
`)
const nextWords = new RegExp(`(?:^| )${nextNames}(?= |$)`, 'u')

/** Returns the possible days of a text without a time. */
function daysIn(phrase: string, here: DateTime, context: DateContext): DateTime[] {
  const { locale } = context
  const named = findDays(plain(phrase), locale)
  if (named.length > 0) return named.map((days) => here.plus({ days }))
  const rest = phrase.replace(introductions, '')
  const alone = /\d/.test(rest) ? undefined : aloneWeekday(rest, locale)
  if (alone) {
    const next = here.plus({ days: (alone - here.weekday + 7) % 7 || 7 })
    return nextWords.test(phrase) && alone > here.weekday
      ? [next, next.plus({ days: 7 })]
      : [next]
  }
  const read = (text: string) =>
    numericDays(text, here, context) ?? writtenDays(text, here, context)
  const days = read(rest)
  if (days) return days
  // A weekday that contradicts the date is an error in one of the two.
  const { wanted, others } = takeWeekday(rest, locale)
  return wanted ? (read(others) ?? []).filter(({ weekday }) => weekday === wanted) : []
}

/** Returns a weekday that has a long name, or is named in the locale. */
function aloneWeekday(word: string, locale: string | undefined): number | undefined {
  const name = plain(word)
  return (
    findWeekdayIn(locale ?? 'en', name) ??
    (name.length > 4 ? findWeekday(name) : undefined)
  )
}

/** Splits off a weekday before the date, or in parentheses or after a comma behind it. */
function takeWeekday(phrase: string, locale: string | undefined) {
  const patterns = [
    /^(\p{L}[\p{L}\p{M}-]*)\.?,? (?=.*\d)/u,
    /(?<=\d.*)[ ,(]+(\p{L}[\p{L}\p{M}-]*)\.?\)?$/u,
  ]
  for (const pattern of patterns) {
    const found = pattern.exec(phrase)
    const wanted = found && findWeekday(plain(found[1]!), locale)
    if (wanted) return { wanted, others: phrase.replace(pattern, '').trim() }
  }
  return { wanted: undefined, others: phrase }
}
