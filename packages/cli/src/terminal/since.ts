// Times of options: ages such as `2h`, and dates.
import { UsageError } from '../failure.ts'

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Converts an age (30s, 10m, 2h, 7d) or a date (2026-01-31, with or without time) to ISO 8601. */
export function parseSince(option: string, text: string): string {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const time = count && unit ? Date.now() - Number(count) * units[unit]! : parseDate(text)
  if (Number.isNaN(time))
    throw new UsageError(
      `${option} must be a duration such as 30s, 10m, 2h or 7d, or a date such as 2026-01-31, not "${text}"`,
    )
  return new Date(time).toISOString()
}

const parseDate = (text: string) =>
  /^\d{4}-\d\d-\d\d(T.*)?$/.test(text) ? Date.parse(text) : Number.NaN
