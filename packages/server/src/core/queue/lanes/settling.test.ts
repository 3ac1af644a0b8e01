import pino from 'pino'
import { expect, test, vi } from 'vitest'
import type { Settled } from '../deliveries.ts'
import { Settling } from './settling.ts'

const log = pino({ level: 'silent' })
const outcome = {} as Settled

function open(recordMs = 0) {
  const batches: number[] = []
  const settling = new Settling({
    log,
    retryMs: 1,
    record: async (batch) => {
      batches.push(batch.length)
      await new Promise((resolve) => setTimeout(resolve, recordMs))
    },
  })
  return { settling, batches }
}

/** Adds many outcomes at once, as at a high rate. */
const add = (settling: Settling, count: number) => {
  for (let i = 0; i < count; i++) settling.add(outcome)
}

test('records few outcomes at once, together with those added in the same moment', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const { settling, batches } = open()
    add(settling, 3)
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    expect(batches).toEqual([3])
  } finally {
    vi.useRealTimers()
  }
})

test('gathers outcomes when there are many a second', async () => {
  const { settling, batches } = open()
  const begun = performance.now()
  let added = 0
  // 2,000 a second, however late the timers of a busy machine are.
  for (let ms = 0; ms < 400; ms = performance.now() - begun) {
    const due = Math.ceil(ms * 2) - added
    add(settling, due)
    added += due
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await settling.quiet()
  expect(batches.reduce((sum, one) => sum + one, 0)).toBe(added)
  const perBatch = batches.slice(-5).reduce((sum, one) => sum + one, 0) / 5
  expect(perBatch).toBeGreaterThan(15)
})

test('records outcomes that arrive during a write together', async () => {
  const { settling, batches } = open(20)
  add(settling, 1)
  await vi.waitFor(() => expect(batches).toEqual([1]))
  add(settling, 2)
  await settling.quiet()
  expect(batches).toEqual([1, 2])
})
