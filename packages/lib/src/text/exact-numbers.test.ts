import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findInexactNumber, keepsDigits, parseExactNumber } from './exact-numbers.ts'

const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
)

test('accepts all numbers as programs write them', () => {
  fc.assert(
    fc.property(numbers, (number) => {
      const json = JSON.stringify([number, { a: number }])
      expect(findInexactNumber(json)).toBeNull()
      expect(keepsDigits(number.toPrecision(17))).toBe(true)
      if (!Object.is(number, -0)) expect(parseExactNumber(String(number))).toBe(number)
    }),
    { numRuns: 2_000 },
  )
})

test('rejects integers that a number rounds', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 2n ** 53n, max: 10n ** 20n }), (rounded) => {
      // Zeros at the end are no digits that a number loses.
      const integer = rounded % 10n === 0n ? rounded + 1n : rounded
      const text = String(integer)
      expect(keepsDigits(text)).toBe(BigInt(Number(text)) === integer)
    }),
    { numRuns: 2_000 },
  )
})

test('finds numbers outside of texts only', () => {
  const text = String.raw`{"a\"9007199254740993":"9007199254740993","b":[1.5,-9007199254740993]}`
  expect(findInexactNumber(text)).toBe('-9007199254740993')
  expect(findInexactNumber('"9007199254740993')).toBe('9007199254740993')
  expect(findInexactNumber(`"${'9'.repeat(1_000_000)}"`)).toBeNull()
})
