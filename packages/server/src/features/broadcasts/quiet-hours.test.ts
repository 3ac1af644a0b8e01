import { expect, test } from 'vitest'
import { findQuietEnd, isTimezone } from './quiet-hours.ts'

const night = { from: '21:00', to: '08:00', timezone: 'Europe/Berlin', timezoneTag: 'tz' }
const end = (at: string, tags: Record<string, string> = {}, hours = night) =>
  findQuietEnd(hours, tags, new Date(at))?.toISOString() ?? null

test.each([
  // Berlin is two hours ahead of UTC in summer.
  ['2026-07-01T18:59:59Z', null],
  ['2026-07-01T19:00:00Z', '2026-07-02T06:00:00.000Z'],
  ['2026-07-02T05:59:30Z', '2026-07-02T06:00:00.000Z'],
  ['2026-07-02T06:00:00Z', null],
])('quiet hours across midnight at %s end at %s', (at, until) => {
  expect(end(at)).toBe(until)
})

test('the time zone of the user counts, unless its tag names none', () => {
  const at = '2026-07-01T19:00:00Z'
  expect(end(at, { tz: 'America/New_York' })).toBeNull()
  expect(end(at, { tz: 'Asia/Kolkata' })).toBe('2026-07-02T02:30:00.000Z')
  for (const tz of ['', 'Mars/Olympus', '__proto__', 'x'.repeat(1_000)])
    expect(end(at, { tz })).toBe('2026-07-02T06:00:00.000Z')
})

test('ends at the local time also when the clocks change meanwhile', () => {
  // In the night to 29 March 2026, 02:00 becomes 03:00; to 25 October, 03:00 becomes 02:00.
  expect(end('2026-03-28T20:30:00Z')).toBe('2026-03-29T06:00:00.000Z')
  expect(end('2026-10-24T19:30:00Z')).toBe('2026-10-25T07:00:00.000Z')
})

test('quiet hours within a day, and time zones', () => {
  const noon = { ...night, from: '12:00', to: '13:00', timezone: 'UTC' }
  expect(end('2026-07-01T12:30:00Z', {}, noon)).toBe('2026-07-01T13:00:00.000Z')
  expect(end('2026-07-01T13:00:00Z', {}, noon)).toBeNull()
  expect(['UTC', 'Europe/Berlin', 'Berlin', ''].map(isTimezone)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
