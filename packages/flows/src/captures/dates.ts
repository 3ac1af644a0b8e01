// Reads dates and times in answers: "tomorrow at 3 pm", "next Monday", "2 March", "in 3 days",
// "24.12.2026", an ISO date.
import { DateTime } from 'luxon'

export interface DateContext {
  now: Date
  /** IANA name. An invalid name means UTC. */
  timezone: string
}

const maxLength = 200
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const named: Record<string, number> = {
  today: 0,
  tonight: 0,
  tomorrow: 1,
  'the day after tomorrow': 2,
  'day after tomorrow': 2,
  yesterday: -1,
}

interface Time {
  hour: number
  minute: number
}

/**
 * Returns a day as `2026-03-02`, or with a time, ISO 8601 in UTC. Returns undefined if the text is
 * not a date.
 */
export function dateIn(text: string, { now, timezone }: DateContext): string | undefined {
  const zoned = DateTime.fromJSDate(now).setZone(timezone)
  const here = zoned.isValid ? zoned : DateTime.fromJSDate(now).setZone('utc')
  const phrase = text
    .slice(0, maxLength)
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[.!?]$/, '')
  const iso = DateTime.fromISO(phrase.toUpperCase(), { zone: here.zone })
  if (iso.isValid && /^\d{4}-\d\d/.test(phrase))
    return /t\d/.test(phrase) ? instant(iso) : (iso.toISODate() ?? undefined)
  const later = /^in (\d{1,4}|an?|one) (minute|hour|day|week|month|year)s?$/.exec(phrase)
  if (later) return afterwards(here, later[1]!, later[2]!)
  const { rest, time } = takeTime(phrase)
  const day = rest === '' && time ? today(here, time) : dayIn(rest, here)
  if (!day?.isValid) return undefined
  return time
    ? instant(day.set({ ...time, second: 0, millisecond: 0 }))
    : (day.toISODate() ?? undefined)
}

const instant = (moment: DateTime) =>
  moment.toUTC().toISO({ precision: 'millisecond' } as object) ?? undefined

function afterwards(here: DateTime, count: string, unit: string): string | undefined {
  const moment = here.plus({ [`${unit}s`]: /^\d/.test(count) ? Number(count) : 1 })
  return unit === 'minute' || unit === 'hour' ? instant(moment) : (moment.toISODate() ?? undefined)
}

/** Returns the day of the next occurrence of a time. */
function today(here: DateTime, time: Time): DateTime {
  return here.set(time) > here ? here : here.plus({ days: 1 })
}

const times = [
  /(?:^|,? )(?:at )?(\d{1,2}):(\d\d) ?(am|pm|a\.m|p\.m)?$/,
  /(?:^|,? )(?:at )?(\d{1,2})() ?(am|pm|a\.m|p\.m)$/,
  /(?:^|,? )at (\d{1,2})()()$/,
]

/** Splits off the time, which may come first: "3 pm tomorrow". */
function takeTime(phrase: string): { rest: string; time?: Time } {
  const word = /(?:^|,? )(?:at )?(noon|midnight)$/.exec(phrase)
  if (word)
    return {
      rest: phrase.slice(0, word.index),
      time: { hour: word[1] === 'noon' ? 12 : 0, minute: 0 },
    }
  for (const pattern of times) {
    const found = pattern.exec(phrase)
    const time = found && timeOf(found)
    if (time) return { rest: phrase.slice(0, found.index), time }
  }
  const leading = /^(?:at )?(\d{1,2}(?::\d\d)? ?(?:am|pm)|\d{1,2}:\d\d),? (?:on )?(.+)$/.exec(
    phrase,
  )
  return leading ? { ...takeTime(`at ${leading[1]}`), rest: leading[2]! } : { rest: phrase }
}

function timeOf([, hours, minutes, half]: RegExpExecArray): Time | null {
  const [hour, minute] = [Number(hours), Number(minutes || 0)]
  if (minute > 59 || hour > (half ? 12 : 23) || (half && hour === 0)) return null
  return { hour: half ? (hour % 12) + (half.startsWith('p') ? 12 : 0) : hour, minute }
}

function dayIn(phrase: string, here: DateTime): DateTime | undefined {
  const rest = phrase.replace(/^(?:on|by) /, '').replace(/^the (?=\d)/, '')
  if (/^\d{4}-\d\d-\d\d$/.test(rest)) return DateTime.fromISO(rest, { zone: here.zone })
  if (Object.hasOwn(named, rest)) return here.plus({ days: named[rest]! })
  const weekday = /^(?:(next|this|coming) )?([a-z]+)$/.exec(rest)
  if (weekday) return nextWeekday(here, weekday[2]!)
  const ofWeek = rest.replace(/^[a-z]+day,? /, '')
  return numericDay(ofWeek, here) ?? writtenDay(ofWeek, here)
}

const indexOfName = (names: string[], name: string) =>
  name.length < 3
    ? -1
    : names.findIndex((full) => full === name || (name.length <= 4 && full.startsWith(name)))

function nextWeekday(here: DateTime, name: string): DateTime | undefined {
  const wanted = indexOfName(weekdays, name) + 1
  return wanted ? here.plus({ days: (wanted - here.weekday + 7) % 7 || 7 }) : undefined
}

/**
 * Reads a numeric date. With dots or hyphens, the day comes first; with slashes, the month, unless
 * it exceeds 12.
 */
function numericDay(phrase: string, here: DateTime): DateTime | undefined {
  const [, first, sign, second, year] =
    /^(\d{1,2})([./-])(\d{1,2})(?:[./-](\d{4}|\d\d)?)?$/.exec(phrase) ?? []
  if (!first || !second) return undefined
  const dayFirst = sign !== '/' || Number(first) > 12
  return dayOf(
    { day: Number(dayFirst ? first : second), month: Number(dayFirst ? second : first), year },
    here,
  )
}

function writtenDay(phrase: string, here: DateTime): DateTime | undefined {
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th|\.)?(?: of)? ([a-z]{3,9})\.?,?(?: (\d{4}))?$/.exec(
    phrase,
  )
  const monthFirst = dayFirst
    ? null
    : /^([a-z]{3,9})\.? (?:the )?(\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?$/.exec(phrase)
  const [day, name, year] = dayFirst
    ? [dayFirst[1], dayFirst[2], dayFirst[3]]
    : [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]]
  const month = name ? indexOfName(months, name) + 1 : 0
  return month ? dayOf({ day: Number(day), month, year }, here) : undefined
}

/** Returns the date. Without a year, the next such day. */
function dayOf(
  { day, month, year }: { day: number; month: number; year: string | undefined },
  here: DateTime,
): DateTime | undefined {
  const inYear = (number: number) =>
    DateTime.fromObject({ year: number, month, day }, { zone: here.zone })
  if (year) return inYear(Number(year) < 100 ? 2000 + Number(year) : Number(year))
  const soon = inYear(here.year)
  return soon.isValid && soon < here.startOf('day') ? inYear(here.year + 1) : soon
}
