import { expect, test } from 'vitest'
import { toBindMessage } from './large-values.ts'

interface Serializer {
  bind(bound: Parameters<typeof toBindMessage>[0]): Buffer
}
const { serialize } = (await import('pg-protocol')) as unknown as {
  serialize: Serializer
}

const large = `é${'x'.repeat(2_000_000)}💥`

test.each([
  ['texts', ['a', 'ü', '', large]],
  ['bytes', [Buffer.from('a'), Buffer.alloc(3_000_000, 7), Buffer.alloc(0)]],
  ['nulls and numbers', [null, undefined, large, null]],
  ['several large ones', [large, large, Buffer.alloc(2_000_000)]],
  ['no values', []],
])('sends the same message as the driver: %s', (_, values) => {
  for (const bound of [{ values }, { values, portal: 'p', statement: 's', binary: true }])
    expect(Buffer.concat(toBindMessage(bound)).equals(serialize.bind(bound))).toBe(true)
})

test('converts values as the driver does', () => {
  const bound = { values: [1, large], valueMapper: (value: unknown) => `<${value}>` }
  expect(Buffer.concat(toBindMessage(bound)).equals(serialize.bind(bound))).toBe(true)
})
