import { expect, test } from 'vitest'
import { scoreText } from './score.ts'

test('a score below the minimum never looks equal to it', () => {
  expect(scoreText(0.1987, 0.2)).toBe('0.198')
  expect(scoreText(0.19999, 0.2)).toBe('0.199')
  expect(scoreText(0.05, 0.1)).toBe('0.05')
  expect(scoreText(0.2, 0.2)).toBe('0.20')
  expect(scoreText(0.999)).toBe('1.00')
})
