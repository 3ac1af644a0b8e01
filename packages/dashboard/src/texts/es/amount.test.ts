import { expect, test } from 'vitest'
import { amount, decimal } from './amount.ts'

test('writes separators, and the plural', () => {
  expect(amount(0, 'fila')).toBe('0 filas')
  expect(amount(1, 'fila')).toBe('1 fila')
  expect(amount(1234, 'conversación', 'conversaciones')).toBe('1234 conversaciones')
  expect(amount(1_234_567, 'fila')).toBe('1.234.567 filas')
})

test('writes a preposition after millions', () => {
  expect(amount(2_000_000, 'fila')).toBe('2.000.000 de filas')
})

test('writes a decimal comma', () => {
  expect(decimal(0.35)).toBe('0,35')
})
