// Values that may have several shapes, in the bodies of all operations: errors name the field.
import { type Family, families } from '@botstead/contract'
import { expect, test } from 'vitest'
import { bodyCheck } from './validation.ts'

interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  format?: string
  minLength?: number
  minimum?: number
  minItems?: number
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  patternProperties?: Record<string, Schema>
}

type Path = { key: string | number; parent: Schema }[]

const texts: Record<string, string> = {
  uuid: '11111111-1111-1111-aaaa-111111111111',
  'date-time': '2099-01-01T00:00:00Z',
  moment: '2099-01-01T00:00:00Z',
  uri: 'https://example.org/',
  email: 'a@example.org',
}

/** Returns a value with the required fields only. */
function make(schema: Schema): unknown {
  if (schema.anyOf) return make(schema.anyOf[0]!)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'string')
    return texts[schema.format ?? ''] ?? 'a'.repeat(schema.minLength ?? 1)
  if (schema.type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, () => make(schema.items!))
  if (schema.type === 'boolean') return true
  if (schema.type === 'null') return null
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  const { required = [], properties = {} } = schema
  return Object.fromEntries(required.map((name) => [name, make(properties[name]!)]))
}

function* unionsIn(
  schema: Schema,
  path: Path = [],
): Generator<{ path: Path; shapes: Schema[] }> {
  if (schema.anyOf) yield { path, shapes: schema.anyOf }
  for (const shape of schema.anyOf ?? [schema]) {
    const {
      properties = {},
      items,
      additionalProperties: more,
      patternProperties,
    } = shape
    const others = [
      ...Object.values(patternProperties ?? {}),
      ...(typeof more === 'object' ? [more] : []),
    ]
    const inner: [string | number, Schema][] = [
      ...Object.entries(properties),
      ...others.map((one): [string, Schema] => ['anyKey', one]),
      ...(items ? [[0, items] as [number, Schema]] : []),
    ]
    for (const [key, one] of inner)
      yield* unionsIn(one, [...path, { key, parent: shape }])
  }
}

/** Returns a valid body, but for the value at the path. */
const place = (value: unknown, [first, ...rest]: Path): unknown => {
  if (!first) return value
  const inner = place(value, rest)
  return first.key === 0
    ? [inner]
    : { ...(make(first.parent) as object), [first.key]: inner }
}

/** Of each type, and each shape with one field of a wrong type or without it. */
function wrongValues(shapes: Schema[]): unknown[] {
  const objects = shapes.filter(({ properties }) => properties)
  const broken = objects.flatMap((shape) => {
    const valid = make(shape) as object
    return Object.keys(shape.properties!).flatMap((name) => [
      { ...valid, [name]: [{ wrong: 1 }] },
      { ...valid, [name]: undefined },
    ])
  })
  return [
    5,
    'wrong text',
    true,
    null,
    [],
    {},
    [5],
    { type: 5 },
    { type: 'wrong' },
    ...broken,
  ]
}

const operations = Object.entries<Family>(families).flatMap(([family, { served }]) =>
  Object.values(served).flatMap((group) =>
    Object.entries(group).flatMap(([name, { body }]) => {
      const unions = body ? [...unionsIn(body as Schema)] : []
      return unions.length > 0 ? [{ name: `${family}.${name}`, body: body!, unions }] : []
    }),
  ),
)

test('finds the unions of the contract', () =>
  expect(operations.length).toBeGreaterThan(40))

test.each(operations)('names the wrong field of $name', ({ body, unions }) => {
  const check = bodyCheck(body)
  const findError = (value: unknown) => {
    try {
      check(JSON.parse(JSON.stringify(value)))
      return null
    } catch (error) {
      return (error as Error).message
    }
  }
  let rejected = 0
  for (const { path, shapes } of unions) {
    const field = ['body', ...path.map(({ key }) => key)].join('/')
    for (const wrong of wrongValues(shapes)) {
      const message = findError(place(wrong, path))
      if (message === null) continue
      rejected++
      expect(message.slice(0, field.length), JSON.stringify(wrong)).toBe(field)
      expect(message).not.toMatch(/anyOf|undefined/)
    }
  }
  expect(rejected).toBeGreaterThan(0)
})
