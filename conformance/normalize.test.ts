import { expect, test } from 'vitest'
import { normalize } from './normalize.ts'

const document = { components: { schemas: { Name: { type: 'string', maxLength: 5 } } } }
const text = {
  type: 'string',
  minLength: 0,
  maxLength: Number.POSITIVE_INFINITY,
  pattern: undefined,
  format: undefined,
}

test.each([
  ['a reference', { $ref: '#/components/schemas/Name' }, { type: 'string', maxLength: 5 }],
  [
    'nullable, of both dialects',
    { type: 'string', nullable: true },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
  ],
  ['nullable as a list of types', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  ['a constant and an enumeration of one', { const: 'a' }, { type: 'string', enum: ['a'] }],
  ['constants, one by one or together', { anyOf: [{ const: 'a' }, { const: 'b' }] }, { enum: ['a', 'b'] }],
  ['an enumeration with null', { enum: ['a', null] }, { type: 'string', enum: ['a'], nullable: true }],
  [
    'names by a pattern that all fit',
    { type: 'object', patternProperties: { '^.*$': { type: 'string' } } },
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
  ['an open object', { type: 'object' }, { type: 'object', additionalProperties: true }],
  ['an open object, once more', { type: 'object' }, { type: 'object', additionalProperties: {} }],
  ['anything, null included', {}, { nullable: true }],
])('%s means the same', (_, one, other) => {
  expect(normalize(one, document)).toEqual(normalize(other, document))
})

test('bounds and formats are kept', () => {
  expect(normalize({ type: 'string', minLength: 28, format: 'date-time' }, document)).toEqual([
    { ...text, minLength: 28, format: 'date-time' },
  ])
})

test.each([
  ['a keyword it does not know', { type: 'object', minProperties: 1 }],
  ['names by a pattern that decides', { type: 'object', patternProperties: { '^x-': {} } }],
  ['a reference to nothing', { $ref: '#/components/schemas/Nobody' }],
  ['a type that does not exist', { type: 'date' }],
])('%s is an error, not a guess', (_, schema) => {
  expect(() => normalize(schema, document)).toThrow()
})
