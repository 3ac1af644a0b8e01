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
  [
    'a reference',
    { $ref: '#/components/schemas/Name' },
    { type: 'string', maxLength: 5 },
  ],
  [
    'nullable in OpenAPI 3.0 and 3.1',
    { type: 'string', nullable: true },
    { anyOf: [{ type: 'string' }, { type: 'null' }] },
  ],
  [
    'nullable as a list of types',
    { type: 'string', nullable: true },
    { type: ['string', 'null'] },
  ],
  [
    'a constant and an enumeration of one',
    { const: 'a' },
    { type: 'string', enum: ['a'] },
  ],
  [
    'separate constants and an enumeration',
    { anyOf: [{ const: 'a' }, { const: 'b' }] },
    { enum: ['a', 'b'] },
  ],
  [
    'an enumeration with null',
    { enum: ['a', null] },
    { type: 'string', enum: ['a'], nullable: true },
  ],
  [
    'a pattern that matches every property name',
    { type: 'object', patternProperties: { '^.*$': { type: 'string' } } },
    { type: 'object', additionalProperties: { type: 'string' } },
  ],
  ['an open object', { type: 'object' }, { type: 'object', additionalProperties: true }],
  [
    'an open object with an empty schema',
    { type: 'object' },
    { type: 'object', additionalProperties: {} },
  ],
  ['any value, including null', {}, { nullable: true }],
])('normalizes equivalent schemas alike: %s', (_, one, other) => {
  expect(normalize(one, document)).toEqual(normalize(other, document))
})

test('keeps bounds and formats', () => {
  expect(
    normalize({ type: 'string', minLength: 28, format: 'date-time' }, document),
  ).toEqual([{ ...text, minLength: 28, format: 'date-time' }])
})

test.each([
  ['an unknown keyword', { type: 'object', minProperties: 1 }],
  [
    'a selective property name pattern',
    { type: 'object', patternProperties: { '^x-': {} } },
  ],
  ['a reference to a missing schema', { $ref: '#/components/schemas/Missing' }],
  ['an unknown type', { type: 'date' }],
])('throws for %s', (_, schema) => {
  expect(() => normalize(schema, document)).toThrow()
})
