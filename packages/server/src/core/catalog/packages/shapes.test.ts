import { expect, test } from 'vitest'
import { each, fields, leaf, mergeByShape } from './shapes.ts'

const shape = fields({
  title: leaf,
  tags: each(fields({ title: leaf })),
  group: fields({ tags: each(leaf) }, { tags: {} }),
})

test.each<[string, unknown, unknown, unknown]>([
  [
    'sets given fields and keeps the others',
    { title: 'a', tags: { x: { title: 'X' } } },
    { tags: { y: {} } },
    { title: 'a', tags: { x: { title: 'X' }, y: {} } },
  ],
  [
    'null removes',
    { title: 'a', tags: { x: {}, y: {} } },
    { title: null, tags: { x: null } },
    { tags: { y: {} } },
  ],
  ['uses defaults for missing fields', {}, { group: {} }, { group: { tags: {} } }],
  [
    'restores the default with null',
    { group: { tags: { a: 1 } } },
    { group: { tags: null } },
    { group: { tags: {} } },
  ],
  [
    'a leaf is replaced whole',
    { tags: { x: { title: { a: 1 } } } },
    { tags: { x: { title: { b: null } } } },
    { tags: { x: { title: { b: null } } } },
  ],
  [
    'what no shape knows is not kept',
    {},
    { more: 1, tags: { x: { more: 1 } } },
    { tags: { x: {} } },
  ],
  ['undefined says nothing', { title: 'a' }, { title: undefined }, { title: 'a' }],
])('%s', (_, now, change, result) => {
  const before = structuredClone([now, change])
  expect(mergeByShape(shape, now, change)).toStrictEqual(result)
  expect([now, change]).toStrictEqual(before)
})

test('accepts names that every object inherits', () => {
  const text = '{"tags":{"__proto__":{"title":"P"},"constructor":{}}}'
  expect(JSON.stringify(mergeByShape(shape, {}, JSON.parse(text)))).toBe(text)
})
