import { expect, test } from 'vitest'
import { estimateRun, readDurations, toDuration } from './durations.ts'

test('expects a file that has not run here to take as long as others of its kind', () => {
  const findDuration = readDurations()
  const durations = [
    'packages/server/test/app/dashboard/never-ran.test.ts',
    'packages/crash.test.ts',
    'packages/server/test/modules/never-ran.test.ts',
    'packages/flows/src/never-ran.test.ts',
  ].map(findDuration)
  expect(durations).toEqual(durations.toSorted((one, other) => other - one))
  expect(new Set(durations).size).toBe(4)
  expect(durations.at(-1)).toBeGreaterThan(0)
})

test('divides the work among the processes, but not a single file', () => {
  expect(estimateRun(Array(8).fill(1_000))).toBe(2_000)
  expect(estimateRun([60_000, 1_000])).toBe(60_000)
  expect(estimateRun([])).toBe(0)
})

test('rounds durations for people', () => {
  expect(toDuration(1)).toBe('5 s')
  expect(toDuration(41_000)).toBe('45 s')
  expect(toDuration(370_000)).toBe('6 min')
})
