// The MCP server of each bot, as clients of the official library see it.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMcpClient } from '../../../test/support/mcp.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { nameTools } from './tool-names.ts'

const code = `
exports.handler = async ({ headers, body }) => {
  if (headers['x-bp-operation'] !== 'action_triggered') return { status: 200 }
  const { type, input } = JSON.parse(body)
  const outputs = {
    add: () => ({ sum: input.a + input.b }),
    'odd name': () => ({ ok: true }),
    large: () => ({ text: 'x'.repeat(input.length) }),
    slow: () => new Promise((resolve) => setTimeout(resolve, 300, {})),
    wrong: () => ({ sum: 'three' }),
  }
  const reason = { code: 400, type: 'Runtime', message: 'The shop is closed' }
  if (!outputs[type]) return { status: 400, body: JSON.stringify(reason) }
  return { status: 200, body: JSON.stringify({ output: await outputs[type]() }) }
}`

const numbers = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
}
const sum = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
const any = { schema: { type: 'object' } }
const actions = {
  add: {
    title: 'Add',
    description: 'Adds two numbers',
    input: {
      schema: {
        ...numbers,
        required: ['a', 'b'],
        $schema: 'https://json-schema.org/draft/2020-12/schema',
      },
    },
    output: { schema: sum },
  },
  'odd name': { input: { schema: { properties: { all: true } } }, output: any },
  large: { input: any, output: any },
  slow: { input: any, output: any },
  fail: { input: any, output: any },
  wrong: { input: any, output: { schema: sum } },
}

let scene: Scene
let origin: string
let url: string
let client: Client

beforeAll(async () => {
  scene = await openScene({ code })
  origin = await scene.listen()
  url = `${origin}/mcp/${scene.botId}`
  await updateBot({ actions })
  client = await openMcpClient(url, scene.token)
}, 60_000)
afterAll(async () => {
  await client?.close()
  await scene?.close()
})

async function updateBot(body: object) {
  const { status, body: answer } = await scene.call(
    'PUT',
    `/v1/admin/bots/${scene.botId}`,
    {
      headers: scene.admin,
      body,
    },
  )
  expect(answer).toMatchObject({ bot: {} })
  expect(status).toBe(200)
}

const call = (name: string, input: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: input }) as Promise<CallToolResult>
const textIn = ({ content: [first] }: CallToolResult) => (first as { text: string }).text

/** Sends one message without the official client. */
const post = (
  message: unknown = { jsonrpc: '2.0', id: 1, method: 'ping' },
  headers: Record<string, string> = {},
  at = url,
) =>
  fetch(at, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${scene.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })

