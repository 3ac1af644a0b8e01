import { expect, test } from 'vitest'
import { indentedJsonParts, jsonParts } from './json-parts.ts'

test('writes long texts in pieces, with the same JSON', () => {
  for (const text of [
    'x'.repeat(1_000_000),
    'a\u{1f600}"\n\ud800'.repeat(200_000),
    `${'\u{1f600}'.repeat(300_000)}é`,
  ]) {
    const object = {
      a: 1,
      none: undefined,
      code: text,
      bot: { code: text, at: new Date(0), b: [{ c: 1 }] },
    }
    const parts = [...jsonParts(object)]
    expect(JSON.parse(parts.join(''))).toEqual(JSON.parse(JSON.stringify(object)))
    expect(parts.join('') === JSON.stringify(object)).toBe(true)
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(1_000_000)
  }
})

test('writes indented JSON in parts', () => {
  const code = 'a\u{1f600}"\n\ud800'.repeat(200_000)
  const object = {
    none: undefined,
    empty: [{}, [], null],
    'é"': { nested: [{ code, b: [1, [true]] }], more: 'x' },
    many: Array.from({ length: 100_000 }, (_, i) => ({ i })),
  }
  const parts = [...indentedJsonParts(object)]
  expect(parts.join('') === JSON.stringify(object, null, 2)).toBe(true)
  expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(1_000_000)
  expect([...indentedJsonParts({})].join('')).toBe('{}')
})
