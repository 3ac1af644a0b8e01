import { afterEach, expect, test } from 'vitest'
import { nextTick } from './cron.ts'

const home = process.env.TZ
afterEach(() => {
  if (home === undefined) delete process.env.TZ
  else process.env.TZ = home
})

test.each([
  ['*/5 * * * *', '2026-01-01T00:00:00.000Z', '2026-01-01T00:05:00.000Z'],
  ['* * * * *', '2026-01-01T00:00:59.999Z', '2026-01-01T00:01:00.000Z'],
  ['* * * * *', '2026-01-01T00:01:00.000Z', '2026-01-01T00:02:00.000Z'],
  ['  0  0\t* * *  ', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
  ['0 9 * * MON-FRI', '2026-01-02T09:00:00.000Z', '2026-01-05T09:00:00.000Z'],
  ['59 23 31 12 *', '2026-12-31T23:59:00.000Z', '2027-12-31T23:59:00.000Z'],
  // Either of the two days matches, as in every cron.
  ['0 0 1 * SUN', '2026-01-01T00:00:00.000Z', '2026-01-04T00:00:00.000Z'],
  ['0 0 29 2 *', '2026-01-01T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
  // 2100 is not a leap year.
  ['0 0 29 2 *', '2096-02-29T00:00:00.000Z', '2104-02-29T00:00:00.000Z'],
  // 2100 is not a leap year, so this weekday comes 40 years later.
  ['0 0 29 2 +MON', '2072-03-01T00:00:00.000Z', '2112-02-29T00:00:00.000Z'],
  ['0 0 * 2 MON#5', '2072-03-01T00:00:00.000Z', '2112-02-29T00:00:00.000Z'],
  // Local times that a clock change skips or repeats.
  ['30 2 * * *', '2026-03-08T00:00:00.000Z', '2026-03-08T02:30:00.000Z'],
  ['30 1 * * *', '2026-11-01T01:30:00.000Z', '2026-11-02T01:30:00.000Z'],
  ['0 * * * *', '2026-03-08T06:59:59.000Z', '2026-03-08T07:00:00.000Z'],
])('%s after %s', (cron, after, next) => {
  for (const zone of ['UTC', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu']) {
    process.env.TZ = zone
    expect(nextTick(cron, new Date(after))?.toISOString(), zone).toBe(next)
  }
})

test.each([
  '',
  '* * * *',
  '* * * * * *',
  '@daily',
  '2027-01-01T00:00:00',
  '60 * * * *',
  '*/0 * * * *',
  '5-1 * * * *',
  '* * * * 8',
  '0 0 30 2 *',
  '0 0 31 4,6,9,11 *',
  'a b c d e',
  '٣ * * * *',
  '-1 * * * *',
  '1.5 * * * *',
  '* * * * *\0',
  '__proto__ * * * *',
  `${'1,'.repeat(90)}1 * * * 8`,
])('never runs %j', (cron) => {
  expect(nextTick(cron, new Date('2026-01-01T00:00:00.000Z'))).toBeNull()
})

// The best of several times, because other work of the machine delays single ones.
test.each([
  '0 0 31 2,4,6,9,11 *',
  '*/7 1-23 30 2 *',
  '0 0 30 2 +MON',
  '* * 30,31 2 +MON#5',
  '0 0 30W 2 *',
  `${'*/1,'.repeat(43)}* * 30,31 2 *`,
])('finds in a few milliseconds that %j is never due', (cron) => {
  const times = Array.from({ length: 20 }, () => {
    const from = performance.now()
    expect(nextTick(cron, new Date())).toBeNull()
    return performance.now() - from
  })
  expect(Math.min(...times)).toBeLessThan(10)
})
