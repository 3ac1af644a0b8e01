import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQuery, queryFault, toList } from './query.ts'

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
  ['a[]=1', { a: ['1'] }],
  ['a%5B%5D=1&a=2&a[]=3', { a: ['1', '2', '3'] }],
  ['a[1]=x&a[0]=y', { a: { '0': 'y', '1': 'x' } }],
  ['tags[foo.bar]=x&tags[b]=y&tags.c=z', { tags: { 'foo.bar': 'x', b: 'y', c: 'z' } }],
  ['tags.a[]=1&tags[a][]=2', { tags: { a: ['1', '2'] } }],
  [
    'a[=1&[b]=2&c]=3&d[]e=4&f[][g]=5',
    { 'a[': '1', '[b]': '2', 'c]': '3', 'd[]e': '4', 'f[][g]': '5' },
  ],
  ['a[b][c][d][e]=1', { a: { b: { c: { 'd.e': '1' } } } }],
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

test('accepts keys that objects inherit in brackets', () => {
  const query = parseQuery(
    '__proto__[polluted]=1&tags[__proto__]=y&tags[constructor][]=z',
  )
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect(Object.keys(query)).toEqual(['__proto__', 'tags'])
  expect(Object.keys(query.tags as object)).toEqual(['__proto__', 'constructor'])
})

test('limits the number of pairs, and reports more', () => {
  const pairs = Array.from({ length: 5_000 }, (_, i) => `k${i}=1`)
  const query = parseQuery(pairs.join('&'))
  expect(Object.keys(query)).toHaveLength(1_000)
  expect(query[queryFault]).toContain('more than 1000 parameters')
  expect(parseQuery(pairs.slice(0, 1_000).join('&'))[queryFault]).toBeUndefined()
})

test.each([
  'a=1&a.b=2',
  'a.b=2&a=1',
  'a[]=1&a[0]=2',
  'a[0]=1&a=2',
  'a[b]=1&a[]=2',
  'a=1&a[b][c]=2',
])('reports the contradiction in %s', (text) =>
  expect(parseQuery(text)[queryFault]).toContain('contradicts another parameter'),
)

test.each([
  [{ '0': 'a' }, ['a']],
  [{ '10': 'c', '9': 'b', '1': 'a' }, ['a', 'b', 'c']],
  [{ '999999999999999': 'b', '7': 'a' }, ['a', 'b']],
  [{ '0': 'a', x: 'b' }, null],
  [{ '-1': 'a' }, null],
  [{}, null],
  ['a', null],
  [['a'], null],
])('reads the indexes of %j', (value, list) => expect(toList(value)).toEqual(list))

test('decodes encoded values and never throws', () => {
  const word = fc
    .string({ unit: 'binary', minLength: 1 })
    .filter((text) => !text.includes('.') && text.isWellFormed())
  fc.assert(
    fc.property(fc.dictionary(word, word, { noNullPrototype: false }), (tags) => {
      const text = Object.entries(tags).map(
        ([key, value]) =>
          `${encodeURIComponent(`tags.${key}`)}=${encodeURIComponent(value)}`,
      )
      expect(Object.entries((parseQuery(text.join('&')).tags as object) ?? {})).toEqual(
        Object.entries(tags),
      )
    }),
  )
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseQuery(text)))
})
