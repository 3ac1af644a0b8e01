import { expect, test } from 'vitest'
import { amount } from './amount.ts'

test('writes separators, and the plural', () => {
  expect(amount(0, 'row')).toBe('0 rows')
  expect(amount(1, 'row')).toBe('1 row')
  expect(amount(1_234_567, 'entry', 'entries')).toBe('1,234,567 entries')
})