describe('tools', () => {
  test('are the actions of the bot and a search, with their schemas', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(
      ['add', 'fail', 'large', 'odd_name', 'search_knowledge', 'slow', 'wrong'].sort(),
    )
    const add = tools.find(({ name }) => name === 'add')!
    expect(add).toMatchObject({ title: 'Add', description: 'Adds two numbers' })
    expect(add.inputSchema).toEqual({ ...numbers, required: ['a', 'b'] })
    expect(add.outputSchema).toEqual(sum)
    const odd = tools.find(({ name }) => name === 'odd_name')!
    expect(odd.inputSchema).toEqual({ type: 'object', properties: { all: {} } })
  })

  test('return the output of the action, as a value and as text', async () => {
    const result = await call('add', { a: 1, b: 2 })
    expect(result.structuredContent).toEqual({ sum: 3 })
    expect(JSON.parse(textIn(result))).toEqual({ sum: 3 })
    expect(result.isError).toBeFalsy()
    expect((await call('odd_name')).structuredContent).toEqual({ ok: true })
  })

  test('are recorded like other calls of actions', async () => {
    await call('add', { a: 20, b: 22 })
    const { db } = scene.app.services
    await expect
      .poll(async () => {
        const rows = await db.selectFrom('action_run').selectAll().execute()
        return rows.map(({ action, output }) => JSON.stringify([action, output]))
      })
      .toContain('["add",{"sum":42}]')
  })

  test('answer with the reason when the action rejects or fails', async () => {
    const invalid = await call('add', { a: 1, b: 'two' })
    expect([invalid.isError, textIn(invalid)]).toEqual([true, 'input: /b must be number'])
    const failed = await call('fail')
    expect([failed.isError, textIn(failed)]).toEqual([true, 'The shop is closed'])
    const wrong = await call('wrong')
    expect([wrong.isError, textIn(wrong)]).toEqual([true, 'output: /sum must be number'])
  })

  test('reject an output above the maximum', async () => {
    const fits = await call('large', { length: 999_000 })
    expect((fits.structuredContent as { text: string }).text).toHaveLength(999_000)
    const result = await call('large', { length: 1_000_000 })
    expect(result.isError).toBe(true)
    expect(textIn(result)).toContain('the maximum is 1000000')
  })

  test('with an unknown name are an error of the protocol', async () => {
    await expect(call('none')).rejects.toThrow('Tool "none" was not found')
    await expect(call('__proto__')).rejects.toThrow('was not found')
  })

  test('report progress to clients that ask for it', async () => {
    const progress: number[] = []
    const result = await client.callTool({ name: 'slow', arguments: {} }, undefined, {
      onprogress: ({ progress: seconds }) => progress.push(seconds),
    })
    expect(result.structuredContent).toEqual({})
    expect(progress).toEqual([0])
  })

  test('of integrations are only those that are chosen', async () => {
    const choose = (chosen: string[]) =>
      scene.call('PUT', `/v1/platform/bots/${scene.botId}/mcp-tools`, {
        headers: scene.admin,
        body: { actions: chosen },
      })
    const names = async () => (await client.listTools()).tools.map(({ name }) => name)
    expect(await names()).not.toContain('chat_sendEvent')
    for (const unknown of ['none:none', 'chat:none', 'sendEvent'])
      expect((await choose(['chat:sendEvent', unknown])).body.message).toContain(
        `"${unknown}"`,
      )
    expect(await names()).not.toContain('chat_sendEvent')
    const { status, body } = await choose(['chat:sendEvent'])
    expect([status, body.actions]).toEqual([200, ['chat:sendEvent']])
    expect(body.tools).toContainEqual(
      expect.objectContaining({ name: 'chat_sendEvent', action: 'chat:sendEvent' }),
    )
    expect(await names()).toContain('chat_sendEvent')
    const result = await call('chat_sendEvent', { conversationId: 'conv', payload: {} })
    expect(textIn(result)).toContain('"conv"')
    await choose([])
    expect(await names()).not.toContain('chat_sendEvent')
  })

  test('come in pages', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 120 }, (_, i) => [
        `many${String(i).padStart(3, '0')}`,
        actions.slow,
      ]),
    )
    await updateBot({ actions: many })
    const first = await client.listTools()
    expect(first.tools).toHaveLength(100)
    const second = await client.listTools({ cursor: first.nextCursor! })
    const names = [...first.tools, ...second.tools].map(({ name }) => name)
    expect([names.length, new Set(names).size, second.nextCursor]).toEqual([
      127,
      127,
      undefined,
    ])
    await expect(client.listTools({ cursor: 'made up' })).rejects.toThrow()
    await updateBot({
      actions: Object.fromEntries(Object.keys(many).map((name) => [name, null])),
    })
  })
})

test('names of tools are valid and unique, and an action with a valid name keeps it', () => {
  const types = [
    'a:b',
    'a_b',
    'flows.order',
    'é',
    '',
    'search_knowledge',
    'x'.repeat(200),
    'plug#in',
  ]
  const names = nameTools(['search_knowledge', ...types])
  expect(names.get('a_b')).toBe('a_b')
  expect(names.get('flows.order')).toBe('order')
  expect(names.get('plug#in')).toBe('plug_in')
  const all = [...names.values()]
  expect(new Set(all).size).toBe(all.length)
  for (const name of all) expect(name).toMatch(/^[\w-]{1,64}$/)
})

