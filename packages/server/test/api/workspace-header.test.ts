// The workspace of an Admin API request: the header x-workspace-id, or the caller's only workspace
// where the contract does not list the header.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toAddress } from '../support/operation-requests.ts'
import { openScene, type Scene } from '../support/scene.ts'
import { servedOperations } from '../support/served-operations.ts'

let scene: Scene
let account: { authorization: string }

beforeAll(async () => {
  scene = await openScene()
  account = { authorization: `Bearer ${scene.token}` }
})
afterAll(() => scene?.close())

const bodies: Record<string, object> = {
  'admin.checkHandleAvailability': { handle: 'free' },
  'admin.setWorkspacePreference': { value: 'dark' },
  'mcp.sendAuthoringMessage': { jsonrpc: '2.0', id: 1, method: 'ping' },
}
const optional = servedOperations.filter(({ workspaceOptional }) => workspaceOptional)

async function ask(name: string, headers: Record<string, string>) {
  const operation = servedOperations.find((one) => one.name === name)!
  const query = operation.query ? { taskId: 'task', botId: scene.botId } : {}
  const params = { key: 'theme' }
  const request = {
    method: operation.method,
    params,
    query: query as Record<string, string>,
    headers,
  }
  return scene.call(operation.method, toAddress(operation, request), {
    headers,
    ...(bodies[name] && { body: bodies[name] }),
  })
}

test('the header is optional in operations without it in the contract', () => {
  expect(optional.map(({ name }) => name).sort()).toEqual([
    'admin.checkHandleAvailability',
    'admin.getWorkspacePreference',
    'admin.listActivities',
    'admin.setWorkspacePreference',
    'mcp.sendAuthoringMessage',
  ])
})

test.each(optional.map(({ name }) => [name]))(
  '%s works in the only workspace of the caller',
  async (name) => {
    const { status, body } = await ask(name, account)
    expect([status, body]).toEqual([200, (await ask(name, scene.admin)).body])
  },
)

test('listBots requires the header even from a member of only one workspace', async () => {
  expect(
    (await scene.call('GET', '/v1/admin/bots', { headers: account })).body,
  ).toMatchObject({
    code: 401,
    type: 'Unauthorized',
  })
})

test('a member of several workspaces must name one', async () => {
  const { body } = await scene.call('POST', '/v1/admin/workspaces', {
    headers: account,
    body: { name: 'Two' },
  })
  for (const { name } of optional) {
    expect((await ask(name, account)).body, name).toMatchObject({
      code: 401,
      type: 'Unauthorized',
    })
    expect((await ask(name, scene.admin)).status, name).toBe(200)
  }
  await scene.call('DELETE', `/v1/admin/workspaces/${body.id}`, { headers: account })
  expect((await ask('admin.getWorkspacePreference', account)).body).toEqual({
    value: 'dark',
  })
})
