import { expect, test } from 'vitest'
import { amount, decimal } from './amount.ts'

test('writes separators, and the plural', () => {
  expect(amount(0, 'linha')).toBe('0 linhas')
  expect(amount(1, 'linha')).toBe('1 linha')
  expect(amount(2, 'sessão', 'sessões')).toBe('2 sessões')
  expect(amount(1_234_567, 'linha')).toBe('1.234.567 linhas')
})

test('writes "de" after whole millions', () => {
  expect(amount(1_000_000, 'linha')).toBe('1.000.000 de linhas')
  expect(amount(2_000_000, 'linha')).toBe('2.000.000 de linhas')
})

test('writes decimals with a comma', () => {
  expect(decimal(0.35)).toBe('0,35')
  expect(decimal('0.410')).toBe('0,410')
})
