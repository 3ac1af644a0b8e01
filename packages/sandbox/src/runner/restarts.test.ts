import { expect, test } from 'vitest'
import { createRestarts } from './restarts.ts'

test('doubles the pause from one second to a minute, counted from the last start', () => {
  let now = 0
  const restarts = createRestarts(() => now)
  const pauses = Array.from({ length: 8 }, () => {
    restarts.started('bot')
    now += 10
    restarts.crashed('bot')
    const pause = restarts.pauseMs('bot')
    now += pause
    return pause + 10
  })
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
})

test('reports why a caller must wait, and resets for other code', () => {
  const restarts = createRestarts(() => 0)
  restarts.started('bot')
  restarts.crashed('bot')
  restarts.noteLastWords('bot', 'a syntax error')
  expect([
    restarts.lastWords('bot'),
    restarts.lastWords('other'),
    restarts.keys(),
  ]).toEqual(['a syntax error', '', ['bot']])
  restarts.forget('bot')
  expect([restarts.lastWords('bot'), restarts.keys(), restarts.pauseMs('bot')]).toEqual([
    '',
    [],
    0,
  ])
})

test('restarts code at once after a long run or a response, without effect on others', () => {
  let now = 0
  const restarts = createRestarts(() => now)
  restarts.started('bot')
  now = 1500
  restarts.crashed('bot')
  expect(restarts.pauseMs('bot')).toBe(0)
  restarts.started('bot')
  restarts.crashed('bot')
  expect(restarts.pauseMs('bot')).toBe(1500)
  expect(restarts.pauseMs('other')).toBe(0)
  restarts.forgive('bot')
  expect(restarts.pauseMs('bot')).toBe(0)
})

test('delays the next event by a second after repeated crashes, and longer after more', () => {
  let now = 0
  const restarts = createRestarts(() => now)
  const crashAt = (at: number) => {
    expect(restarts.pauseMs('bot')).toBeLessThanOrEqual(Math.max(0, at - now))
    now = at
    restarts.started('bot')
    restarts.crashed('bot')
  }
  for (const at of [0, 1000, 6000]) crashAt(at)
  expect(now + restarts.pauseMs('bot')).toBe(7000)
  for (const pause of [8000, 16_000, 32_000, 60_000, 60_000]) {
    now += restarts.pauseMs('bot')
    crashAt(now)
    expect(restarts.pauseMs('bot')).toBe(pause)
  }
})

test('starts code at most once a second after any wait', () => {
  let now = 0
  const restarts = createRestarts(() => now)
  for (let crash = 0; crash < 10; crash += 1) {
    restarts.started('bot')
    restarts.crashed('bot')
    expect(restarts.pauseMs('bot')).toBeGreaterThanOrEqual(1000)
    now += 3_600_000
  }
})
