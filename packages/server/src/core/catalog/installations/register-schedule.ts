// Computes the times of scheduled `register` calls. Calendar months in UTC; a missing day becomes
// the month's last.

const day = 86_400_000
const steps = {
  hourly: { ms: day / 24 },
  daily: { ms: day },
  weekly: { ms: 7 * day },
  'bi-weekly': { ms: 14 * day },
  monthly: { months: 1 },
  'bi-monthly': { months: 2 },
  quarterly: { months: 3 },
  yearly: { months: 12 },
} as const
export type RegisterSchedule = keyof typeof steps

/**
 * Returns the first time after `now` in whole steps from `from`: a server makes up for missed times
 * with one call.
 */
export function nextRegisterAt(
  schedule: RegisterSchedule,
  from: Date,
  now: Date = from,
): Date {
  const step = steps[schedule]
  if ('ms' in step)
    return new Date(
      from.getTime() +
        step.ms *
          (Math.max(0, Math.floor((now.getTime() - from.getTime()) / step.ms)) + 1),
    )
  for (let count = 1; ; count++) {
    const next = addMonths(from, count * step.months)
    if (next > now) return next
  }
}

function addMonths(from: Date, months: number): Date {
  const next = new Date(from)
  next.setUTCDate(1)
  next.setUTCMonth(next.getUTCMonth() + months)
  const lastDay = new Date(
    Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 0),
  ).getUTCDate()
  next.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return next
}
