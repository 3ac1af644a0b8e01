import { expect, test } from 'vitest'
import { toFilter, toTree } from './filter-tree.ts'
import { partsOfDate, toDateValue } from './operators.ts'

const rewritten = (filter: object) => {
  const tree = toTree(filter as Record<string, unknown>)
  return tree && toFilter(tree)
}

test.each([
  {},
  { status: 'open' },
  { paid: { $ne: true }, price: { $gte: 5 } },
  { due: { $lt: '2026-04-01T00:00:00Z' }, id: { $in: [1, null] } },
  { 'address.city': { $nin: ['Rome'] }, paid: null, labels: { $size: 0 } },
  { $not: { status: 'open', price: 1 } },
  { $not: { $or: [{ a: 1 }, { b: 2 }] } },
  {
    $or: [{ a: 1 }, { $and: [{ b: 1 }, { b: { $mod: [3, 1] } }] }],
    paid: { $exists: true },
  },
  { number: { $regex: '^a.*b', $options: 'i' } },
  { number: { $regex: '^a\\.b' }, note: { $regex: '50\\^2', $options: 'i' } },
  { labels: ['new'], address: { $eq: { city: 'Rome' } } },
  JSON.parse('{"constructor": 1, "toString": null}'),
])('shows %j as rules and writes the same filter', (filter) => {
  expect(rewritten(filter)).toEqual(filter)
})

test.each([
  [{ status: { $eq: 'open' } }, { status: 'open' }],
  [
    { price: { $gte: 1, $lt: 9 } },
    { $and: [{ price: { $gte: 1 } }, { price: { $lt: 9 } }] },
  ],
  [{ price: { $not: { $gt: 10 } } }, { $not: { price: { $gt: 10 } } }],
  [{ price: { $or: [{ $lt: 5 }, 7] } }, { $or: [{ price: { $lt: 5 } }, { price: 7 }] }],
  [{ paid: { $ne: null } }, { paid: { $exists: true } }],
  [{ paid: { $exists: false } }, { paid: null }],
])('writes %j in another form with the same meaning', (filter, expected) => {
  expect(rewritten(filter)).toEqual(expected)
})

test.each([
  { $nor: [] },
  { a: { $near: 1 } },
  { a: { $regex: 1 } },
  { a: { $options: 'i' } },
  { a: { $in: 1 } },
  { $or: [] },
  // Rules could not tell these apart from no filter.
  { $not: {} },
  { $or: [{}] },
])('leaves %j to the form as JSON', (filter) => {
  expect(rewritten(filter)).toBeNull()
})

test('a day without a time is compared as a whole', () => {
  expect(toDateValue('2026-01-05', '', 'gte')).toBe('2026-01-05T00:00:00Z')
  expect(toDateValue('2026-01-05', '', 'lte')).toBe('2026-01-05T23:59:59.999Z')
  expect(toDateValue('2026-01-05', '12:30', 'lte')).toBe('2026-01-05T12:30:00Z')
  expect(toDateValue('', '12:30')).toBe('')
  expect(partsOfDate('2026-01-05T23:59:59.999Z')).toEqual({ day: '2026-01-05', time: '' })
  expect(partsOfDate('2026-01-05')).toEqual({ day: '2026-01-05', time: '' })
  expect(partsOfDate('2026-01-05T14:30:00+02:00')).toEqual({
    day: '2026-01-05',
    time: '12:30',
  })
  expect(partsOfDate('soon')).toEqual({ day: '', time: '' })
})
