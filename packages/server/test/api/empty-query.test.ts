// Every operation ignores optional query parameters without a value (`status=`).
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  alwaysRejected,
  endsItsCaller,
  requestFor,
  toAddress,
} from '../support/operation-requests.ts'
import { openScene, type Scene } from '../support/scene.ts'
import {
  getProperties,
  getRequired,
  type ServedOperation,
  servedOperations,
} from '../support/served-operations.ts'
import { makeTenant, type Tenant } from '../support/tenants.ts'

let scene: Scene
let tenant: Tenant

beforeAll(async () => {
  scene = await openScene()
  tenant = await makeTenant(scene, 'caller')
}, 60_000)
afterAll(() => scene?.close())

const listOptional = (operation: ServedOperation) =>
  Object.keys(getProperties(operation, 'query')).filter(
    (name) => !getRequired(operation, 'query').includes(name),
  )
const withOptional = servedOperations.filter(
  (operation) =>
    listOptional(operation).length > 0 &&
    !operation.stream &&
    !Object.hasOwn(alwaysRejected, operation.name) &&
    !endsItsCaller.includes(operation.name),
)
const withRequired = servedOperations.filter(
  (operation) => getRequired(operation, 'query').length > 0,
)

/** Parts that differ between two responses to one request: signatures, times, ids and counts. */
const volatile =
  /(expires|signature)=[^"&]+|"(views|id|jobId|expiresAt|url)":("[^"]*"|\d+)|\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** Deletions, with the operation that creates the object again. */
const repeatable: Record<string, string> = {
  'admin.deleteIntegrationShareableId': 'admin.createIntegrationShareableId',
}

async function answer(operation: ServedOperation, query: Record<string, string>) {
  const first = servedOperations.find(({ name }) => name === repeatable[operation.name])
  if (first) await answer(first, {})
  const request = requestFor(operation, tenant)
  const { statusCode, body } = await scene.app.server.inject({
    method: request.method,
    url: toAddress(operation, { ...request, query: { ...request.query, ...query } }),
    headers: { ...request.headers, 'content-type': 'application/json' },
    ...(request.body !== undefined && { payload: JSON.stringify(request.body) }),
  })
  return { status: statusCode, body: body.replaceAll(volatile, '') }
}

test.each(withOptional.map((operation) => [operation.name, operation] as const))(
  '%s ignores empty optional parameters',
  async (_, operation) => {
    const without = await answer(operation, {})
    expect(without.status).toBeLessThan(300)
    for (const name of listOptional(operation))
      expect(await answer(operation, { [name]: '' }), name).toEqual(without)
    const all = Object.fromEntries(listOptional(operation).map((name) => [name, '']))
    expect(await answer(operation, all)).toEqual(without)
  },
)

const mayBeEmpty = ['files.searchFiles query']
const required = withRequired
  .flatMap((operation) =>
    getRequired(operation, 'query').map(
      (name) => [operation.name, name, operation] as const,
    ),
  )
  .filter(([operation, name]) => !mayBeEmpty.includes(`${operation} ${name}`))

test('finds nothing for an empty search text', async () => {
  const { body, status } = await answer(
    servedOperations.find(({ name }) => name === 'files.searchFiles')!,
    {
      query: '',
    },
  )
  expect([status, JSON.parse(body)]).toEqual([200, { passages: [] }])
})

test.each(required)('%s rejects an empty `%s` by name', async (_, name, operation) => {
  expect(await answer(operation, { [name]: '' })).toMatchObject({
    status: 400,
    body: expect.stringContaining(`query/${name} must not be empty`),
  })
})
