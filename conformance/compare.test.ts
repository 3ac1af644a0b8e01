import { expect, test } from 'vitest'
import { compareOperations, describesFailures, gaps } from './compare.ts'
import { type Json, normalize } from './normalize.ts'

const object = (properties: Json, more: Json = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
})
const text = { type: 'string' }
const variant = (type: string, more: Json = {}) =>
  object({ type: { const: type }, ...more }, { required: ['type', ...Object.keys(more)] })

/** Returns the paths at which `narrow` permits values that `wide` does not. */
const paths = (wide: Json, narrow: Json) =>
  gaps(normalize(wide, {}), normalize(narrow, {}), 'x').map(({ path }) => path)

test.each<[string, Json, Json]>([
  ['the same schema', text, text],
  ['a greater length limit', { ...text, maxLength: 9 }, { ...text, maxLength: 5 }],
  ['no format instead of a format', text, { ...text, format: 'date-time' }],
  ['number instead of integer', { type: 'number' }, { type: 'integer' }],
  ['a larger enumeration', { enum: ['a', 'b'] }, { enum: ['b'] }],
  ['an enumeration within bounds', { ...text, maxLength: 3 }, { enum: ['abc'] }],
  ['null as an additional value', { ...text, nullable: true }, text],
  ['anything', {}, object({ a: text })],
  ['an additional optional property', object({ a: text, b: text }), object({ a: text })],
  ['an open object', { type: 'object' }, object({ a: text })],
  ['an additional variant', { oneOf: [variant('a'), variant('b')] }, variant('b')],
  [
    'a greater list limit',
    { type: 'array', items: text, maxItems: 5 },
    { type: 'array', items: text, maxItems: 4 },
  ],
])('%s includes the narrow schema', (_, wide, narrow) => {
  expect(paths(wide, narrow)).toEqual([])
})

test.each<[string, Json, Json, string]>([
  ['another type', text, { type: 'number' }, 'x'],
  ['a smaller length limit', { ...text, maxLength: 5 }, text, 'x'],
  ['a pattern', { ...text, pattern: '^a$' }, text, 'x'],
  ['integer instead of number', { type: 'integer' }, { type: 'number' }, 'x'],
  [
    'a smaller range',
    { type: 'number', maximum: 4 },
    { type: 'number', maximum: 5 },
    'x',
  ],
  ['a smaller enumeration', { enum: ['a'] }, { enum: ['a', 'b'] }, 'x'],
  ['an enumeration instead of any string', { enum: ['a'] }, text, 'x'],
  ['no null', text, { ...text, nullable: true }, 'x'],
  ['a type instead of any value', text, {}, 'x'],
  [
    'a required property',
    object({ a: text }, { required: ['a'] }),
    object({ a: text }),
    'x.a',
  ],
  ['a forbidden property', object({}), object({ a: text }), 'x.a'],
  [
    'a stricter property',
    object({ a: { ...text, maxLength: 1 } }),
    object({ a: text }),
    'x.a',
  ],
  ['a closed object instead of an open one', object({}), { type: 'object' }, 'x.*'],
  [
    'a typed property instead of an open one',
    { type: 'object', properties: { a: text } },
    { type: 'object' },
    'x.a',
  ],
  [
    'a map of shorter values',
    { type: 'object', additionalProperties: { ...text, maxLength: 1 } },
    { type: 'object', additionalProperties: text },
    'x.*',
  ],
  [
    'a stricter item',
    { type: 'array', items: { ...text, minLength: 1 } },
    { type: 'array', items: text },
    'x[]',
  ],
  ['a missing variant', { oneOf: [variant('a'), variant('b')] }, variant('c'), 'x'],
  [
    'a variant with a stricter property',
    { oneOf: [variant('a', { v: text }), variant('b')] },
    variant('a', { v: { type: 'number' } }),
    'x.v',
  ],
])('%s reports a gap at its path', (_, wide, narrow, path) => {
  expect(paths(wide, narrow)).toEqual([path])
})

