import { expect, test } from 'vitest'
import { Moment } from './fields.ts'

const moment = new RegExp((Moment as { pattern?: string }).pattern!, 'u')

test.each([
  '2026-02-28',
  '2026-02-31',
  '0000-01-01T00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '2026-01-01T00:00:00+23:59',
  '2026-01-01T00:00:00.5-00:00',
])('%s is a moment, and a date to JavaScript', (text) => {
  expect(text).toMatch(moment)
  expect(new Date(text).getTime()).not.toBeNaN()
})

test.each([
  '',
  'now',
  '2026',
  '2026-13-01',
  '2026-01-32',
  '2026-01-01T24:00:00Z',
  '2016-12-31T23:59:60Z',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01\n',
])('%j is no moment', (text) => {
  expect(text).not.toMatch(moment)
})
