import { expect, test } from 'vitest'
import { estimateRun, readDurations, toDuration } from './durations.ts'

test('expects a long file to take longer than a short one that has not run here', () => {
  const findDuration = readDurations()
  const [long, short] = ['crash', 'never-ran'].map((name) =>
    findDuration(`packages/${name}.test.ts`),
  )
  expect(long).toBeGreaterThan(short!)
  expect(short).toBeGreaterThan(0)
})

test('divides the work among the processes, but not a single file', () => {
  expect(estimateRun([1_000, 1_000, 1_000, 1_000, 1_000, 1_000])).toBe(2_000)
  expect(estimateRun([60_000, 1_000])).toBe(60_000)
  expect(estimateRun([])).toBe(0)
})

test('rounds durations for people', () => {
  expect(toDuration(1)).toBe('5 s')
  expect(toDuration(41_000)).toBe('45 s')
  expect(toDuration(370_000)).toBe('6 min')
})
