import { expect, test } from 'vitest'
import { createRestarts } from './restarts.ts'

test('the pause doubles from one second to a minute, counted from the last start', () => {
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

test('who has to wait is told why; other code begins anew', () => {
  const restarts = createRestarts(() => 0)
  restarts.started('bot')
  restarts.crashed('bot')
  restarts.heard('bot', 'a syntax error')
  expect([restarts.lastWords('bot'), restarts.lastWords('other'), restarts.keys()]).toEqual([
    'a syntax error',
    '',
    ['bot'],
  ])
  restarts.forget('bot')
  expect([restarts.lastWords('bot'), restarts.keys(), restarts.pauseMs('bot')]).toEqual(['', [], 0])
})

test('code that ran for a while starts again at once, an answer clears the record, others are not concerned', () => {
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

test('an event that crashes the code at each of its attempts leaves the next one a second, and what crashes on and on ever more', () => {
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

test('however long code has waited, it never starts more than once a second', () => {
  let now = 0
  const restarts = createRestarts(() => now)
  for (let crash = 0; crash < 10; crash += 1) {
    restarts.started('bot')
    restarts.crashed('bot')
    expect(restarts.pauseMs('bot')).toBeGreaterThanOrEqual(1000)
    now += 3_600_000
  }
})
