// Writes a date as people of a locale do.
import { DateTime } from 'luxon'
import type { Conventions } from '../locales.ts'

const day = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

/** `date`: `2026-03-02`, or with a time, ISO 8601 in UTC. */
export function toDateLabel(
  date: string,
  { locale = 'en-GB', timezone }: Conventions,
): string {
  const hasTime = date.includes('T')
  const zoned = DateTime.fromISO(date, { zone: hasTime ? timezone : 'utc' })
  const moment = zoned.isValid ? zoned : DateTime.fromISO(date, { zone: 'utc' })
  return moment.setLocale(locale).toLocaleString(hasTime ? { ...day, ...clock } : day)
}
