// The MCP server for coding agents, as the official client sees it.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMcpClient } from '../../../test/support/mcp.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { makeTenant } from '../../../test/support/tenants.ts'

let scene: Scene
let client: Client
let url: string

beforeAll(async () => {
  scene = await openScene()
  url = `${await scene.listen()}/mcp/authoring`
  client = await openMcpClient(url, scene.token)
}, 60_000)
afterAll(async () => {
  await client?.close()
  await scene?.close()
})

type Json = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: tests assert on fields
type Result = any

const invoke = async (by: Client, name: string, input: Json = {}) =>
  (await by.callTool({ name, arguments: input })) as CallToolResult

/** Returns the result of a tool, or its error. */
async function call(name: string, input: Json = {}): Promise<Result> {
  const { structuredContent, content } = await invoke(client, name, input)
  const [first] = content as unknown as [{ text: string }]
  expect(JSON.parse(first.text)).toEqual(
    (structuredContent as Json).error ?? structuredContent,
  )
  return structuredContent
}

async function createBot(): Promise<string> {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: { name: 'drafted' },
  })
  return body.bot.id
}

const start = '/flows/main/nodes/start'
const greeting = (text: string) => [
  { op: 'set', pointer: `${start}/cards`, value: [{ type: 'send', message: text }] },
]
const greets = (text: string) => ({
  op: 'set',
  pointer: '/tests',
  value: { Greets: { steps: [{ user: 'hi' }, { bot: text }] } },
})

test('lists its tools with their inputs, and says how to work', async () => {
  expect(client.getServerVersion()).toMatchObject({ name: 'botstead-authoring' })
  expect(client.getInstructions()).toContain('read_schema')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'read_schema',
    'list_examples',
    'read_example',
    'list_bots',
    'read_draft',
    'list_names',
    'edit_draft',
    'check_document',
    'run_tests',
    'talk',
    'read_trace',
    'publish_draft',
  ])
  for (const { inputSchema, annotations } of tools)
    expect([inputSchema.additionalProperties, annotations?.openWorldHint]).toEqual([
      false,
      false,
    ])
  await expect(invoke(client, '__proto__')).rejects.toThrow('was not found')
})

test('returns the reference of each card, trigger and part', async () => {
  const all = await call('read_schema')
  expect(all.guide).toContain('"kind": "bot"')
  expect(all.cards.capture).toContain('question')
  for (const card of Object.keys(all.cards))
    expect((await call('read_schema', { card })).schema.properties).toHaveProperty('type')
  for (const trigger of all.triggers)
    expect((await call('read_schema', { trigger })).schema.properties).toHaveProperty(
      'flow',
    )
  for (const part of all.parts) {
    const { schema } = await call('read_schema', { part })
    expect(JSON.stringify(schema).length).toBeLessThan(30_000)
  }
  expect((await call('read_schema', { card: 'constructor' })).error).toMatchObject({
    type: 'ResourceNotFound',
    message: expect.stringContaining('capture'),
  })
  expect((await call('read_schema', { card: 'send', part: 'node' })).error.type).toBe(
    'InvalidPayload',
  )
})

test('lists and reads examples and bots', async () => {
  const { examples } = await call('list_examples')
  const { name } = examples.find((one: Json) => one.name === 'appointment-bot')
  const example = await call('read_example', { example: name })
  expect(JSON.parse(example.text)).toMatchObject({ kind: 'bot' })
  expect(
    (await call('read_example', { example: name, file: 'none' })).error.message,
  ).toContain('bot.json')
  const { bots } = await call('list_bots')
  expect(bots).toContainEqual(expect.objectContaining({ id: scene.botId, name: 'scene' }))
})

