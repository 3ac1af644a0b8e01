// Dates of workbooks are numbers of days since the end of 1899 or the beginning of 1904. The first
// calendar has a 29 February 1900, which never was.

const dayMs = 86_400_000
const epoch1900 = Date.UTC(1899, 11, 30)
const epoch1904 = Date.UTC(1904, 0, 1)
const falseLeapDay = 60
/** The days after 9999-12-31. */
const end1900 = 2_958_466
const end1904 = 2_957_004

interface SerialOptions {
  is1904: boolean
  /** Whether parts of a second count; programs that store a few digits have random ones. */
  hasFraction: boolean
}

/** Returns ISO 8601 in UTC, null for a number that is no date. */
export function toIsoDate(
  serial: number,
  { is1904, hasFraction }: SerialOptions,
): string | null {
  if (!(serial >= 0) || serial >= (is1904 ? end1904 : end1900)) return null
  if (is1904) return isoAfter(epoch1904, serial, hasFraction)
  if (serial < 1 || Math.floor(serial) === falseLeapDay) return null
  return isoAfter(epoch1900, serial < falseLeapDay ? serial + 1 : serial, hasFraction)
}

function isoAfter(epoch: number, days: number, hasFraction: boolean): string {
  return new Date(epoch + roundedMs(days, hasFraction)).toISOString()
}

const roundedMs = (days: number, hasFraction: boolean) =>
  hasFraction ? Math.round(days * dayMs) : Math.round((days * dayMs) / 1_000) * 1_000

interface ClockOptions {
  hasSeconds: boolean
  hasFraction: boolean
}

/** Returns hours, minutes, and seconds if shown or not 0: `10:30`, `36:00:15`. */
export function toClock(days: number, { hasSeconds, hasFraction }: ClockOptions): string {
  const total = roundedMs(Math.abs(days), hasFraction)
  const [hours, minutes] = [
    Math.floor(total / 3_600_000),
    Math.floor(total / 60_000) % 60,
  ]
  const seconds = (total % 60_000) / 1_000
  const two = (number: number) => String(number).padStart(2, '0')
  const [whole, fraction] = seconds.toFixed(3).split('.') as [string, string]
  const shown = `${two(Number(whole))}${hasFraction ? `.${fraction}` : ''}`
  const clock = `${two(hours)}:${two(minutes)}${hasSeconds || seconds > 0 ? `:${shown}` : ''}`
  return days < 0 && total > 0 ? `-${clock}` : clock
}
