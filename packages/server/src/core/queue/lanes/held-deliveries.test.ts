import { expect, test } from 'vitest'
import { HeldDeliveries } from './held-deliveries.ts'

test('limits one bot to half of the capacity, and all bots to the capacity', () => {
  const held = new HeldDeliveries({ count: 8, bytes: 1_000 })
  for (let i = 0; i < 4; i++) held.take('a', 10)
  expect([held.hasCapacity('a'), held.hasCapacity('b')]).toEqual([false, true])
  for (let i = 0; i < 4; i++) held.take('b', 10)
  expect(held.hasCapacity('c')).toBe(false)
  held.release('a', 10)
  expect([held.hasCapacity('a'), held.hasCapacity('b'), held.hasCapacity('c')]).toEqual([
    true,
    false,
    true,
  ])
})

test('counts bytes too', () => {
  const held = new HeldDeliveries({ count: 8, bytes: 1_000 })
  held.take('a', 500)
  expect([held.hasCapacity('a'), held.hasCapacity('b')]).toEqual([false, true])
  held.take('b', 500)
  expect(held.hasCapacity('c')).toBe(false)
  held.release('a', 500)
  held.release('b', 500)
  expect([held.count, held.bytes, held.hasCapacity('a')]).toEqual([0, 0, true])
})
