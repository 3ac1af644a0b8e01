// Quiet hours in the time zones of people.
import type { QuietHours } from '@botstead/contract'

const minuteMs = 60_000
const dayMinutes = 1_440

const formats = new Map<string, Intl.DateTimeFormat | null>()
/** IANA has some 600 names; users choose the values of tags. */
const maxFormats = 1_000

function findFormat(timezone: string): Intl.DateTimeFormat | null {
  const known = formats.get(timezone)
  if (known !== undefined) return known
  if (formats.size >= maxFormats) formats.clear()
  const format = createFormat(timezone)
  formats.set(timezone, format)
  return format
}

function createFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  } catch {
    return null
  }
}

export const isTimezone = (name: string): boolean => findFormat(name) !== null

/**
 * Returns when the quiet hours end in which `at` is for a user with these tags; null outside of quiet hours.
 * A tag that names no time zone counts as absent.
 */
export function findQuietEnd(
  { from, to, timezone, timezoneTag }: QuietHours,
  tags: Record<string, string>,
  at: Date,
): Date | null {
  const own =
    timezoneTag !== undefined && Object.hasOwn(tags, timezoneTag) && tags[timezoneTag]
  const format = (own && own.length <= 100 && findFormat(own)) || findFormat(timezone)!
  const [start, end] = [toMinutes(from), toMinutes(to)]
  const length = wrapped(end - start)
  const now = toMinutes(format.format(at))
  if (wrapped(now - start) >= length) return null
  const thisMinute = Math.floor(at.getTime() / minuteMs) * minuteMs
  const expected = new Date(thisMinute + wrapped(end - now) * minuteMs)
  // The clocks may change meanwhile.
  const shift =
    wrapped(end - toMinutes(format.format(expected)) + dayMinutes / 2) - dayMinutes / 2
  return new Date(Math.max(thisMinute + minuteMs, expected.getTime() + shift * minuteMs))
}

const wrapped = (minutes: number) => ((minutes % dayMinutes) + dayMinutes) % dayMinutes

function toMinutes(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return hours! * 60 + minutes!
}
