// Texts that people type, and stored ones of the same meaning.
import { expect, test } from 'vitest'
import { toSpelling } from './spellings.ts'

/** As the server and PostgreSQL read the pattern. */
const finds = (typed: string, stored: string, region?: string) => {
  const spelling = toSpelling(typed, region)
  return (
    spelling !== null &&
    new RegExp(spelling.pattern, 'iu').test(stored) &&
    spelling.fits(stored)
  )
}

test.each([
  ['kunde@example.org', 'Kunde@example.org'],
  [' My mail is KUNDE@Example.org ', 'kunde@example.org'],
  ['#1001', '1001'],
  ['1001', '#1001'],
  ['a-1001', 'A1001'],
  ['A1001', 'a-1001 '],
  ['Nr. 12/345', 'NR12345'],
  ['１００１', '1001'],
  ['ÄB-1', 'äb1'],
  ['+41 44 123 45 67', '044 123 45 67', 'CH'],
  ['044 123 45 67', '+41441234567', 'CH'],
  ['044 123 45 67', '+41 (0)44 123 45 67'],
  ['+41 44 123 45 67', '0441234567'],
  ['0041441234567', '+41 44 123 45 67'],
  ['(415) 555-2671', '+1 415 555 2671'],
  ['0012345678', '0012345678'],
])('finds for %j the text %j', (typed, stored, region?: string) => {
  expect(finds(typed, stored, region)).toBe(true)
})

test.each([
  ['kunde@example.org', 'kund.e@example.org'],
  ['kunde@example.org', 'akunde@example.org'],
  ['kunde@example.org', 'kunde@example-org'],
  ['1001', '10011'],
  ['1001', '01001'],
  ['1001', 'A1001'],
  ['Mller', 'Müller'],
  ['1234567', '+41 44 123 45 67'],
  ['044 123 45 67', '+41 43 123 45 67', 'CH'],
  ['+41 44 123 45 67', '+49 44 1234567'],
  ['#', '1001'],
  ['#', ''],
  ['.*', 'anything'],
  ['a'.repeat(101), 'a'.repeat(101)],
])('finds for %j not %j', (typed, stored, region?: string) => {
  expect(finds(typed, stored, region)).toBe(false)
})