const answer = (schema: Json, status = '200') => ({
  responses: { [status]: { content: { 'application/json': { schema } } } },
})
const described = (operation: Json) => ({ operation, document: {} })
const compare = (ours: Json, theirs: Json) =>
  compareOperations(described(ours), described(theirs))

test('is compatible, not equal, when ours accepts more and returns less', () => {
  const body = (schema: Json) => ({
    requestBody: { content: { 'application/json': { schema } } },
  })
  const lax = {
    ...body({ type: 'object' }),
    ...answer(object({ a: text }, { required: ['a'] })),
  }
  const strict = { ...body(object({ b: text })), ...answer(object({ a: text })) }
  expect(compare(lax, strict)).toEqual({ differences: [], equal: false })
  expect(compare(strict, lax).differences.map(({ path }) => path)).toEqual([
    'body.b',
    'body.*',
    'response.a',
  ])
})

test('reports an additional parameter only if it is required, and ignores the case of header names', () => {
  const taking = (name: string, required: boolean) => ({
    parameters: [{ in: 'header', name, required, schema: text }],
    ...answer(object({})),
  })
  expect(compare(taking('x-more', false), answer(object({})))).toEqual({
    differences: [],
    equal: false,
  })
  expect(compare(taking('x-more', true), answer(object({}))).differences).toEqual([
    { path: 'header.x-more', ours: 'required', theirs: 'absent' },
  ])
  expect(compare(taking('x-bot-id', true), taking('X-Bot-Id', true))).toEqual({
    differences: [],
    equal: true,
  })
})

test('reports a different status', () => {
  expect(compare(answer(object({}), '201'), answer(object({}))).differences).toEqual([
    { path: 'status', ours: '201', theirs: '200' },
  ])
})

test('reports an optional property that our response never has', () => {
  const conversation = object({ id: text, currentTaskId: text }, { required: ['id'] })
  expect(compare(answer(object({ id: text })), answer(conversation)).differences).toEqual(
    [
      { path: 'response.id', ours: 'optional', theirs: 'required' },
      { path: 'response.currentTaskId', ours: 'absent', theirs: 'optional' },
    ],
  )
  const listed = (items: Json) =>
    answer(object({ conversations: { type: 'array', items } }))
  expect(
    compare(listed(object({ id: text }, { required: ['id'] })), listed(conversation))
      .differences,
  ).toEqual([
    {
      path: 'response.conversations[].currentTaskId',
      ours: 'absent',
      theirs: 'optional',
    },
  ])
  expect(
    compare(
      answer({ type: 'object', additionalProperties: text }),
      answer(object({ a: text })),
    ).differences,
  ).toMatchObject([{ path: 'response.*' }])
})

test('reports an operation that is experimental in only one document', () => {
  const experimental = { ...answer(object({})), tags: ['messages', 'experimental'] }
  expect(compare(answer(object({})), experimental).differences).toEqual([
    { path: 'tags', ours: 'documented', theirs: 'experimental' },
  ])
  expect(
    compare(experimental, { ...experimental, tags: ['experimental'] }).differences,
  ).toEqual([])
})

test('compares error responses if the external document describes them', () => {
  const failing = (schema: Json, status: string) => ({
    responses: {
      ...answer(object({})).responses,
      [status]: { content: { 'application/json': { schema } } },
    },
  })
  const ours = failing(
    object({ code: { type: 'integer' } }, { required: ['code'] }),
    '404',
  )
  const theirs = failing(object({ code: text }, { required: ['code'] }), 'default')
  const [fit, repeated] = [
    failing(object({ code: { type: 'number' } }), 'default'),
    failing(object({}), 'default'),
  ]
  expect(compare(ours, theirs).differences).toEqual([
    { path: 'failure.404.code', ours: 'integer', theirs: 'string' },
  ])
  expect(compare(ours, fit).differences).toEqual([])
  expect(compare(ours, repeated).differences).toEqual([])
  expect([theirs, repeated].map((one) => describesFailures(described(one)))).toEqual([
    true,
    false,
  ])
})
