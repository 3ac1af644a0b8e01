import { expect, test } from 'vitest'
import {
  findMismatchHere,
  type JsonSchema,
  rejectInvalidSchemas,
} from './json-schemas.ts'

const object = (properties: JsonSchema, more: JsonSchema = {}) => ({
  type: 'object',
  properties,
  ...more,
})

test.each<[string, JsonSchema, unknown, string | null]>([
  ['a value that fits', object({ key: { type: 'string' } }), { key: 'a' }, null],
  ['an empty schema takes all', {}, { anything: 1 }, null],
  [
    'a wrong type',
    object({ key: { type: 'string' } }),
    { key: 1 },
    '/key must be string',
  ],
  [
    'nothing is coerced',
    object({ on: { type: 'boolean' } }),
    { on: 'true' },
    '/on must be boolean',
  ],
  [
    'a missing property',
    object({}, { required: ['key'] }),
    {},
    "the value must have required property 'key'",
  ],
  [
    'what every object inherits is missing too',
    object({}, { required: ['constructor'] }),
    {},
    "the value must have required property 'constructor'",
  ],
  [
    'the allowed values',
    object({ kind: { enum: ['a', 1] } }),
    { kind: 'b' },
    '/kind must be one of "a", 1',
  ],
  [
    'a property that is not allowed',
    object({}, { additionalProperties: false }),
    { key: 1 },
    'the value must not have the property "key"',
  ],
  [
    'formats',
    { type: 'string', format: 'email' },
    'text',
    'the value must match format "email"',
  ],
  [
    'unknown keywords are annotations',
    { type: 'string', 'x-zui': { hidden: true } },
    'a',
    null,
  ],
  [
    'another dialect, a name',
    {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.com/x',
      type: 'string',
    },
    'a',
    null,
  ],
  [
    'a pattern that is met',
    object({ key: { type: 'string', pattern: '^\\u0061\\/[\\w.-]+$' } }),
    { key: 'a/b-c' },
    null,
  ],
  [
    'patterns that would take years elsewhere',
    { type: 'string', pattern: '^(a+)+$' },
    `${'a'.repeat(40)}!`,
    'the value must match pattern "^(a+)+$"',
  ],
  [
    'each by itself',
    { allOf: [{ pattern: 'a' }, { pattern: 'b' }] },
    'a',
    'the value must match pattern "b"',
  ],
  [
    'of names, too',
    { patternProperties: { '^n': { type: 'number' } } },
    { n: 1, t: 'x', no: 'x' },
    '/no must be number',
  ],
  [
    'what an automaton cannot do is left to the author',
    { type: 'string', pattern: '^(?=a)(b)\\1$' },
    'c',
    null,
  ],
])('%s', (_, schema, value, expected) =>
  expect(findMismatchHere(schema, value)).toBe(expected),
)

test('does not add or remove properties', () => {
  const value = { extra: 1 }
  findMismatchHere(object({ key: { type: 'string', default: 'x' } }), value)
  expect(value).toEqual({ extra: 1 })
})

const doubling = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [
    `d${i}`,
    { allOf: [{ $ref: `#/definitions/d${i + 1}` }, { $ref: `#/definitions/d${i + 1}` }] },
  ]),
)

test.each<[string, JsonSchema]>([
  ['not a schema', { type: 'nonsense' }],
  ['elsewhere', { $ref: 'https://example.com/schema.json' }],
  ['too large', { description: 'x'.repeat(100_001) }],
  ['never ends', { $ref: '#' }],
  [
    'takes years',
    { ...doubling.d0, definitions: { ...doubling, d40: { type: 'string' } } },
  ],
])('rejects a schema: %s', (_, schema) => {
  expect(() => findMismatchHere(schema, 'a')).toThrow(
    expect.objectContaining({ type: 'InvalidJsonSchema' }),
  )
})

const within = (schema: JsonSchema): JsonSchema =>
  object({ a: { anyOf: [schema] } }, { definitions: { 'b/c': { type: 'string' } } })

test.each<[string, JsonSchema]>([
  ['a plain one', object({ key: { type: 'string', 'x-zui': { $ref: 'x' } } })],
  ['one that refers to a part of itself', within({ $ref: '#/definitions/b~1c' })],
  ['one that refers to itself', within({ $ref: '#' })],
  ['a property of that name', object({ $ref: { type: 'string' } })],
  [
    'a value of that look',
    { default: { $ref: 'http://127.0.0.1/' }, enum: [{ $ref: 'x' }] },
  ],
])('accepts a definition with %s', (_, schema) =>
  expect(rejectInvalidSchemas([['here', schema]])).toBe(undefined),
)

test.each<[string, JsonSchema]>([
  ['no schema', { type: 'nonsense' }],
  ['a remote reference', within({ $ref: 'http://127.0.0.1/' })],
  ['a missing reference', within({ $ref: '#/definitions/nothing' })],
  ['what every object inherits', within({ $ref: '#/definitions/constructor' })],
  ['an odd reference', within({ $ref: '#/%ff' })],
  ['a schema that is too large', { description: 'x'.repeat(100_001) }],
])('rejects a definition with %s', (_, schema) => {
  expect(() =>
    rejectInvalidSchemas([
      ['first', {}],
      ['here', schema],
    ]),
  ).toThrow(
    expect.objectContaining({
      type: 'InvalidJsonSchema',
      message: expect.stringMatching(/^here: /),
    }),
  )
})
