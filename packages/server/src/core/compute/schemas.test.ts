import { expect, test } from 'vitest'
import { findMismatch, findMismatchOfDeclared, rejectInvalidSchemas } from './schemas.ts'
import type { JsonSchema } from './text/json-schemas.ts'

const closed = (properties: JsonSchema) => ({
  type: 'object',
  properties,
  additionalProperties: false,
})
const [a, b] = [closed({ a: { type: 'string' } }), closed({ b: { type: 'string' } })]

test.each<[string, JsonSchema, unknown, string | null]>([
  [
    'undeclared properties',
    closed({ inner: a }),
    { inner: { a: 'x', more: 1 }, more: 1 },
    null,
  ],
  ['alternatives that differ in nothing else', { oneOf: [a, b] }, { a: 'x' }, null],
  [
    'a wrong type',
    closed({ inner: a }),
    { inner: { a: 1 }, more: 1 },
    '/inner/a must be string',
  ],
])('of declared: %s', async (_, schema, value, expected) =>
  expect(await findMismatchOfDeclared('a', schema, value)).toBe(expected),
)

/** Each level doubles the work. */
const doubling = (levels: number): JsonSchema => {
  const definitions = Object.fromEntries(
    Array.from({ length: levels }, (_, i) => [
      `d${i}`,
      {
        allOf: [{ $ref: `#/definitions/d${i + 1}` }, { $ref: `#/definitions/d${i + 1}` }],
      },
    ]),
  )
  return { $ref: '#/definitions/d0', definitions: { ...definitions, [`d${levels}`]: {} } }
}

/** Returns the longest time in ms in which the main thread ran nothing else. */
async function longestWait(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  await work.catch(() => {})
  clearInterval(timer)
  return longest
}

test('moves a slow schema to another thread, where it is rejected after its time limit', async () => {
  const check = () => findMismatch('a', doubling(40), 'x')
  expect(await longestWait(check())).toBeLessThan(500)
  await expect(check()).rejects.toMatchObject({
    type: 'InvalidJsonSchema',
    message: expect.stringContaining('checking exceeds 3000 ms'),
  })
})

test('checks many schemas in another thread', async () => {
  const one = closed(
    Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, a])),
  )
  const schemas = Array.from({ length: 20 }, (_, i): [string, JsonSchema] => [
    `s${i}`,
    one,
  ])
  expect(await longestWait(rejectInvalidSchemas('a', schemas))).toBeLessThan(500)
  await expect(
    rejectInvalidSchemas('a', [...schemas, ['last', { type: 1 } as JsonSchema]]),
  ).rejects.toMatchObject({ message: expect.stringMatching(/^last: /) })
})
