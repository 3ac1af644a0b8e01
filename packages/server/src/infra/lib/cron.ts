// Computes when a five-field cron expression (minute, hour, day, month, weekday) is due, in UTC
// regardless of the machine's time zone.
import { Cron } from 'croner'

/**
 * Returns the first time strictly after `after`, or null for an invalid expression and for one that
 * is never due (30 February).
 */
export function nextTick(cron: string, after: Date): Date | null {
  try {
    return new Cron(fiveFields(cron), { mode: '5-part', utcOffset: 0, paused: true }).nextRun(after)
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
