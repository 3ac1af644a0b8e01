import { expect, test } from 'vitest'
import { RecordNames } from './record-names.ts'

const named = (headers: string[]) =>
  new RecordNames({ notes: new Set() }).fromHeader(headers)

test('numbers equal headers, and leaves out names of other headers', async () => {
  expect(await named(['a', 'a', 'a 3', 'a'])).toEqual(['a', 'a 2', 'a 3', 'a 4'])
})

test.each([
  ['short', () => '1'],
  [
    'long',
    (i: number) => `${'x'.repeat(26)}${String.fromCodePoint(0x4e00 + (i % 8_000))}y`,
  ],
  ['with surrogates', () => '\u{20000}'.repeat(30)],
])('numbers many equal headers in linear time: %s', async (_, toHeader) => {
  const names = await named(Array.from({ length: 16_000 }, (_, i) => toHeader(i)))
  expect(new Set(names).size).toBe(16_000)
  expect(Math.max(...names.map((name) => [...name].length))).toBeLessThanOrEqual(30)
})

test('rejects more columns than a spreadsheet has', async () => {
  await expect(named(Array.from({ length: 16_385 }, () => 'a'))).rejects.toThrow(
    'The file has 16385 columns: at most 16384 can be read',
  )
})
