// A bot looks nonexistent to members that its allowlist excludes: each operation answers as for an
// unknown bot, wherever the request names the bot. Operations and fields come from the contract, so
// new ones are covered automatically.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findIdKind } from '../support/id-kinds.ts'
import {
  type OperationRequest,
  requestFor,
  toAddress,
} from '../support/operation-requests.ts'
import { openScene, type Scene } from '../support/scene.ts'
import {
  getProperties,
  type InputLocation,
  permits,
  type ServedOperation,
  servedOperations,
} from '../support/served-operations.ts'
import {
  asAdmin,
  bearing,
  type Headers,
  makeTenant,
  type Tenant,
} from '../support/tenants.ts'
import { makeMembers } from '../support/wrong-credentials.ts'

let scene: Scene
let tenant: Tenant
/** The token of a member with the strongest role that allowlists can exclude. */
let manager: string
const unknown = 'bot_01KAJ0ZP5S8V3N7Q4XW2R9TDHM'

beforeAll(async () => {
  scene = await openScene()
  tenant = await makeTenant(scene, 'owner')
  manager = (await makeMembers(scene, tenant)).manager
  for (const id of [...tenant.things.bot, ...tenant.things.spareBot]) {
    const request = { headers: asAdmin(tenant), body: { setting: 'SELECTED_USERS' } }
    const { status } = await scene.call('PUT', `/v1/admin/bots/${id}/allowlist`, request)
    expect(status).toBe(200)
  }
})
afterAll(() => scene?.close())

type Location = InputLocation | 'headers'

/** Returns the places where a request of the operation names a bot. */
function listBotPlaces(operation: ServedOperation): [Location, string][] {
  const inPath = [...operation.url.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!)
  const fields = [
    ...inPath.map((field) => ['params', field] as const),
    ...(['query', 'body'] as const).flatMap((location) =>
      Object.keys(getProperties(operation, location)).map(
        (field) => [location, field] as const,
      ),
    ),
  ]
  const named = fields.filter(([location, field]) =>
    ['bot', 'spareBot'].includes(findIdKind(operation, location, field) ?? ''),
  )
  const hasHeader =
    operation.access === 'bot' && !named.some(([location]) => location === 'params')
  return [
    ...named.map(([...place]): [Location, string] => place),
    ...(hasHeader ? header : []),
  ]
}
const header: [Location, string][] = [['headers', 'x-bot-id']]

const cases = servedOperations
  .filter((operation) => permits(operation, 'manager'))
  .flatMap((operation) =>
    listBotPlaces(operation).map(
      ([location, field]) => [operation.name, location, field, operation] as const,
    ),
  )

async function callAsManager(
  operation: ServedOperation,
  [location, field]: [Location, string],
  botId: string,
) {
  const { headers, ...right } = requestFor(operation, tenant)
  const { 'x-bot-id': _other, ...sender } = { ...headers, ...bearing(manager) } as Headers
  const request: OperationRequest = { ...right, headers: sender }
  const value = field === 'ids' ? [botId] : botId
  const sent = { ...request, [location]: { ...request[location], [field]: value } }
  const { statusCode, body } = await scene.app.server.inject({
    method: sent.method,
    url: toAddress(operation, sent),
    headers: sent.headers,
    ...(sent.body && { payload: sent.body }),
  })
  const { id: _error, ...answer } = JSON.parse(body)
  return { status: statusCode, answer: JSON.stringify(answer).replaceAll(botId, '<id>') }
}

test('most operations name a bot', () => expect(cases.length).toBeGreaterThan(150))

test.each(cases)('%s hides the bot in %s %s', async (_, location, field, operation) => {
  const things = findIdKind(operation, location as InputLocation, field)
  const [hidden] = tenant.things[things === 'spareBot' ? 'spareBot' : 'bot']
  const answer = await callAsManager(operation, [location, field], hidden!)
  expect(answer).toEqual(await callAsManager(operation, [location, field], unknown))
  if (location === 'params' || location === 'headers') expect(answer.status).toBe(404)
})