describe('resources', () => {
  const upload = async (key: string, passages: string[], index = true) => {
    const { body } = await scene.call('PUT', '/v1/files', {
      headers: scene.asBot,
      body: { key, size: 1, index },
    })
    await scene.call('PUT', `/v1/files/${body.file.id}/passages`, {
      headers: scene.asBot,
      body: { passages: passages.map((content) => ({ content })) },
    })
    return body.file.id as string
  }
  let manual: string
  let secret: string
  beforeAll(async () => {
    manual = await upload('manual.txt', ['Press the red button to reset.', 'Then wait.'])
    secret = await upload('secret.txt', ['hidden'], false)
  })

  test('are the indexed files', async () => {
    const { resources } = await client.listResources()
    expect(resources).toEqual([
      expect.objectContaining({ uri: `botstead://files/${manual}`, name: 'manual.txt' }),
    ])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates[0]!.uriTemplate).toBe('botstead://files/{id}{?from}')
  })

  test('have the text of the file', async () => {
    const { contents } = await client.readResource({ uri: `botstead://files/${manual}` })
    expect(contents).toEqual([
      {
        uri: `botstead://files/${manual}`,
        mimeType: 'text/plain',
        text: 'Press the red button to reset.\n\nThen wait.',
      },
    ])
    const rest = await client.readResource({ uri: `botstead://files/${manual}?from=1` })
    expect(rest.contents[0]).toMatchObject({ text: 'Then wait.' })
  })

  test('of much text come in parts', async () => {
    const id = await upload(
      'long.txt',
      Array.from({ length: 250 }, (_, i) => `${i} ${'x'.repeat(996)}`),
    )
    const parts: string[] = []
    let uri: string | undefined = `botstead://files/${id}`
    while (uri !== undefined) {
      const { contents } = await client.readResource({ uri })
      const { text } = contents[0] as { text: string }
      expect(text.length).toBeLessThan(102_000)
      uri = /\[Continued in (\S+)\]$/.exec(text)?.[1]
      parts.push(...text.split('\n\n').filter((part) => !part.startsWith('[')))
    }
    expect(parts.map((part) => Number(part.split(' ')[0]))).toEqual(
      Array.from({ length: 250 }, (_, i) => i),
    )
  })

  test.each([
    ['another file', () => `botstead://files/${secret}`],
    ['an unknown file', () => 'botstead://files/file_none'],
    ['the key of a file', () => 'botstead://files/manual.txt'],
    ['another scheme', () => 'file:///etc/passwd'],
    ['a path', () => `botstead://files/../${manual}`],
  ])('do not include %s', async (_, uri) => {
    await expect(client.readResource({ uri: uri() })).rejects.toThrow('was not found')
  })

  test('can be searched', async () => {
    const result = await call('search_knowledge', { query: 'how do I reset it?' })
    const { passages } = result.structuredContent as {
      passages: Record<string, unknown>[]
    }
    expect(passages[0]).toMatchObject({
      file: 'manual.txt',
      uri: `botstead://files/${manual}`,
    })
    expect(String(passages[0]!.content)).toContain('red button')
    expect(result.structuredContent).not.toHaveProperty('curatedAnswer')
    expect((await call('search_knowledge', { query: 'x', limit: 1000 })).isError).toBe(
      true,
    )
    expect((await call('search_knowledge', { query: 'é'.repeat(600) })).isError).toBe(
      true,
    )
  })
})

