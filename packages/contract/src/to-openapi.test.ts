import { expect, test } from 'vitest'
import { unserved } from './operation.ts'
import { type FamilyName, families } from './registry.gen.ts'
import { toOpenApi } from './to-openapi.ts'

const names = Object.keys(families) as FamilyName[]

/** Returns all values of the key at any depth. */
function toValues(key: string, node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) =>
    name === key ? [value] : toValues(key, value),
  )
}

test.each(names)('the components of %s are exactly those that it references', (name) => {
  const document = toOpenApi(name)
  const { schemas, responses } = document.components
  const defined = [
    ...Object.keys(schemas).map((model) => `#/components/schemas/${model}`),
    ...Object.keys(responses).map((one) => `#/components/responses/${one}`),
  ]
  expect([...new Set(toValues('$ref', document))].sort()).toEqual(defined.sort())
})

test('references a model instead of repeating it', () => {
  const { paths, components } = toOpenApi('runtime')
  const body = paths['/v1/chat/messages/{id}']?.get?.responses['200']
  expect(body).toMatchObject({
    content: {
      'application/json': {
        schema: { properties: { message: { $ref: '#/components/schemas/Message' } } },
      },
    },
  })
  expect(Object.keys(components.schemas)).toContain('Message')
})

test.each([
  ['runtime', ['documented', 'experimental']],
  ['admin', ['documented', 'experimental']],
  ['files', ['documented']],
  ['tables', ['documented']],
  ['chat', undefined],
  ['platform', undefined],
] as const)('the document of %s declares the tags %j', (name, tags) => {
  expect(toOpenApi(name).tags?.map((tag) => tag.name)).toEqual(tags)
})

test('operations are tagged documented or experimental, as in the external documents', () => {
  const all = names.flatMap((name) =>
    Object.values(toOpenApi(name).paths).flatMap((methods) =>
      Object.values(methods).map((operation) => ({
        name: `${name}.${operation.operationId}`,
        ...operation,
      })),
    ),
  )
  const having = (tag: string) =>
    all.filter(({ tags }) => tags.includes(tag)).map(({ name }) => name)
  expect(having('experimental').sort()).toEqual([
    'admin.createIntegrationShareableId',
    'admin.deleteIntegrationShareableId',
    'admin.getIntegrationShareableId',
    'admin.rotateBotSigningSecrets',
    'admin.rotateIntegrationSigningSecrets',
    'admin.unlinkSandboxedConversations',
    'runtime.importMessages',
    'runtime.initializeIncomingMessage',
  ])
  expect(having('documented')).toHaveLength(44 + 111 + 15 + 17 - 8)
})

test('sandboxIdentifiers is marked experimental', () => {
  const { post } = toOpenApi('runtime').paths['/v1/chat/integrations/configure']!
  const { properties } = post!.requestBody!.content['application/json']!.schema as {
    properties: Record<string, object>
  }
  expect(properties.sandboxIdentifiers).toMatchObject({
    'x-experimental': true,
    description: expect.stringContaining('Experimental'),
  })
})

test('declares the headers that identify the caller', () => {
  const { paths } = toOpenApi('files')
  const headers = paths['/v1/files/{id}']?.get?.parameters
    ?.filter((one) => one.in === 'header')
    .map((one) => [one.name, one.required])
  expect(headers).toEqual([
    ['x-bot-id', true],
    ['x-integration-id', false],
    ['x-integration-alias', false],
    ['x-integration-name', false],
    ['x-user-id', false],
    ['x-user-role', false],
  ])
})

test('an unserved operation has 501 as its only response', () => {
  const { unserved: none } = families.tables
  families.tables.unserved = {
    shuffleRows: unserved('POST', '/v1/tables/{table}/rows/shuffle'),
  }
  expect(toOpenApi('tables').paths['/v1/tables/{table}/rows/shuffle']?.post).toEqual({
    operationId: 'shuffleRows',
    tags: ['not served yet'],
    parameters: [
      { name: 'table', in: 'path', required: true, schema: { type: 'string' } },
    ],
    responses: { 501: { $ref: '#/components/responses/NotImplemented' } },
  })
  families.tables.unserved = none
})

test('a stream has the content type text/event-stream', () => {
  const listen =
    toOpenApi('chat').paths['/conversations/{id}/listen']?.get?.responses['200']
  expect(Object.keys((listen as { content: object }).content)).toEqual([
    'text/event-stream',
  ])
})
