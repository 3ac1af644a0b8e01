import { expect, test } from 'vitest'
import { amount, decimal } from './amount.ts'

test('writes separators, and the plural', () => {
  expect(amount(0, 'Zeile', 'Zeilen')).toBe('0 Zeilen')
  expect(amount(1, 'Zeile', 'Zeilen')).toBe('1 Zeile')
  expect(amount(1_234_567, 'Eintrag', 'Einträge')).toBe('1.234.567 Einträge')
})

test('writes a comma in decimals', () => {
  expect(decimal(0.35)).toBe('0,35')
  expect(decimal('0.20')).toBe('0,20')
})
