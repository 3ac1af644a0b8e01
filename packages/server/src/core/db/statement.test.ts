import { expect, test } from 'vitest'
import { onDeclaration, statement, toArrays } from './statement.ts'

test('numbers each name once, and leaves casts, texts, times and time formats alone', () => {
  const find = statement<{ a: string; b: number | null }>(
    'find',
    "select :a::text, :b, :a, 'out:' || '12:30', to_char(x, 'HH24:MI:SS'), x::jsonb",
  )
  expect(find({ b: null, a: '1' })).toEqual([
    'find',
    "select $1::text, $2, $1, 'out:' || '12:30', to_char(x, 'HH24:MI:SS'), x::jsonb",
    ['1', null],
  ])
})

test('shows a listener the statements as they are sent', () => {
  const declared: unknown[] = []
  onDeclaration((one) => declared.push(one))
  statement('find', 'select :b, :a, :b')
  onDeclaration(() => {})
  expect(declared).toEqual([
    { name: 'find', text: 'select $1, $2, $1', parameters: ['b', 'a'] },
  ])
})

test('rejects a missing value', () => {
  expect(() =>
    statement('find', 'select :a, :toString')({ a: 1, toString: undefined }),
  ).toThrow('parameter toString has no value')
})

test('turns rows into one array for each property', () => {
  expect(
    toArrays([
      { a: 1, b: 'x' },
      { a: 2, b: 'y' },
    ]),
  ).toEqual({ a: [1, 2], b: ['x', 'y'] })
})
