import { expect, test } from 'vitest'
import { actionCacheMs, actionKey, createActionCache } from './action-cache.ts'

test('caches an output for five minutes for its bot only', () => {
  let at = 0
  const cache = createActionCache({ now: () => at })
  cache.set('one', 'key', { y: 1 })
  expect([cache.get('one', 'key'), cache.get('two', 'key')]).toEqual([{ y: 1 }, null])
  at = actionCacheMs - 1
  expect(cache.get('one', 'key')).toEqual({ y: 1 })
  at = actionCacheMs
  expect(cache.get('one', 'key')).toBe(null)
})

test('bounds the cache of each bot separately', () => {
  const cache = createActionCache()
  cache.set('two', 'mine', { y: 1 })
  for (let i = 0; i < 100; i += 1)
    cache.set('one', `key ${i}`, { text: 'x'.repeat(100_000) })
  const kept = Array.from(
    { length: 100 },
    (_, i) => cache.get('one', `key ${i}`) !== null,
  )
  expect([kept.filter(Boolean).length, kept[0], kept[99]]).toEqual([41, false, true])
  expect(cache.get('two', 'mine')).toEqual({ y: 1 })
  cache.set('one', 'large', { text: 'x'.repeat(300_000) })
  expect(cache.get('one', 'large')).toBe(null)
})

test('derives equal keys only from equal inputs', () => {
  const key = (input: object, target = 'a', action = 'b') =>
    actionKey(target, action, input as never)
  const inputs = [
    { a: 1, b: { c: [1, 2] } },
    { a: 1, b: { c: [2, 1] } },
    JSON.parse('{"__proto__":1}'),
    {},
    { object: [] },
  ]
  expect(
    new Set([...inputs.map((input) => key(input)), key({}, 'x'), key({}, 'a', 'x')]).size,
  ).toBe(7)
  expect(key({ b: { c: [1, 2] }, a: 1 })).toBe(key(inputs[0]))
})
