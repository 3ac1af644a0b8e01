import { afterEach, expect, test, vi } from 'vitest'
import type { TestSpecification } from 'vitest/node'
import { ProgressReporter } from './progress-reporter.ts'

afterEach(() => vi.useRealTimers())

const toSpecifications = (names: string[]) =>
  names.map((moduleId) => ({ moduleId })) as unknown as TestSpecification[]

test('says how long a run takes, and every few seconds how far it is', () => {
  vi.useFakeTimers()
  const lines: string[] = []
  const reporter = new ProgressReporter((line) => lines.push(line))
  reporter.onInit()
  vi.advanceTimersByTime(15_000)
  expect(lines.at(-1)).toBe('Preparing the tests … 15 s')

  reporter.onTestRunStart(
    toSpecifications(['/a.test.ts', '/b.test.ts', '/c.test.ts', '/d.test.ts']),
  )
  expect(lines.at(-1)).toBe('4 test files: about 5 s')
  vi.advanceTimersByTime(15_000)
  expect(lines.at(-1)).toBe('0 of 4 files have ended … 15 s')

  reporter.onTestModuleEnd({ moduleId: '/a.test.ts' })
  vi.advanceTimersByTime(30_000)
  expect(lines.at(-1)).toMatch(/^25 % · 1 of 4 files · about \d+ (s|min) left$/)

  reporter.onTestModuleStart({ moduleId: '/b.test.ts' })
  vi.advanceTimersByTime(30_000)
  expect(lines.at(-1)).toMatch(/^48 % · 1 of 4 files/)

  const count = lines.length
  reporter.onTestRunEnd()
  vi.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(count)
})

test('prints a line that stays the same only twice a minute', () => {
  vi.useFakeTimers()
  const lines: string[] = []
  const reporter = new ProgressReporter((line) => lines.push(line))
  reporter.onTestRunStart(toSpecifications(['/a.test.ts', '/b.test.ts']))
  reporter.onTestModuleEnd({ moduleId: '/a.test.ts' })
  reporter.onTestModuleStart({ moduleId: '/b.test.ts' })
  vi.advanceTimersByTime(600_000)
  const before = lines.length
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  vi.advanceTimersByTime(60_000)
  reporter.onTestRunEnd()
  vi.restoreAllMocks()
  expect(lines.length - before).toBeGreaterThan(0)
  expect(lines.length - before).toBeLessThanOrEqual(3)
})
