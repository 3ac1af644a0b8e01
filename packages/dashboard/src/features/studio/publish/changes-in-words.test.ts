import { expect, test } from 'vitest'
import { changesInWords } from './changes-in-words.ts'

const toBot = (nodes: object, fields: object = {}, rest: object = {}) => ({
  ...rest,
  flows: { main: { nodes, ...fields } },
})

test('names changed, added and deleted steps, variables and other parts', () => {
  const before = toBot({ a: { type: 'start' }, b: { type: 'end' } })
  const after = toBot(
    { a: { type: 'start', cards: [] }, c: { type: 'end' } },
    { variables: { x: { type: 'string' } } },
    { settings: { codeTimeout: 10 } },
  )
  expect(changesInWords(before, after)).toEqual([
    { kind: 'changed', path: 'Main flow · a' },
    { kind: 'removed', path: 'Main flow · b' },
    { kind: 'added', path: 'Main flow · c' },
    { kind: 'added', path: 'Main flow · Variables · x' },
    { kind: 'added', path: 'Settings · Code timeout' },
  ])
})

test('names flows, and no positions', () => {
  const before = toBot({ a: { type: 'start', position: { x: 1, y: 2 } } })
  const after = {
    flows: { ...toBot({ a: { type: 'start' } }).flows, other: { nodes: {} } },
  }
  expect(changesInWords(before, after)).toEqual([{ kind: 'added', path: 'other' }])
})

test('lists changes with the same words once', () => {
  const translated = {
    languages: { default: 'en', translations: { de: { hello: 'Hallo' } } },
  }
  expect(changesInWords(toBot({}), toBot({}, {}, translated))).toEqual([
    { kind: 'added', path: 'Texts' },
  ])
})
