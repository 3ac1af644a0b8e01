import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyTags,
  changeOfTags,
  changesNothing,
  discriminating,
  rejectUndeclared,
  storedTags,
  type Tags,
  viewTags,
} from './tags.ts'

const name = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('id', 'kind', 'plugin#kind', '__proto__', 'constructor', 'toString'),
)
const tags = fc.dictionary(name, fc.string({ minLength: 1 }), { noNullPrototype: false })
const alias = fc.constantFrom('telegram', 'tele', 'gm/ail', 'x')
const bare = (all: Tags) =>
  Object.fromEntries(Object.entries(all).filter(([key]) => !key.includes(':')))

test('returns an integration the tags that it set, with any tags of others', () => {
  fc.assert(
    fc.property(tags, tags, alias, (stored, given, viewer) => {
      const after = applyTags(stored, changeOfTags(given, viewer, stored))
      expect(viewTags(after, viewer)).toEqual({ ...viewTags(stored, viewer), ...given })
      expect(viewTags(after, `${viewer}2`)).toEqual(viewTags(stored, `${viewer}2`))
    }),
  )
})

test('lets a bot set its own tags and read all', () => {
  fc.assert(
    fc.property(tags, tags, (stored, given) => {
      const own = bare(given)
      const after = applyTags(stored, changeOfTags(own, null, stored))
      expect(Object.entries(viewTags(after, null)).sort()).toEqual(
        [...new Map([...Object.entries(stored), ...Object.entries(own)])].sort(),
      )
    }),
  )
})

test('removes tags with null or an empty text, also missing ones', () => {
  fc.assert(
    fc.property(tags, alias, (given, viewer) => {
      const stored = storedTags(given, viewer)
      const removal = Object.fromEntries(
        Object.keys(given).map((key, at) => [key, at % 2 ? null : '']),
      )
      expect(applyTags(stored, changeOfTags(removal, viewer, stored))).toEqual({})
      expect(changesNothing(changeOfTags(removal, viewer, {}))).toBe(true)
    }),
  )
})

test('lets a bot repeat the tag of an integration but not change it', () => {
  const stored = { 'telegram:id': '42' }
  expect(changeOfTags({ 'telegram:id': '42', kind: 'a' }, null, stored)).toEqual({
    set: { kind: 'a' },
    removed: [],
  })
  expect(() => changeOfTags({ 'telegram:id': '43' }, null, stored)).toThrow(
    'belongs to an integration',
  )
  expect(() => changeOfTags({ 'telegram:id': null }, null, stored)).toThrow(
    'belongs to an integration',
  )
  expect(() => changeOfTags({ 'telegram:id': '42' }, null, {})).toThrow(
    'belongs to an integration',
  )
})

test('matches a get-or-create by all tags or by the named ones', () => {
  expect(discriminating({ a: '1', b: '2', c: '' }, undefined, 'x')).toEqual({
    'x:a': '1',
    'x:b': '2',
  })
  expect(discriminating({ a: '1', b: '2' }, ['b'], null)).toEqual({ b: '2' })
  expect(discriminating({ a: '', b: null }, undefined, null)).toBeNull()
  expect(() => discriminating({ a: '1' }, ['b'], null)).toThrow('"b"')
  expect(() => discriminating({ a: '1' }, ['toString'], null)).toThrow('"toString"')
})

test('rejects undeclared tags, unless no tags are declared', () => {
  const refusal = (key: string, viewer: string | null, declared: string[] | null) => () =>
    rejectUndeclared(changeOfTags({ [key]: 'v' }, viewer), declared, viewer)
  expect(refusal('id', 'x', ['id'])).not.toThrow()
  expect(refusal('od', 'x', ['id'])).toThrow('"od" is not declared')
  expect(refusal('toString', null, ['id'])).toThrow('"toString" is not declared')
  expect(refusal('plugin#kind', null, ['id'])).not.toThrow()
  expect(refusal('plugin#kind', 'x', ['id'])).toThrow('is not declared')
  expect(refusal('od', 'x', null)).not.toThrow()
  expect(refusal('od', 'x', [])).not.toThrow()
})
