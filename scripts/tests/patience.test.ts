// Timeouts of tests and hooks on a slow machine.
import { expect, test } from 'vitest'
import { patientTests, readPatience, withPatience } from './patience.ts'

/** Stands for a function of Vitest, which returns its arguments. */
const hook = (...args: unknown[]) => args
const work = () => {}

test('multiplies a timeout that a hook or test states, and no other argument', () => {
  const patient = withPatience(hook, 5)
  expect(patient(work, 30_000)).toEqual([work, 150_000])
  expect(patient('name', { timeout: 60_000, retry: 1 }, work)).toEqual([
    'name',
    { timeout: 300_000, retry: 1 },
    work,
  ])
  expect(patient('name', work)).toEqual(['name', work])
})

test('multiplies once for variants of a test', () => {
  const cases: unknown[] = []
  const chain = Object.assign((...args: unknown[]) => cases.push(args), {
    each: () => (name: string, run: () => void, timeout: number) =>
      chain(name, run, timeout),
    skipIf(isSkipped: boolean) {
      return isSkipped ? work : this
    },
  })
  const patient = withPatience(chain, 3)
  patient.each()('each', work, 1_000)
  ;(patient.skipIf(false) as typeof chain)('skipIf', work, 1_000)
  expect(cases).toEqual([
    ['each', work, 3_000],
    ['skipIf', work, 3_000],
  ])
})

test('applies to test files alone', () => {
  expect(patientTests.resolveId('vitest', '/a/b.test.ts')).toMatch(/patient-vitest\.ts$/)
  expect(patientTests.resolveId('vitest', '/a/patient-vitest.ts')).toBeNull()
  expect(patientTests.resolveId('vite', '/a/b.test.ts')).toBeNull()
})

test('rejects a factor that is no number from 1', () => {
  expect(readPatience()).toBe(1)
  expect(readPatience('2.5')).toBe(2.5)
  for (const text of ['0', '-1', 'NaN', 'five', '', 'Infinity'])
    expect(() => readPatience(text), text).toThrow('BOTSTEAD_TEST_PATIENCE')
})
