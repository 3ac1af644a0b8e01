// Finds the option of an answer among times of a day, such as "10:00": people write "9 am", "11 Uhr" and
// "half past nine".
import { withAsciiSigns } from './characters.ts'
import type { Option } from './choices.ts'
import { takeTime } from './dates/times.ts'

const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/
const bareHour = /^([01]?\d|2[0-4])$/

const toMinutes = ([, hour, minute]: RegExpExecArray) =>
  Number(hour) * 60 + Number(minute)

const halfDay = 12 * 60

/**
 * Returns the option of the time in the answer, null if there is no such option, and undefined if the options
 * are no times or the answer is none. A time before noon without "am" may be the one after noon, if only that
 * is an option.
 */
export function timeChoiceIn(
  text: string,
  options: Option[],
  locale?: string,
): Option | null | undefined {
  const times = options.map((option) => ({
    option,
    found: clock.exec(option.label.trim()),
  }))
  if (times.length === 0 || times.some(({ found }) => found === null)) return undefined
  const byMinute = new Map(times.map(({ option, found }) => [toMinutes(found!), option]))
  const phrase = withAsciiSigns(text.slice(0, 100)).toLowerCase().normalize('NFC').trim()
  const readings = readTimes(phrase.replace(/[.!?]$/, ''), locale)
  if (readings === undefined) return undefined
  const found = readings.flatMap(({ minutes, isExact }) => {
    const option = byMinute.get(minutes)
    const later =
      isExact || minutes >= halfDay ? undefined : byMinute.get(minutes + halfDay)
    return option ?? later ?? []
  })
  return new Set(found).size === 1 ? found[0]! : null
}

/** Returns undefined for a text that is no time, or has more than one. */
function readTimes(phrase: string, locale: string | undefined) {
  const [, hour] = bareHour.exec(phrase) ?? []
  if (hour !== undefined)
    return [{ minutes: Number(hour) * 60, isExact: hour.startsWith('0') }]
  const taken = takeTime(phrase, locale)
  if (taken?.rest !== '' || taken.times.length === 0) return undefined
  return taken.times.map(({ hour, minute, isHalfDay }) => ({
    minutes: hour * 60 + minute,
    isExact: isHalfDay === true || /^0\d/.test(phrase),
  }))
}
