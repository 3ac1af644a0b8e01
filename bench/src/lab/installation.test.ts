// Answers of an older version that are lost or changed are found.
import { expect, test } from 'vitest'
import { findDifference } from './installation.ts'

const recorded = {
  bots: [
    { id: 'bot_1', name: 'Echo' },
    { id: 'bot_2', tags: { team: 'support' } },
  ],
  meta: { count: 2, next: null },
  names: ['a', 'b'],
  url: '{{origin}}/files/1?signature=a',
}
const changed = (change: object) => findDifference(recorded, { ...recorded, ...change })

test('permits new objects and fields, another order of objects, higher counts and new signatures', () => {
  const bots = [{ id: 'bot_3' }, { ...recorded.bots[1], at: 'now' }, recorded.bots[0]]
  const now = { meta: { count: 3, next: null }, url: '{{origin}}/files/1?signature=b' }
  expect(changed({ bots, ...now })).toBe(null)
})

test('finds what is missing or differs', () => {
  expect(changed({ bots: recorded.bots.slice(0, 1) })).toBe('/bots/1')
  expect(changed({ bots: [recorded.bots[0], { id: 'bot_2', tags: {} }] })).toBe(
    '/bots/1/tags/team',
  )
  expect(changed({ meta: { count: 1, next: null } })).toBe('/meta/count')
  expect(changed({ meta: { count: 2 } })).toBe('/meta/next')
  expect(changed({ names: ['b', 'a'] })).toBe('/names/0')
  expect(changed({ url: '{{origin}}/files/2?signature=a' })).toBe('/url')
  expect(findDifference(recorded, null)).toBe('')
})
