import { expect, test } from 'vitest'
import { findUnused } from './unused-variables.ts'

const text = { type: 'string' }
const withCards = (...cards: object[]) => ({
  variables: {
    user: { name: text, old: text },
    configuration: { key: text },
  },
  flows: {
    main: {
      variables: { age: text, left: text },
      nodes: { start: { type: 'start', cards } },
    },
    other: { variables: { age: text }, nodes: {} },
  },
})

test('finds variables that no card, text or code names', () => {
  const document = withCards(
    { type: 'capture', kind: 'text', into: 'workflow.age' },
    { type: 'send', message: 'Hello {{ user.name }}, your user.key and the user' },
  )
  expect(findUnused(document)).toEqual([
    '/variables/user/old',
    '/variables/configuration/key',
    '/flows/main/variables/left',
    '/flows/other/variables/age',
  ])
})

test.each([
  [
    'reads a scope by another name',
    { type: 'code', code: 'const { old } = user; env?.key' },
  ],
  ['is in a file', { type: 'code', code: { file: 'ask.ts' } }],
  [
    'passes a scope on',
    { type: 'send', message: '{{ Object.keys(user) + env["key"] }}' },
  ],
])('counts variables as used that code may use: %s', (_, card) => {
  const shared = findUnused(withCards(card)).filter((pointer) =>
    pointer.startsWith('/variables'),
  )
  expect(shared).toEqual([])
})
