// Uses its own clock, and compares with a model that stores every request.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Rate } from './rate.ts'
import { SlidingWindow } from './sliding-window.ts'

const windowMs = 60_000
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        pause: fc.integer({ min: 0, max: 40 }),
        tries: fc.integer({ min: 1, max: 5 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        pause: fc.double({ min: 0, max: 70_000, noNaN: true }),
        tries: fc.integer({ min: 1, max: 40 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        pause: fc.integer({ min: 0, max: 200_000 }),
        tries: fc.integer({ min: 0, max: 3 }),
      }),
    },
  ),
  { maxLength: 60 },
)
const start = fc.double({ min: 0, max: 1e9, noNaN: true })

test('admits at most the limit per window, and all that fits into a window 1% longer', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), start, steps, (limit, begin, story) => {
      const window = new SlidingWindow(limit, windowMs)
      const passed: number[] = []
      const within = (now: number, ms: number) =>
        passed.filter((at) => at > now - ms).length
      let now = begin
      for (const { pause, tries } of story) {
        now += pause
        for (let i = 0; i < tries; i++) {
          const left = window.remaining(now)
          expect(left).toBeLessThanOrEqual(limit - within(now, windowMs))
          expect(left).toBeGreaterThanOrEqual(
            limit - within(now, windowMs * 1.01 + 0.001),
          )
          const took = window.take(now)
          expect(took).toBe(left > 0)
          if (took) passed.push(now)
          expect(within(now, windowMs)).toBeLessThanOrEqual(limit)
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('reports exactly when the next request passes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), start, steps, (limit, begin, story) => {
      const window = new SlidingWindow(limit, windowMs)
      let now = begin
      for (const { pause, tries } of story) {
        now += pause
        for (let i = 0; i < tries; i++) window.take(now)
        const wait = window.msUntilFree(now)
        expect(wait === 0).toBe(window.remaining(now) > 0)
        if (wait === 0) continue
        expect(wait).toBeLessThanOrEqual(windowMs * 1.01 + 0.001)
        const copy = new SlidingWindow(limit, windowMs)
        copy.restore(window.dump(now), 0, now)
        expect(copy.remaining(now + wait - 0.01)).toBe(0)
        expect(copy.take(now + wait + 0.01)).toBe(true)
      }
    }),
    { numRuns: 200 },
  )
})

test('continues unchanged after dump and restore', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      start,
      steps,
      fc.double({ min: 0, max: 130_000, noNaN: true }),
      (limit, begin, story, ageMs) => {
        const window = new SlidingWindow(limit, windowMs)
        let now = begin
        for (const { pause, tries } of story) {
          now += pause
          for (let i = 0; i < tries; i++) window.take(now)
        }
        const dumped = window.dump(now)
        // Another process, with another origin of its clock.
        const restored = new SlidingWindow(limit, windowMs)
        restored.restore(dumped, ageMs, 12_345)
        // Slices do not meet at their edges: one of them more or less.
        const [left, leftLater] = [
          window.remaining(now + ageMs),
          window.remaining(now + ageMs + windowMs / 100),
        ]
        expect(restored.remaining(12_345)).toBeLessThanOrEqual(leftLater)
        expect(restored.remaining(12_345 + windowMs / 100)).toBeGreaterThanOrEqual(left)
      },
    ),
    { numRuns: 200 },
  )
})

describe('exactly', () => {
  const rate = (limit: number) => {
    const clock = { now: 0 }
    return { clock, rate: new Rate({ limit, windowMs, now: () => clock.now }) }
  }

  test('admits the limit and rejects one more', () => {
    const { rate: of } = rate(600)
    for (let i = 0; i < 600; i++)
      expect(of.take('bot')).toMatchObject({ passed: true, remaining: 599 - i })
    expect(of.take('bot')).toMatchObject({ passed: false, limit: 600, remaining: 0 })
    expect(of.take('another')).toMatchObject({ passed: true })
  })

  test('admits the limit again after a window, but none after half a window', () => {
    const { rate: of, clock } = rate(10)
    for (let i = 0; i < 10; i++) of.take('bot')
    clock.now = 30_000
    expect(of.take('bot').passed).toBe(false)
    clock.now = 60_600
    for (let i = 0; i < 10; i++) expect(of.take('bot').passed).toBe(true)
    expect(of.take('bot').passed).toBe(false)
  })

  test('admits at least 99% of a steady stream at the limit', () => {
    const { rate: of, clock } = rate(600)
    let passed = 0
    for (let i = 0; i < 6_000; i++) {
      clock.now = i * 100
      if (of.take('bot').passed) passed++
    }
    expect(passed).toBeGreaterThanOrEqual(6_000 * 0.99)
  })

  test('reports only requests admitted here, and counts those of others', () => {
    const { rate: of } = rate(5)
    of.take('bot')
    of.add('bot', 3)
    of.take('bot')
    expect(of.take('bot').passed).toBe(false)
    expect([...of.takeFresh()]).toEqual([['bot', 2]])
    expect([...of.takeFresh()]).toEqual([])
  })

  test('counts amounts of more than 32 bits, and one above the limit as the limit', () => {
    const { rate: of, clock } = rate(6e9)
    expect(of.take('file', 5e9)).toMatchObject({ passed: true, remaining: 1e9 })
    expect(of.take('file', 2e9)).toMatchObject({ passed: false, remaining: 1e9 })
    expect(of.take('file', 1e9).passed).toBe(true)
    expect(of.look('file', 7e9).msUntilFree).toBeCloseTo(windowMs * 1.01)
    clock.now = windowMs * 1.01
    expect([of.take('file', 7e9).passed, of.take('file').passed]).toEqual([true, false])
    expect([...of.takeFresh()]).toEqual([['file', 12e9]])
  })

  test('deletes unused keys and never holds more than the maximum', () => {
    const clock = { now: 0 }
    const of = new Rate({ limit: 1, windowMs, now: () => clock.now, maxKeys: 3 })
    for (const key of ['a', 'b', 'c', 'd']) of.take(key)
    expect(of.look('a').passed).toBe(true)
    expect(of.look('b').passed).toBe(false)
    clock.now = 2 * windowMs
    of.takeFresh()
    expect(of.isQuiet).toBe(true)
  })
})
