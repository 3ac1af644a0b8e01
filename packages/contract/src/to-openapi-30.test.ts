import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { type FamilyName, families } from './registry.gen.ts'
import { type OpenApiDocument, type OpenApiOperation, toOpenApi } from './to-openapi.ts'
import { toOpenApi30 } from './to-openapi-30.ts'

const names = Object.keys(families) as FamilyName[]

/** Returns the objects at any depth. */
const objectsIn = (node: unknown): Record<string, unknown>[] =>
  typeof node === 'object' && node !== null
    ? [node as Record<string, unknown>, ...Object.values(node).flatMap(objectsIn)]
    : []

/** Converts a schema as the component `Sample` of a document. */
function convert(schema: object) {
  const document = toOpenApi('runtime')
  const components = { ...document.components, schemas: { Sample: schema } }
  return toOpenApi30({ ...document, components }).components.schemas.Sample
}

async function findProblems(document: object): Promise<unknown> {
  const { valid, errors } = await new Validator().validate(
    JSON.parse(JSON.stringify(document)),
  )
  return valid ? [] : errors
}

test.each(names)(
  'the document of %s is valid OpenAPI 3.0',
  { timeout: 60_000 },
  async (name) => {
    const document = toOpenApi30(toOpenApi(name))
    expect(document.openapi).toBe('3.0.3')
    expect(await findProblems(document)).toEqual([])
    // The schema of OpenAPI permits fields beside `$ref`, which have no effect.
    const references = objectsIn(document).filter((one) => typeof one.$ref === 'string')
    expect(references.filter((one) => Object.keys(one).length > 1)).toEqual([])
  },
)

test.each([
  { const: 'a' },
  { examples: ['a'] },
  { type: 'null' },
  { type: ['string', 'null'] },
  { type: 'number', exclusiveMinimum: 1 },
  { type: 'array', prefixItems: [{ type: 'string' }] },
  { type: 'string', contentMediaType: 'text/plain' },
])('%j is not valid in OpenAPI 3.0', async (schema) => {
  const document = toOpenApi30(toOpenApi('mcp'))
  document.components.schemas.Sample = schema
  expect(await findProblems(document)).not.toEqual([])
})

test.each(names)(
  '%s has the same operations, fields and models in both versions',
  (name) => {
    const [before, after] = [toOpenApi(name), toOpenApi30(toOpenApi(name))]
    const ids = ({ paths }: Pick<OpenApiDocument, 'paths'>) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId, parameters = [] }]) =>
          [method, path, operationId, ...parameters.map((one) => one.name)].join(' '),
        ),
      )
    expect(ids(after)).toEqual(ids(before))
    expect(Object.keys(after.components.schemas)).toEqual(
      Object.keys(before.components.schemas),
    )
    const fields = (document: object) =>
      objectsIn(document)
        // A field may have the name `properties`.
        .filter(({ type, properties }) => typeof type === 'string' && properties)
        .flatMap(({ properties }) => Object.keys(properties!))
    expect(fields(after)).toEqual(fields(before))
  },
)

test.each(names)('names the bodies of %s as no model', (name) => {
  const { paths, components } = toOpenApi30(toOpenApi(name))
  const titles = objectsIn(paths).flatMap(({ title }) =>
    typeof title === 'string' ? title : [],
  )
  expect(new Set(titles).size).toBe(titles.length)
  expect(titles.filter((title) => title in components.schemas)).toEqual([])
})

test('gives an operation the tag of its group, and keeps its stability', () => {
  const operations = Object.values(toOpenApi30(toOpenApi('runtime')).paths).flatMap(
    (methods) => Object.values<OpenApiOperation>(methods),
  )
  const named = (id: string) => operations.find(({ operationId }) => operationId === id)
  expect(named('createMessage')).toMatchObject({
    tags: ['messages'],
    'x-stability': 'documented',
  })
  expect(named('importMessages')).toMatchObject({ 'x-stability': 'experimental' })
  expect(operations.filter(({ tags }) => tags.length !== 1)).toEqual([])
})

const reference = { $ref: '#/components/schemas/Bot' }
const nothing = { type: 'null' }

test.each([
  [
    { type: 'string', const: 'a' },
    { type: 'string', enum: ['a'] },
  ],
  [
    { type: 'string', examples: ['a', 'b'] },
    { type: 'string', example: 'a' },
  ],
  [nothing, { type: 'object', nullable: true, maxProperties: 0 }],
  [
    { anyOf: [{ type: 'string' }, nothing], description: 'Text' },
    { type: 'string', nullable: true, description: 'Text' },
  ],
  [{ anyOf: [reference, nothing] }, { nullable: true, allOf: [reference] }],
  [
    { anyOf: [{ enum: ['a', 'b'] }, nothing] },
    { type: 'string', nullable: true, description: 'One of: "a", "b"' },
  ],
  [
    { anyOf: [{ type: 'string', const: 'a' }, nothing] },
    { type: 'string', nullable: true, description: 'One of: "a"' },
  ],
  [
    { anyOf: [{ type: 'string' }, { type: 'number' }, nothing] },
    { nullable: true, anyOf: [{ type: 'string', nullable: true }, { type: 'number' }] },
  ],
  [
    { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, nothing] },
    { nullable: true, anyOf: [{ type: 'string', nullable: true }, { type: 'number' }] },
  ],
  [
    { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, nothing] } },
    { type: 'object', additionalProperties: { type: 'string', nullable: true } },
  ],
  [
    { type: 'array', items: { type: 'object', additionalProperties: true } },
    { type: 'array', items: { type: 'object' } },
  ],
  [
    { type: 'object', additionalProperties: false, properties: {} },
    { type: 'object', additionalProperties: false, properties: {} },
  ],
  // Fields with the names of keywords
  [
    {
      properties: {
        examples: { type: 'array', items: {} },
        const: {},
        anyOf: { const: 1 },
      },
    },
    {
      properties: {
        examples: { type: 'array', items: {} },
        const: {},
        anyOf: { enum: [1] },
      },
    },
  ],
])('converts %j to %j', (schema, converted) => {
  expect(convert(schema)).toEqual(converted)
})
