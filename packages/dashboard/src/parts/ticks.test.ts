import { expect, test } from 'vitest'
import { toTicks } from './ticks.ts'

test.each([
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [40, [0, 10, 20, 30, 40]],
  [4_001, [0, 2_000, 4_000, 6_000]],
])('divides an axis to %i by whole round numbers', (max, ticks) => {
  expect(toTicks(max)).toEqual(ticks)
})

test.each([
  [0.003, [0, 0.001, 0.002, 0.003]],
  [1.2, [0, 0.5, 1, 1.5]],
])('divides an axis to %d by fractions', (max, ticks) => {
  expect(toTicks(max, { hasDecimals: true })).toEqual(ticks)
})

test('an axis reaches the largest value, in three to six ticks', () => {
  for (let max = 0.001; max < 1e12; max *= 1.37) {
    const ticks = toTicks(max, { hasDecimals: true })
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(max * (1 - 1e-9))
    expect(ticks.length).toBeGreaterThanOrEqual(3)
    expect(ticks.length).toBeLessThanOrEqual(6)
  }
})
