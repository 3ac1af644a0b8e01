// Every operation with every role: who is permitted gets past the door, who is not does not, and a stranger meets what is not there. The operations
// and the table come from the contract; the sentences at the end are what the table must mean, written by hand.
import { namesWorkspace, type Permission, permissions, type Role, roles } from '@botstead/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/infra/lib/ids.ts'
import {
  addressOf,
  headersFor,
  kindOf,
  type OperationRequest,
  permits,
  requestFor,
  type ServedOperation,
  servedOperations,
} from '../support/operation-requests.ts'
import { openScene, type Scene } from '../support/scene.ts'
import { bearing, digestOf, makeTenant, type Tenant } from '../support/tenants.ts'
import { makeMembers } from '../support/wrong-credentials.ts'

let scene: Scene
let tenant: Tenant
let stranger: Tenant
let members: Record<Role, string>

beforeAll(async () => {
  scene = await openScene()
  tenant = await makeTenant(scene, 'tenant')
  stranger = await makeTenant(scene, 'stranger')
  members = await makeMembers(scene, tenant)
}, 60_000)
afterAll(() => scene?.close())

async function ask(
  operation: ServedOperation,
  given: OperationRequest,
  token: string,
): Promise<{ status: number; type: string | undefined }> {
  const { method, body } = given
  const headers = { ...given.headers, ...bearing(token) }
  const reply = await scene.app.server.inject({
    method,
    url: addressOf(operation, given),
    headers,
    ...(body && { payload: body }),
  })
  return { status: reply.statusCode, type: reply.json().type }
}

/** With ids of nothing, so that nobody takes away what the next one asks for. The door looks at the workspace in the path: that one is real. */
function aboutNothing(operation: ServedOperation): OperationRequest {
  const right = requestFor(operation, tenant)
  const params = Object.entries(right.params).map(([field, value]) => {
    const isDoor = namesWorkspace(operation) || kindOf(operation, 'params', field) === null || field === 'key'
    return [field, isDoor ? value : newId('bot')]
  })
  return { ...right, params: Object.fromEntries(params) }
}

const closesTheDoor = ['admin.deleteWorkspace']
const guarded = servedOperations.filter(
  ({ access, stream }) => (access === 'workspace' || access === 'bot') && !stream,
)
/** Whoever is a member may hold the header's place; where a test has no integration, the operation says 403 to everybody. */
const about = (operation: ServedOperation) =>
  closesTheDoor.includes(operation.name) ? requestFor(operation, tenant, 1) : aboutNothing(operation)

describe('each role does what it should, and no more', () => {
  test.each(guarded.map((operation) => [operation.name, operation] as const))('%s', async (_, operation) => {
    const answers = []
    for (const role of roles) {
      const { status, type } = await ask(operation, about(operation), members[role])
      answers.push([
        role,
        type === 'Forbidden' ? 'not permitted' : 'permitted',
        status < 500 && status !== 401,
      ])
    }
    expect(answers).toEqual(
      roles.map((role) => [role, permits(operation, role) ? 'permitted' : 'not permitted', true]),
    )
  })
})

describe('a viewer, who writes nothing, changes nothing', () => {
  const permitted = guarded.filter((operation) => permits(operation, 'viewer'))
  let before: Record<string, string>
  beforeAll(async () => {
    // The first use of a token is recorded.
    await ask(permitted[0]!, requestFor(permitted[0]!, tenant), members.viewer)
    before = await digestOf(scene, tenant)
  })

  test.each(permitted.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_, operation) => {
      const { status } = await ask(operation, requestFor(operation, tenant), members.viewer)
      expect(status).toBeLessThan(500)
      expect(await digestOf(scene, tenant)).toEqual(before)
    },
  )
})

describe('who is in another workspace', () => {
  test.each(guarded.map((operation) => [operation.name, operation] as const))('%s', async (_, operation) => {
    const { status } = await ask(
      operation,
      { ...requestFor(operation, tenant), headers: headersFor(operation, tenant) },
      stranger.token,
    )
    expect([401, 404]).toContain(status)
  })
})

describe('the table means', () => {
  const having = (permission: Permission) => permissions[permission].join(' ')
  const startingWith = (...areas: string[]) =>
    (Object.keys(permissions) as Permission[]).filter((name) => areas.includes(name.split('.')[0]!))

  test('that billing sees bills and what is used, and nothing of bots, files, tables, packages or people', () => {
    expect(
      (Object.keys(permissions) as Permission[]).filter((name) => permissions[name].includes('billing')),
    ).toEqual([...['workspace.read', 'billing.read', 'billing.write', 'usage.read']])
  })

  test('that a viewer reads and changes nothing', () => {
    const may = (Object.keys(permissions) as Permission[]).filter((name) =>
      permissions[name].includes('viewer'),
    )
    expect(may.filter((name) => !name.endsWith('.read'))).toEqual([])
    expect(
      startingWith('bots', 'data', 'files', 'tables', 'packages').filter(
        (name) => name.endsWith('.read') && !may.includes(name),
      ),
    ).toEqual([])
  })

  test('that a developer builds, and has no part in members, audit and billing', () => {
    for (const name of [
      'bots.create',
      'bots.update',
      'bots.delete',
      'data.write',
      'files.write',
      'tables.write',
      'packages.write',
      'keys.write',
    ] as const)
      expect(having(name)).toBe('developer manager administrator owner')
    for (const name of [
      'members.write',
      'audit.read',
      'billing.read',
      'billing.write',
      'bots.deleteAny',
    ] as const)
      expect(permissions[name]).not.toContain('developer')
  })

  test('that a manager does more than a developer in two respects', () => {
    const more = (Object.keys(permissions) as Permission[]).filter(
      (name) => permissions[name].includes('manager') && !permissions[name].includes('developer'),
    )
    expect(more).toEqual(['audit.read', 'bots.transfer'])
  })

  test('that administrators look after people and after all bots, and only an owner ends the workspace', () => {
    for (const name of [
      'members.write',
      'workspace.update',
      'bots.deleteAny',
      'bots.readAny',
      'bots.allowlist',
    ] as const)
      expect(having(name)).toBe('administrator owner')
    expect(having('workspace.delete')).toBe('owner')
  })

  test('that an owner may do everything', () => {
    expect(
      (Object.keys(permissions) as Permission[]).filter((name) => !permissions[name].includes('owner')),
    ).toEqual([])
  })
})
