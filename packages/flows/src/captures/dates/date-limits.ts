// The limits of a date. A limit without a time is a day in the time zone of the bot.
import { DateTime } from 'luxon'
import { type Ambiguous, chooseWithin } from '../locales.ts'
import { dateIn, localNow } from './dates.ts'
import type { DateContext } from './days.ts'

interface Limited extends DateContext {
  min?: number | string | undefined
  max?: number | string | undefined
}

interface DateReading {
  value?: string | Ambiguous | undefined
  /** Why the date is outside of the limits, as a message to the user. */
  problem?: string
}

/** Reads a date. Throws TypeError for a limit that is not a date. */
export function dateWithin(text: string, { min, max, ...context }: Limited): DateReading {
  const { zone } = localNow(context)
  const [earliest, latest] = [
    readLimit('min', min, context),
    readLimit('max', max, context),
  ]
  const isBefore = (one: string, other: string) => isEarlier(one, other, zone)
  const isWithin = (date: string) =>
    !(earliest && isBefore(date, earliest)) && !(latest && isBefore(latest, date))
  const isAllowed = (day: DateTime) => isWithin(day.toISODate()!)
  const limits = earliest || latest ? { isAllowed } : {}
  const value = dateIn(text, { ...context, ...limits })
  if (value === undefined) return { value }
  if (typeof value !== 'string') return { value: chooseWithin(value, isWithin) }
  if (earliest && isBefore(value, earliest))
    return { problem: `Please choose ${earliest} or a later date.` }
  if (latest && isBefore(latest, value))
    return { problem: `Please choose ${latest} or an earlier date.` }
  return { value }
}

function readLimit(
  name: string,
  limit: number | string | undefined,
  context: DateContext,
) {
  if (limit === undefined || limit === '') return undefined
  const value = dateIn(String(limit), context)
  if (typeof value === 'string') return value
  throw new TypeError(`\`${name}\` "${limit}" is not a date. Write it like 2026-03-24`)
}

/** Compares moments if both have a time, otherwise days. */
function isEarlier(one: string, other: string, zone: DateTime['zone']): boolean {
  if (isMoment(one) && isMoment(other)) return Date.parse(one) < Date.parse(other)
  return toDay(one, zone) < toDay(other, zone)
}

const isMoment = (value: string) => value.includes('T')

const toDay = (value: string, zone: DateTime['zone']) =>
  isMoment(value) ? DateTime.fromISO(value, { zone }).toISODate()! : value