test('a search returns the answer that people wrote to the question', async () => {
  const body = {
    questions: ['Who feeds the office cat?'],
    text: 'Ana does.',
    buttons: [{ label: 'Call Ana', value: 'I call Ana' }],
    imageUrl: 'https://example.org/cat.png',
    validFrom: '2020-01-01T00:00:00Z',
  }
  const path = '/v1/platform/curated-answers'
  const { id } = (await scene.call('POST', path, { headers: scene.asBot, body })).body
    .curatedAnswer
  const find = async (query: string) =>
    (await call('search_knowledge', { query })).structuredContent as {
      curatedAnswer?: object
    }
  expect((await find('who feeds the office cat')).curatedAnswer).toEqual({
    question: 'Who feeds the office cat?',
    text: 'Ana does.',
    buttons: body.buttons,
    imageUrl: body.imageUrl,
  })
  expect((await find('who feeds the office dog')).curatedAnswer).toBe(undefined)
  const ended = { validTo: '2020-02-01T00:00:00Z' }
  await scene.call('PUT', `${path}/${id}`, { headers: scene.asBot, body: ended })
  expect((await find('who feeds the office cat')).curatedAnswer).toBe(undefined)
})

describe('requests', () => {
  const create = async (path: string, body: object) =>
    (await scene.call('POST', path, { headers: scene.admin, body })).body

  test('need a token of the bot', async () => {
    const none = await post(undefined, { authorization: '' })
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    const { bot } = await create('/v1/admin/bots', { name: 'other' })
    const key = await create('/v1/admin/bots/baks', { botId: scene.botId, note: 'mcp' })
    const foreign = await create('/v1/admin/bots/baks', { botId: bot.id, note: 'mcp' })
    expect((await post(undefined, { authorization: `Bearer ${key.value}` })).status).toBe(
      200,
    )
    expect(
      (await post(undefined, { authorization: `Bearer ${foreign.value}` })).status,
    ).toBe(403)
    expect((await post(undefined, {}, `${origin}/mcp/bot_none`)).status).toBe(404)
  })

  test('of viewers list tools and search, but call no actions', async () => {
    const { db } = scene.app.services
    await db.updateTable('workspace_member').set({ role: 'viewer' }).execute()
    await scene.app.services.invalidate({ accountId: scene.accountId })
    try {
      expect((await client.listTools()).tools.length).toBeGreaterThan(5)
      const result = await call('add', { a: 1, b: 2 })
      expect([result.isError, textIn(result)]).toEqual([
        true,
        expect.stringContaining('require the permission data.write'),
      ])
      expect((await call('search_knowledge', { query: 'reset' })).isError).toBeFalsy()
    } finally {
      await db.updateTable('workspace_member').set({ role: 'owner' }).execute()
      await scene.app.services.invalidate({ accountId: scene.accountId })
    }
  })

  test('from pages of other origins are rejected', async () => {
    const { host } = new URL(origin)
    expect((await post(undefined, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(undefined, { origin: 'null' })).status).toBe(403)
    expect((await post(undefined, { origin: `http://${host}` })).status).toBe(200)
  })

  test('other than POST are not allowed', async () => {
    for (const method of ['GET', 'DELETE']) {
      const reply = await fetch(url, { method, headers: { accept: 'text/event-stream' } })
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  test('with malformed messages are rejected', async () => {
    expect((await post('{')).status).toBe(400)
    expect((await post([])).status).toBe(400)
    expect((await post({ id: 1 })).status).toBe(400)
    expect(
      (
        await post({
          jsonrpc: '2.0',
          id: 1,
          method: 'ping',
          params: 'x'.repeat(1_048_600),
        })
      ).status,
    ).toBe(413)
    expect((await post(undefined, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(
      400,
    )
    const unknown = await post({ jsonrpc: '2.0', id: 7, method: 'none' })
    expect(await unknown.json()).toMatchObject({ id: 7, error: { code: -32_601 } })
  })

  test('are answered with JSON, also for clients that do not name streams', async () => {
    for (const accept of ['application/json', '*/*']) {
      const reply = await post(undefined, { accept })
      expect([reply.status, reply.headers.get('content-type')]).toEqual([
        200,
        'application/json; charset=utf-8',
      ])
      expect(await reply.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    }
  })

  test('that fail unexpectedly show an id in the log, not the reason', async () => {
    const { db } = scene.app.services
    await sql`alter table bot_plugin rename to renamed`.execute(db)
    try {
      for (const failing of [client.listTools(), call('add', { a: 1, b: 2 })]) {
        const { message } = await failing.then(
          () => ({ message: 'no error' }),
          (error: Error) => error,
        )
        expect(message).toMatch(/Internal error: search the server's log .*\(err_\w+\)$/)
        expect(message).not.toContain('bot_plugin')
      }
    } finally {
      await sql`alter table renamed rename to bot_plugin`.execute(db)
    }
  })

  test('that are notifications get 202', async () => {
    const reply = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([reply.status, await reply.text()]).toEqual([202, ''])
  })

  test('that their client ends do not end the action', async () => {
    const ended = new AbortController()
    const params = { name: 'slow', arguments: { mark: 'abandoned' } }
    const slow = fetch(url, {
      method: 'POST',
      signal: ended.signal,
      headers: {
        authorization: `Bearer ${scene.token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    setTimeout(() => ended.abort(), 50)
    await expect(slow).rejects.toThrow()
    await expect
      .poll(() =>
        scene.app.services.db
          .selectFrom('action_run')
          .select(['input', 'succeeded'])
          .execute(),
      )
      .toContainEqual({ input: { mark: 'abandoned' }, succeeded: true })
  })
})

describe('flows', () => {
  const document = {
    kind: 'bot',
    version: 2,
    variables: { bot: { orders: { type: 'number', default: 0 } } },
    flows: {
      main: {
        nodes: { start: { type: 'start', cards: [{ type: 'send', message: 'hi' }] } },
      },
      order: {
        tool: { title: 'Order', description: 'Orders an item' },
        inputs: { item: { type: 'string' }, count: { type: 'number', default: 1 } },
        outputs: { total: { type: 'number' }, note: { type: 'string' } },
        nodes: {
          begin: {
            type: 'entry',
            cards: [
              {
                type: 'callFlow',
                flow: 'price',
                inputs: { item: '{{ workflow.item }}' },
                outputs: { price: 'workflow.total' },
              },
              {
                type: 'code',
                code: 'workflow.total = workflow.total * workflow.count; bot.orders += 1',
              },
            ],
          },
        },
      },
      price: {
        inputs: { item: { type: 'string' } },
        outputs: { price: { type: 'number' } },
        nodes: {
          begin: {
            type: 'entry',
            cards: [
              {
                type: 'code',
                code: "if (workflow.item === 'gold') throw new Error('We have no gold')\nworkflow.price = 5",
              },
            ],
          },
        },
      },
    },
  }

  test('that are tools run without a conversation', async () => {
    const publish = await scene.call(
      'POST',
      `/v1/admin/bots/${scene.botId}/publish-from-bot-json`,
      {
        headers: scene.admin,
        body: { botJson: document },
      },
    )
    expect([publish.status, publish.body.message]).toEqual([200, undefined])
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['order', 'search_knowledge'])
    expect(tools[0]).toMatchObject({
      title: 'Order',
      inputSchema: { required: ['item'], properties: { count: { default: 1 } } },
    })
    expect((await call('order', { item: 'tea', count: 3 })).structuredContent).toEqual({
      total: 15,
    })
    expect((await call('order', { item: 'tea' })).structuredContent).toEqual({ total: 5 })
    const failed = await call('order', { item: 'gold' })
    expect([failed.isError, textIn(failed)]).toEqual([
      true,
      expect.stringContaining('We have no gold'),
    ])
    expect((await call('order', {})).isError).toBe(true)
    const exported = await scene.call('GET', `/v1/admin/bots/${scene.botId}/bot-json`, {
      headers: scene.admin,
    })
    const { actions: own, flows } = exported.body
    expect([own, flows.order.tool.title]).toEqual([{}, 'Order'])
  }, 30_000)
})

describe('absent members that are null', () => {
  test.each<[string, object]>([
    ['params', { id: 1, method: 'tools/list', params: null }],
    ['a cursor', { id: 1, method: 'tools/list', params: { cursor: null, _meta: null } }],
    [
      'a token',
      { id: 1, method: 'tools/list', params: { _meta: { progressToken: null } } },
    ],
    [
      'arguments',
      { id: 1, method: 'tools/call', params: { name: 'odd_name', arguments: null } },
    ],
  ])('%s', async (_, message) => {
    const reply = await post({ jsonrpc: '2.0', ...message })
    expect([reply.status, await reply.json()]).toEqual([
      200,
      expect.objectContaining({ id: 1 }),
    ])
  })

  test('of arguments reach the search', async () => {
    const params = { name: 'search_knowledge', arguments: null }
    const reply = await post({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params })
    expect(await reply.json()).toMatchObject({ id: 'a', result: { isError: true } })
  })

  test('of optional arguments leave their default', async () => {
    const params = { name: 'search_knowledge', arguments: { query: 'x', limit: null } }
    const reply = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { result } = (await reply.json()) as { result: CallToolResult }
    expect(result).toMatchObject({ structuredContent: { passages: expect.any(Array) } })
  })

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'of a client of revision %s leave it unnamed',
    async (protocolVersion) => {
      const given = { protocolVersion, capabilities: null, clientInfo: null }
      const reply = await post({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: given,
      })
      expect(await reply.json()).toMatchObject({ result: { protocolVersion } })
    },
  )

  test('the id of a notification', async () => {
    const message = {
      jsonrpc: '2.0',
      id: null,
      method: 'notifications/cancelled',
      params: null,
    }
    expect((await post(message)).status).toBe(202)
  })
})

test.each<[unknown, number, unknown]>([
  [{ jsonrpc: '2.0', id: null, method: 'ping' }, -32_600, null],
  [{ jsonrpc: '2.0', id: {}, method: 'ping' }, -32_600, null],
  [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, -32_600, null],
  [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32_600, 1],
  [{ jsonrpc: '2.0', id: 1 }, -32_600, 1],
  [{ jsonrpc: '2.0', id: 1, method: 5 }, -32_600, 1],
  [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: [] }, -32_602, 1],
  [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 5 } }, -32_602, 1],
  [{ jsonrpc: '2.0', id: 's', method: 'tools/call', params: {} }, -32_602, 's'],
  [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: null }, -32_602, 1],
  [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'add', arguments: 'x' },
    },
    -32_602,
    1,
  ],
  [
    { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: null } },
    -32_602,
    1,
  ],
])('answers %j with an error of the protocol', async (message, code, id) => {
  const reply = await post(message)
  const { error, ...rest } = (await reply.json()) as {
    error: { code: number; message: string }
  }
  expect([reply.status, rest]).toEqual([400, { jsonrpc: '2.0', id }])
  expect([error.code, error.message]).toEqual([code, expect.not.stringContaining('[')])
})

describe('batches', () => {
  const batch = [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 'b', method: 'tools/list', params: null },
    { jsonrpc: '2.0', id: 3, method: 'none' },
    5,
  ]

  test.each([undefined, '2025-03-26', '2024-11-05'])(
    'are answered together in %s',
    async (revision) => {
      const reply = await post(
        batch,
        revision ? { 'mcp-protocol-version': revision } : {},
      )
      expect([reply.status, await reply.json()]).toEqual([
        200,
        [
          { jsonrpc: '2.0', id: 1, result: {} },
          expect.objectContaining({
            id: 'b',
            result: expect.objectContaining({ tools: expect.anything() }),
          }),
          expect.objectContaining({
            id: 3,
            error: expect.objectContaining({ code: -32_601 }),
          }),
          expect.objectContaining({
            id: null,
            error: expect.objectContaining({ code: -32_600 }),
          }),
        ],
      ])
    },
  )

  test('of notifications get 202', async () => {
    expect((await post([batch[1]])).status).toBe(202)
  })

  test.each([
    ['empty', [], {}],
    ['too long', Array.from({ length: 101 }, () => batch[0]), {}],
    ['of a later revision', batch, { 'mcp-protocol-version': '2025-06-18' }],
  ])('%s are rejected', async (_, messages, headers) => {
    const reply = await post(messages, headers)
    expect([reply.status, await reply.json()]).toEqual([
      400,
      expect.objectContaining({ error: expect.objectContaining({ code: -32_600 }) }),
    ])
  })
})

describe('the revision 2026-07-28', () => {
  beforeAll(() => updateBot({ actions, code }))

  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  }
  const ask = (
    method: string,
    params: object = {},
    headers: Record<string, string> = {},
  ) =>
    post(
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...headers },
    )

  test('describes the server', async () => {
    const reply = await ask('server/discover')
    const { result } = (await reply.json()) as { result: { supportedVersions: string[] } }
    expect(result).toMatchObject({
      resultType: 'complete',
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: `botstead-${scene.botId}` },
    })
    expect(result.supportedVersions).toEqual(
      expect.arrayContaining([
        '2026-07-28',
        '2025-11-25',
        '2025-06-18',
        '2025-03-26',
        '2024-11-05',
      ]),
    )
  })

  test('lists and calls tools without a handshake', async () => {
    const { result: list } = (await (await ask('tools/list')).json()) as Record<
      string,
      object
    >
    expect(list).toMatchObject({
      resultType: 'complete',
      cacheScope: 'private',
      ttlMs: 0,
    })
    const named = { 'mcp-name': 'add' }
    const sent = { name: 'add', arguments: { a: 1, b: 2 } }
    const { result } = (await (await ask('tools/call', sent, named)).json()) as Record<
      string,
      object
    >
    expect(result).toMatchObject({
      resultType: 'complete',
      structuredContent: { sum: 3 },
    })
    const coded = { 'mcp-name': `=?base64?${Buffer.from('add').toString('base64')}?=` }
    expect((await ask('tools/call', sent, coded)).status).toBe(200)
  })

  test('streams progress with a typed result', async () => {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'slow', _meta: { ...meta, progressToken: 'p' } },
    }
    const text = await (await post(message)).text()
    expect(text).toContain('notifications/progress')
    expect(text).toContain('"resultType":"complete"')
  })

  test.each<[string, object, Record<string, string>, number, number]>([
    ['another method in the header', {}, { 'mcp-method': 'tools/call' }, 400, -32_020],
    ['another name in the header', { name: 'add' }, { 'mcp-name': 'fail' }, 400, -32_020],
    [
      'another revision in the header',
      {},
      { 'mcp-protocol-version': '2025-11-25' },
      400,
      -32_020,
    ],
    ['an unknown revision', {}, { 'mcp-protocol-version': '2030-01-01' }, 400, -32_022],
  ])('rejects %s', async (_, params, headers, status, code) => {
    const reply = await ask('tools/list', params, headers)
    const { error } = (await reply.json()) as { error: object }
    expect([reply.status, error]).toEqual([status, expect.objectContaining({ code })])
  })

  test('rejects an unknown revision in the message with those that it speaks', async () => {
    const _meta = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' }
    const reply = await post({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { _meta },
    })
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      {
        error: {
          code: -32_022,
          data: { requested: '2030-01-01', supported: expect.any(Array) },
        },
      },
    ])
  })

  test('has no handshake', async () => {
    for (const method of ['initialize', 'ping', 'none']) {
      const reply = await ask(method)
      expect([reply.status, await reply.json()]).toMatchObject([
        404,
        { error: { code: -32_601 } },
      ])
    }
  })

  test('demands the revision and the capabilities in each request', async () => {
    const headers = { 'mcp-protocol-version': '2026-07-28' }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect(await (await post(message, headers)).json()).toMatchObject({
      error: { code: -32_602 },
    })
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const reply = await post({ ...message, params: { _meta } }, headers)
    expect(await reply.json()).toMatchObject({ error: { code: -32_602 } })
  })

  test('is not a revision of the handshake', async () => {
    const params = {
      protocolVersion: '2026-07-28',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    }
    const reply = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(await reply.json()).toMatchObject({
      result: { protocolVersion: '2025-11-25' },
    })
  })
})
