import { expect, test } from 'vitest'
import { amount, decimal, plural } from './amount.ts'

test('writes separators, and the plural from two on', () => {
  expect(amount(0, 'ligne')).toBe('0 ligne')
  expect(amount(1, 'ligne')).toBe('1 ligne')
  expect(amount(2, 'ligne')).toBe('2 lignes')
  expect(amount(1_234_567, 'canal', 'canaux')).toBe('1\u202f234\u202f567 canaux')
  expect(plural(1.5, 'ligne')).toBe('ligne')
})

test('writes a decimal comma', () => {
  expect(decimal(0.35)).toBe('0,35')
  expect(decimal('0.50')).toBe('0,50')
})
