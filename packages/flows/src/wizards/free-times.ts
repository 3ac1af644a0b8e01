// The code card that computes the free times of a day, and the opening hours that it reads.
import type { BookingAnswers } from './answers.ts'

interface FreeTimesDeps {
  zone: string
  /** Expression. */
  locale: string
  timeColumn: string
  names: Record<'day' | 'dayText' | 'times' | 'taken' | 'openingHours', string>
}

/** Returns the code. Bookings and opening hours are variables of the flow. */
export function toFreeTimesCode(
  { minutes, capacity, noticeHours }: BookingAnswers,
  { zone, locale, timeColumn, names }: FreeTimesDeps,
): string {
  return `// Minutes of a booking, bookings at the same time, hours until the earliest booking
const [length, capacity, notice] = [${minutes}, ${capacity}, ${noticeHours}]
const zone = ${JSON.stringify(zone)}
const day = luxon.DateTime.fromISO(${names.day}, { zone }).startOf('day')
const earliest = Date.now() + notice * 3600000
const taken = ${names.taken}.map((row) => new Date(row[${JSON.stringify(timeColumn)}]).getTime())
const hours = (${names.openingHours}[String(day.weekday)] || '')
  .split(',').filter((part) => part.trim() !== '')
const times = []
for (const part of hours) {
  const [from, to] = part.split('-').map((clock) =>
    luxon.DateTime.fromISO(day.toISODate() + 'T' + clock.trim().padStart(5, '0'), { zone }).toMillis())
  for (let at = from; at + length * 60000 <= to; at += length * 60000)
    if (at >= earliest && taken.filter((other) => other === at).length < capacity)
      times.push({
        label: luxon.DateTime.fromMillis(at, { zone }).toFormat('HH:mm'),
        value: new Date(at).toISOString(),
      })
}
${names.times} = times
${names.dayText} = day.setLocale(${locale})
  .toLocaleString({ weekday: 'long', day: 'numeric', month: 'long' })
`
}

const clock = /^(\d{1,2})(?:[:.h](\d{2}))?$/

/** Returns minutes since midnight, or null for another text. 24:00 is the end of a day. */
function toMinutes(text: string): number | null {
  const [, hours, minutes = '00'] = clock.exec(text.trim()) ?? []
  const sum = Number(hours) * 60 + Number(minutes)
  return hours === undefined || Number(minutes) > 59 || sum > 24 * 60 ? null : sum
}

/** Returns the parts of a day such as `09:00-12:00, 13-17.30` in minutes, or null if they are wrong. */
export function readHours(text: string): [from: number, to: number][] | null {
  const parts = text.split(',').filter((part) => part.trim() !== '')
  let last = 0
  const read: [number, number][] = []
  for (const part of parts) {
    const [from, to, ...more] = part.split(/[-–—]/).map(toMinutes)
    if (from == null || to == null || more.length > 0 || from >= to || from < last)
      return null
    read.push([from, to])
    last = to
  }
  return read
}

const toClock = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')

/** Returns the parts of a day in the form that the code card reads. */
export const toHours = (text: string): string =>
  (readHours(text) ?? []).map((part) => part.map(toClock).join('-')).join(', ')

/** Returns the largest number of times of one day. */
export const countTimes = (hours: string[], minutes: number): number =>
  Math.max(
    ...hours.map((text) =>
      (readHours(text) ?? []).reduce(
        (sum, [from, to]) => sum + Math.floor((to - from) / minutes),
        0,
      ),
    ),
  )
