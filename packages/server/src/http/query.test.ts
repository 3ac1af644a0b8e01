import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQuery } from './query.ts'

const plain = (text: string) => JSON.parse(JSON.stringify(parseQuery(text)))

test.each([
  ['', {}],
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['tags.foo=bar&tags.baz=', { tags: { foo: 'bar', baz: '' } }],
  [
    'tags.telegram%3Aid=42&tags.plugin%23kind=x',
    { tags: { 'telegram:id': '42', 'plugin#kind': 'x' } },
  ],
  ['tags%2Efoo=bar', { tags: { foo: 'bar' } }],
  ['q=a+b%20c%2B', { q: 'a b c+' }],
  ['flag', { flag: '' }],
  ['a=b=c', { a: 'b=c' }],
  ['bad=%zz&%E0%A4=1', { bad: '%zz', '%E0%A4': '1' }],
  ['a=1&a.b=2', { a: '1' }],
  ['a.b=2&a=1', { a: { b: '2' } }],
  ['.a=1&b..c=2&d.=3', { '.a': '1', 'b..c': '2', 'd.': '3' }],
  ['a.b.c.d.e.f=1', { a: { b: { c: { 'd.e.f': '1' } } } }],
])('%s', (text, expected) => {
  expect(plain(text)).toEqual(expected)
})

test('accepts keys that objects inherit', () => {
  const query = parseQuery(
    '__proto__.polluted=1&constructor.prototype.polluted=1&toString=x&tags.__proto__=y',
  ) as never
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect(Object.keys(query)).toEqual(['__proto__', 'constructor', 'toString', 'tags'])
  expect(Object.keys((query as { tags: object }).tags)).toEqual(['__proto__'])
})

test('limits the number of pairs', () => {
  expect(
    Object.keys(parseQuery(Array.from({ length: 5_000 }, (_, i) => `k${i}=1`).join('&'))),
  ).toHaveLength(1_000)
})

test('decodes encoded values and never throws', () => {
  const word = fc
    .string({ unit: 'binary', minLength: 1 })
    .filter((text) => !text.includes('.') && text.isWellFormed())
  fc.assert(
    fc.property(fc.dictionary(word, word, { noNullPrototype: false }), (tags) => {
      const text = Object.entries(tags).map(
        ([key, value]) => `${encodeURIComponent(`tags.${key}`)}=${encodeURIComponent(value)}`,
      )
      expect(Object.entries((parseQuery(text.join('&')).tags as object) ?? {})).toEqual(
        Object.entries(tags),
      )
    }),
  )
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseQuery(text)))
})
