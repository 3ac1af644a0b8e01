import { expect, test } from 'vitest'
import { findKeyword, isOpenAt, toReadyRules } from './handoff-rules.ts'

const keywords = ['human', 'Café', 'real person', '人工', 'straße', '(x+)+$']
const rules = toReadyRules({ keywords })!

test.each([
  ['I want a HUMAN!', 'human'],
  ['humanity', undefined],
  ['the cafe\u0301 please', 'Café'],
  ['CAFE', 'Café'],
  ['a real,\n person', 'real person'],
  ['a real nice person', undefined],
  ['我要人工服务', '人工'],
  ['STRASSE 5', 'straße'],
  ['anything', undefined],
  ['', undefined],
])('finds the keyword in %j', (text, keyword) => {
  expect(findKeyword(rules, { text })).toBe(keyword)
})

test('takes linear time, and ignores messages without text', () => {
  const begun = performance.now()
  expect(findKeyword(rules, { text: `${'a'.repeat(1_000_000)}!` })).toBeUndefined()
  expect(performance.now() - begun).toBeLessThan(500)
  for (const payload of [
    {},
    { text: null },
    { text: { text: 'human' } },
    { title: 'human' },
  ])
    expect(findKeyword(rules, payload)).toBeUndefined()
})

const closed = { timezone: 'UTC', open: [], message: 'Closed', handsOver: false }

test('rules that never hand over are not ready', () => {
  for (const none of [null, {}, { keywords: [] }, { message: 'Hi' }, { hours: closed }])
    expect(toReadyRules(none)).toBeNull()
})

test.each([
  // Monday in Zurich: UTC+2 in summer, UTC+1 in winter.
  ['2026-06-01T06:59:59Z', false],
  ['2026-06-01T07:00:00Z', true],
  ['2026-06-01T14:59:00Z', true],
  ['2026-06-01T15:00:00Z', false],
  ['2026-12-07T07:30:00Z', false],
  ['2026-12-07T08:00:00Z', true],
  // Sunday until midnight, which is another day in UTC.
  ['2026-06-07T21:59:00Z', true],
  ['2026-06-07T22:00:00Z', false],
])('knows whether it is open at %s', (at, isOpen) => {
  const hours = {
    timezone: 'Europe/Zurich',
    open: [
      { days: ['monday' as const], from: '09:00', to: '17:00' },
      { days: ['sunday' as const], from: '20:00', to: '24:00' },
    ],
    message: 'Closed',
    handsOver: false,
  }
  expect(isOpenAt(hours, new Date(at))).toBe(isOpen)
})
