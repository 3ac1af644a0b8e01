import { expect, test } from 'vitest'
import { dueTime } from './schedule.ts'

test.each([
  [
    { dateTime: '2026-01-31T10:00:00.123Z' },
    { at: Date.UTC(2026, 0, 31, 10, 0, 0, 123), delay: null },
  ],
  [
    { dateTime: '2026-01-31T10:00:00+01:00' },
    { at: Date.UTC(2026, 0, 31, 9), delay: null },
  ],
  [
    { dateTime: '2028-02-29T23:59:59.999999Z' },
    { at: Date.UTC(2028, 1, 29, 23, 59, 59, 999), delay: null },
  ],
  [
    { dateTime: '0000-01-01T00:00:00.000Z' },
    { at: Date.parse('0000-01-01T00:00:00.000Z'), delay: null },
  ],
  [
    { dateTime: '9999-12-31T23:59:59.999Z' },
    { at: Date.UTC(9999, 11, 31, 23, 59, 59, 999), delay: null },
  ],
  [{ dateTime: '2026-01-31T10:00:00Z' }, { at: Date.UTC(2026, 0, 31, 10), delay: null }],
  [{ dateTime: '2026-01-31T10:00Z' }, { at: Date.UTC(2026, 0, 31, 10), delay: null }],
  [
    { dateTime: '2026-01-31T10:00:00-0530' },
    { at: Date.UTC(2026, 0, 31, 15, 30), delay: null },
  ],
  [
    { dateTime: '2026-01-31t10:00:00.5z' },
    { at: Date.UTC(2026, 0, 31, 10, 0, 0, 500), delay: null },
  ],
  [
    { dateTime: '2026-01-31 10:00:00.000Z' },
    { at: Date.UTC(2026, 0, 31, 10), delay: null },
  ],
  [
    { dateTime: '2026-01-31T10:00:00.123456789+01:00' },
    { at: Date.UTC(2026, 0, 31, 9, 0, 0, 123), delay: null },
  ],
  [
    { dateTime: 'Sat, 31 Jan 2026 10:00 GMT' },
    { at: Date.UTC(2026, 0, 31, 10), delay: null },
  ],
  [{ delay: 0 }, { at: null, delay: 0 }],
  [{ delay: 0.25 }, { at: null, delay: 0.25 }],
  [{ delay: 315_576_000_000 }, { at: null, delay: 315_576_000_000 }],
])('%j', (schedule, due) => expect(dueTime(schedule)).toEqual(due))

test.each([
  [{}],
  [{ dateTime: '2026-01-31T10:00:00.123Z', delay: 1 }],
  [{ delay: -1 }],
  [{ delay: 315_576_000_001 }],
  [{ delay: 1e308 }],
  [{ delay: Number.NaN }],
  [{ dateTime: '2026-02-30T10:00:00.000Z' }],
  [{ dateTime: '2027-02-29T10:00:00.000Z' }],
  [{ dateTime: '2026-13-01T10:00:00.000Z' }],
  [{ dateTime: '2026-00-10T10:00:00.000Z' }],
  [{ dateTime: '2026-01-01T24:00:00.000Z' }],
  [{ dateTime: '2026-01-01T10:00:60.000Z' }],
  [{ dateTime: '2026-01-01T10:00:00.000' }],
  [{ dateTime: '2026-01-01' }],
  [{ dateTime: '1769850000000' }],
  [{ dateTime: '+002026-01-01T10:00:00Z' }],
  [{ dateTime: '２０２６-01-01T10:00:00.000Z' }],
  [{ dateTime: '' }],
])('rejects %j', (schedule) =>
  expect(() => dueTime(schedule)).toThrow(
    expect.objectContaining({ type: 'InvalidPayload' }),
  ),
)

test('gives an example that it accepts', () => {
  const { message } = (() => {
    try {
      dueTime({ dateTime: 'tomorrow' })
    } catch (error) {
      return error as Error
    }
    throw new Error('accepted')
  })()
  const [example] = /\d{4}-\S+Z/.exec(message)!
  expect(dueTime({ dateTime: example }).at).toBe(Date.UTC(2026, 0, 31, 8))
})
