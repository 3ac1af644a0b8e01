import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PeriodicTask } from './periodic-task.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function repeat(task: (nth: number) => unknown = () => {}) {
  const runs: number[] = []
  const failures: unknown[] = []
  const begun = performance.now()
  const repeated = new PeriodicTask({
    async task() {
      runs.push(Math.round(performance.now() - begun))
      return task(runs.length)
    },
    paceMs: 1_000,
    failed: (error) => failures.push(error),
  })
  return { repeated, runs, failures }
}

test('runs at its interval', async () => {
  const { runs } = repeat()
  await vi.advanceTimersByTimeAsync(3_500)
  expect(runs).toEqual([200, 1_200, 2_200, 3_200])
})

test('runs sooner on request, never later', async () => {
  const { repeated, runs } = repeat()
  await vi.advanceTimersByTimeAsync(300)
  repeated.within(400)
  repeated.within(100)
  repeated.within(800)
  await vi.advanceTimersByTimeAsync(1_500)
  expect(runs).toEqual([200, 400, 1_400])
})

test('runs sooner if the task returns a shorter delay, never later', async () => {
  const { runs } = repeat((nth) => (nth === 1 ? 50 : 5_000))
  await vi.advanceTimersByTimeAsync(2_500)
  expect(runs).toEqual([200, 250, 1_250, 2_250])
})

test('runs again after a request during a run', async () => {
  const { repeated, runs } = repeat(
    () => new Promise((resolve) => setTimeout(resolve, 300)),
  )
  await vi.advanceTimersByTimeAsync(250)
  repeated.within(10)
  await vi.advanceTimersByTimeAsync(300)
  expect(runs).toEqual([200, 501])
})

test('reports a failure and keeps its interval', async () => {
  const { runs, failures } = repeat((nth) => {
    if (nth === 1) throw new Error('away')
  })
  await vi.advanceTimersByTimeAsync(1_300)
  expect([runs, failures]).toEqual([[200, 1_200], [new Error('away')]])
})

test('finishes the current run after stop, and starts no other', async () => {
  const { repeated, runs } = repeat(
    () => new Promise((resolve) => setTimeout(resolve, 300)),
  )
  await vi.advanceTimersByTimeAsync(250)
  const stopped = repeated.stop()
  repeated.within(0)
  await vi.advanceTimersByTimeAsync(5_000)
  await stopped
  expect(runs).toEqual([200])
})
