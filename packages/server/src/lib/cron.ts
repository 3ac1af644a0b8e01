// When a cron expression of five fields is due: minute, hour, day, month, weekday, in UTC, whatever the machine's own time zone.
import { Cron } from 'croner'

/** The first moment strictly after this one. Null for what is no such expression, and for one that is never due (30 February). */
export function nextTick(cron: string, after: Date): Date | null {
  try {
    return new Cron(fiveFields(cron), { mode: '5-part', utcOffset: 0, paused: true }).nextRun(after)
  } catch {
    return null
  }
}

/** The library also takes single dates and nicknames. */
function fiveFields(cron: string): string {
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== 5) throw new RangeError('A cron expression has five fields')
  return fields.join(' ')
}
