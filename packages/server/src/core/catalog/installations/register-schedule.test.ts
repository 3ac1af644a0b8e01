import { expect, test } from 'vitest'
import { nextRegisterAt, type RegisterSchedule } from './register-schedule.ts'

test.each<[RegisterSchedule, string, string]>([
  ['hourly', '2026-01-31T23:30:00.000Z', '2026-02-01T00:30:00.000Z'],
  ['daily', '2026-02-28T10:00:00.000Z', '2026-03-01T10:00:00.000Z'],
  ['weekly', '2026-12-30T10:00:00.000Z', '2027-01-06T10:00:00.000Z'],
  ['bi-weekly', '2026-03-25T10:00:00.000Z', '2026-04-08T10:00:00.000Z'],
  ['monthly', '2026-01-31T10:00:00.123Z', '2026-02-28T10:00:00.123Z'],
  ['monthly', '2028-01-31T10:00:00.000Z', '2028-02-29T10:00:00.000Z'],
  ['monthly', '2026-12-15T10:00:00.000Z', '2027-01-15T10:00:00.000Z'],
  ['bi-monthly', '2026-12-31T10:00:00.000Z', '2027-02-28T10:00:00.000Z'],
  ['quarterly', '2026-11-30T10:00:00.000Z', '2027-02-28T10:00:00.000Z'],
  ['yearly', '2028-02-29T10:00:00.000Z', '2029-02-28T10:00:00.000Z'],
])('%s after %s', (schedule, from, expected) =>
  expect(nextRegisterAt(schedule, new Date(from)).toISOString()).toBe(expected),
)

test.each<[RegisterSchedule, string, string, string]>([
  [
    'hourly',
    '2026-01-01T00:30:00.000Z',
    '2026-01-03T07:45:00.000Z',
    '2026-01-03T08:30:00.000Z',
  ],
  [
    'hourly',
    '2026-01-01T00:30:00.000Z',
    '2026-01-01T01:30:00.000Z',
    '2026-01-01T02:30:00.000Z',
  ],
  [
    'monthly',
    '2026-01-31T00:00:00.000Z',
    '2026-03-01T00:00:00.000Z',
    '2026-03-31T00:00:00.000Z',
  ],
  [
    'yearly',
    '2020-06-01T00:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
    '2026-06-01T00:00:00.000Z',
  ],
])('%s from %s, when it is %s already', (schedule, from, now, expected) => {
  expect(nextRegisterAt(schedule, new Date(from), new Date(now)).toISOString()).toBe(
    expected,
  )
})
