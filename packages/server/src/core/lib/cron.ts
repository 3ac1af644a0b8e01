// Computes when a five-field cron expression (minute, hour, day, month, weekday) is due, in UTC
// regardless of the machine's time zone.
import { Cron } from 'croner'

/**
 * The rarest time is a 29 February on a given weekday, at most 40 years ahead. Without a last year, the
 * library searches 400 years for a time that never comes, for 100 ms.
 */
const maxYears = 41

/**
 * Returns the first time strictly after `after`, or null for an invalid expression and for one that
 * is never due (30 February).
 */
export function nextTick(cron: string, after: Date): Date | null {
  const year = after.getUTCFullYear()
  const pattern = () => `0 ${fiveFields(cron)} ${year}-${year + maxYears}`
  try {
    return new Cron(pattern(), { mode: '7-part', utcOffset: 0, paused: true }).nextRun(
      after,
    )
  } catch {
    return null
  }
}

/** Rejects dates and nicknames, which the library would also accept. */
function fiveFields(cron: string): string {
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== 5) throw new RangeError('A cron expression has five fields')
  return fields.join(' ')
}
