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

test('code that ran for a while starts again at once, an answer clears the record, others are not concerned', () => {
  let now = 0
  const restarts = createRestarts(() => now)
  restarts.started('bot')
  now = 1500
  restarts.crashed('bot')
  expect(restarts.pauseMs('bot')).toBe(0)
  restarts.started('bot')
  restarts.crashed('bot')
  expect(restarts.pauseMs('bot')).toBe(2000)
  expect(restarts.pauseMs('other')).toBe(0)
  restarts.forgive('bot')
  expect(restarts.pauseMs('bot')).toBe(0)
})