describe('a draft', () => {
  test('is edited, checked, tested, tried, traced and published', async () => {
    const bot = await createBot()
    expect(await call('read_draft', { bot })).toMatchObject({
      revision: 0,
      value: { kind: 'bot', flows: { main: {} } },
    })
    const edited = await call('edit_draft', {
      bot,
      revision: 0,
      operations: [...greeting('Hello!'), greets('Goodbye!')],
    })
    expect(edited).toMatchObject({
      revision: 1,
      hasChanges: true,
      problems: [],
      warnings: [],
    })
    const failed = await call('run_tests', { bot })
    expect(failed).toMatchObject({
      revision: 1,
      passed: 0,
      results: [
        { name: 'Greets', failure: { step: 2, trace: expect.stringContaining('main') } },
      ],
    })
    expect(failed.results[0].failure.message).toContain('Hello!')
    await call('edit_draft', { bot, revision: 1, operations: [greets('Hello!')] })
    expect(await call('run_tests', { bot, tests: ['Greets'] })).toMatchObject({
      passed: 1,
    })
    expect(await call('run_tests', { bot, tests: ['None'] })).toMatchObject({
      results: [],
    })
    const said = await call('talk', { bot, message: 'hi' })
    expect(said).toMatchObject({
      revision: 2,
      status: 'processed',
      answers: [{ type: 'text', text: 'Hello!' }],
      trace: expect.stringContaining('main / start'),
    })
    const { testBot, conversation } = said
    await call('talk', { bot, message: 'again', conversation })
    const { turns } = await call('read_trace', { bot: testBot, conversation })
    expect(turns.map(({ message }: Json) => message)).toEqual(['again', 'hi'])
    expect(turns[1]).toMatchObject({ answers: [{ text: 'Hello!' }] })
    expect(
      await call('publish_draft', { bot, revision: 2, message: 'First' }),
    ).toMatchObject({
      revision: 2,
      version: { description: 'First' },
    })
    expect(await call('read_draft', { bot, flow: 'main' })).toMatchObject({
      hasChanges: false,
      publishedRevision: 2,
      pointer: '/flows/main',
      value: { nodes: { start: { cards: [{ message: 'Hello!' }] } } },
    })
    const { body } = await scene.call('GET', `/v1/admin/bots/${bot}/bot-json`, {
      headers: scene.admin,
    })
    expect(body.tests).toEqual({ Greets: { steps: [{ user: 'hi' }, { bot: 'Hello!' }] } })
  }, 60_000)

  test('merges edits of different values, and rejects those of the same one', async () => {
    const bot = await createBot()
    const add = (name: string, text: string) => ({
      op: 'set',
      pointer: `/flows/main/nodes/${name}`,
      value: { type: 'standard', cards: [{ type: 'send', message: text }] },
    })
    await call('edit_draft', { bot, revision: 0, operations: [add('one', 'a')] })
    const merged = await call('edit_draft', {
      bot,
      revision: 0,
      operations: [add('two', 'b')],
    })
    expect(merged.revision).toBe(2)
    const { value } = await call('read_draft', { bot, pointer: '/flows/main/nodes' })
    expect(Object.keys(value)).toEqual(['start', 'one', 'two'])
    const message = '/flows/main/nodes/one/cards/0/message'
    const set = (text: string) => [{ op: 'set', pointer: message, value: text }]
    await call('edit_draft', { bot, revision: 2, operations: set('mine') })
    const { error } = await call('edit_draft', {
      bot,
      revision: 2,
      operations: set('yours'),
    })
    expect(error).toMatchObject({
      type: 'RelationConflict',
      message: expect.stringContaining('read these values of revision 3'),
      metadata: { reason: 'conflict', revision: 3, pointers: [message] },
    })
    expect((await call('read_draft', { bot, pointer: message })).value).toBe('mine')
    const unknown = await call('edit_draft', {
      bot,
      revision: 99,
      operations: set('none'),
    })
    expect(unknown.error).toMatchObject({
      type: 'RelationConflict',
      metadata: { reason: 'outdated' },
    })
    expect((await call('publish_draft', { bot, revision: 2 })).error).toMatchObject({
      type: 'RelationConflict',
      metadata: { reason: 'outdated' },
    })
  })

  test('rejects edits that do not fit, with their index, and changes nothing', async () => {
    const bot = await createBot()
    const edit = async (...operations: Json[]) =>
      (await call('edit_draft', { bot, revision: 0, operations })).error
    const missing = { op: 'remove', pointer: '/flows/none' }
    expect((await edit(...greeting('x'), missing)).message).toContain(
      '`operations/1`: /flows/none',
    )
    expect((await edit({ op: 'set', pointer: '/a' })).message).toContain('needs `value`')
    expect((await edit({ op: 'remove', pointer: '/a', value: 1 })).message).toContain(
      'has no `value`',
    )
    expect((await edit({ op: 'set', pointer: 'a', value: 1 })).type).toBe(
      'InvalidPayload',
    )
    const deep = JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`)
    const own = JSON.parse('{"__proto__": {"polluted": 1}}')
    await expect(
      edit({ op: 'set', pointer: '/flows/main/odd', value: own }),
    ).rejects.toThrow('reserved key')
    const odd = await call('edit_draft', {
      bot,
      revision: 0,
      operations: [{ op: 'set', pointer: '/flows/main/nodes/odd', value: { deep } }],
    })
    expect(odd.problems.length ?? 0).toBeGreaterThan(0)
    expect(({} as Json).polluted).toBe(undefined)
    expect((await call('read_draft', { bot })).revision).toBe(1)
  })

  test('is read in parts when it is long', async () => {
    const bot = await createBot()
    const value = {
      type: 'standard',
      cards: [{ type: 'send', message: 'x'.repeat(70_000) }],
    }
    const pointer = '/flows/main/nodes/long'
    await call('edit_draft', {
      bot,
      revision: 0,
      operations: [{ op: 'set', pointer, value }],
    })
    const whole = await call('read_draft', { bot })
    expect(whole).toMatchObject({ isTooLong: true, keys: ['kind', 'version', 'flows'] })
    expect((await call('read_draft', { bot, pointer: `${pointer}/type` })).value).toBe(
      'standard',
    )
    expect(
      (await call('read_draft', { bot, pointer: '/flows/main/none' })).error.type,
    ).toBe('ResourceNotFound')
  })
})

test('checks documents without a bot', async () => {
  const document = { kind: 'bot', version: 2, flows: { main: { nodes: {} } } }
  const checked = await call('check_document', { document })
  expect(checked.problems[0].pointer).toBe('/flows/main/nodes')
  const broken = { steps: [{ user: 'hi' }, { says: 'Hello' }] }
  const tests = { Broken: broken }
  const nodes = { start: { type: 'start' } }
  const withTests = { ...document, flows: { main: { nodes } }, tests }
  expect((await call('check_document', { document: withTests })).problems).toEqual([
    { pointer: '/tests/Broken/steps/1', message: expect.stringContaining('"says"') },
  ])
  expect((await call('check_document', {})).error.message).toContain('exactly one')
})

test('lists what a document may name', async () => {
  const bot = scene.botId
  await scene.call('POST', '/v1/tables', {
    headers: scene.asBot,
    body: { name: 'OrdersTable', schema: { item: { type: 'string' } } },
  })
  expect((await call('list_names', { bot, kind: 'tables' })).tables).toMatchObject([
    { name: 'OrdersTable', schema: { properties: { item: { type: 'string' } } } },
  ])
  expect(await call('list_names', { bot, kind: 'knowledgeBases' })).toHaveProperty(
    'knowledgeBases',
  )
  const { actions } = await call('list_names', { bot, kind: 'actions' })
  expect(actions.map(({ action }: Json) => action)).toContain('chat:sendEvent')
  expect(Object.keys(await call('list_names', { bot }))).toEqual([
    'tables',
    'knowledgeBases',
    'actions',
  ])
  expect((await call('list_names', { bot, kind: 'constructor' })).error.type).toBe(
    'InvalidPayload',
  )
})

test('ids of other tenants are not found', async () => {
  const other = await makeTenant(scene, 'other')
  const [bot] = other.things.bot
  const [conversation] = other.things.conversation
  const inputs: Record<string, Json> = {
    read_draft: { bot },
    list_names: { bot, kind: 'tables' },
    edit_draft: { bot, revision: 0, operations: greeting('x') },
    check_document: { bot },
    run_tests: { bot },
    talk: { bot, message: 'hi' },
    read_trace: { bot, conversation },
    publish_draft: { bot, revision: 0 },
  }
  for (const [name, input] of Object.entries(inputs)) {
    const { error } = await call(name, input)
    expect([name, error.type, error.message]).toEqual([
      name,
      'ResourceNotFound',
      `Bot "${bot}" was not found`,
    ])
  }
  const own = await call('read_trace', { bot: scene.botId, conversation })
  expect(own.error.type).toBe('ResourceNotFound')
  // A member of both workspaces reaches the bots of the named one only.
  await scene.app.services.db
    .insertInto('workspace_member')
    .values({
      workspace_id: other.things.workspace[0]!,
      account_id: scene.accountId,
      role: 'owner',
    })
    .execute()
  await scene.app.services.invalidate({ accountId: scene.accountId })
  const both = await openMcpClient(url, scene.token, {
    'x-workspace-id': scene.workspaceId,
  })
  const read = await invoke(both, 'read_trace', { bot, conversation })
  expect(read.structuredContent).toMatchObject({ error: { type: 'ResourceNotFound' } })
  const listed = await invoke(both, 'list_names', { bot, kind: 'tables' })
  expect(listed.structuredContent).toMatchObject({ error: { type: 'ResourceNotFound' } })
  await both.close()
  await expect(openMcpClient(url, scene.token)).rejects.toThrow('x-workspace-id')
}, 60_000)

test('offers a role the tools that it may use, and rejects other callers', async () => {
  const { db } = scene.app.services
  const set = async (role: 'viewer' | 'agent' | 'owner') => {
    await db
      .updateTable('workspace_member')
      .set({ role })
      .where('workspace_id', '=', scene.workspaceId)
      .where('account_id', '=', scene.accountId)
      .execute()
    await scene.app.services.invalidate({ accountId: scene.accountId })
  }
  const inWorkspace = { 'x-workspace-id': scene.workspaceId }
  const viewer = await openMcpClient(url, scene.token, inWorkspace)
  try {
    await set('viewer')
    const { tools } = await viewer.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toContain('read_draft')
    for (const name of ['edit_draft', 'publish_draft', 'talk', 'run_tests'])
      expect(names).not.toContain(name)
    await expect(
      invoke(viewer, 'publish_draft', { bot: scene.botId, revision: 0 }),
    ).rejects.toThrow('was not found')
    await set('agent')
    await expect(viewer.listTools()).rejects.toThrow('bots.read')
  } finally {
    await set('owner')
    await viewer.close()
  }
  await expect(openMcpClient(url, 'bp_pat_none', inWorkspace)).rejects.toThrow('token')
  const post = (headers: Record<string, string>, body = '{}') =>
    fetch(url, {
      method: 'POST',
      headers: { ...scene.admin, 'content-type': 'application/json', ...headers },
      body,
    })
  expect((await post({ origin: 'https://evil.example' })).status).toBe(403)
  expect((await post({}, `"${'x'.repeat(8 * 1_048_576)}"`)).status).toBe(413)
  const reply = await fetch(url, { headers: { accept: 'text/event-stream' } })
  expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST'])
})

test('writes the audit entries of the operations that tools perform', async () => {
  const bot = await createBot()
  const inWorkspace = { 'x-workspace-id': scene.workspaceId }
  const agent = await openMcpClient(url, scene.token, inWorkspace)
  await invoke(agent, 'edit_draft', { bot, revision: 0, operations: greeting('Hi') })
  await invoke(agent, 'publish_draft', { bot, revision: 1 })
  await agent.close()
  const { body } = await scene.call(
    'GET',
    `/v1/admin/workspaces/${scene.workspaceId}/audit-records`,
    { headers: scene.admin },
  )
  const own = body.records.filter(({ resourceId }: Json) => resourceId === bot)
  expect(own.map(({ action }: Json) => action)).toEqual(
    expect.arrayContaining(['UPDATE_BOT', 'DEPLOY_BOT']),
  )
})
