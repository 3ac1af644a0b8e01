// MCP servers that are installed in bots: their tools as actions, their keys, and hostile servers.
import type { ServerResponse } from 'node:http'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  openMcpServer,
  openPlainServer,
  type TestServer,
} from '../../../test/support/mcp.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'

let scene: Scene
const servers: TestServer[] = []

beforeAll(async () => {
  scene = await openScene({ code: 'exports.handler = () => ({ status: 200 })' })
}, 60_000)
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})
afterAll(() => scene?.close())

async function keep(opening: Promise<TestServer>): Promise<TestServer> {
  const server = await opening
  servers.push(server)
  return server
}

const path = (name: string) => `/v1/platform/bots/${scene.botId}/mcp-servers/${name}`
const install = (name: string, body: object, botId = scene.botId) =>
  scene.call('PUT', `/v1/platform/bots/${botId}/mcp-servers/${name}`, {
    headers: scene.admin,
    body,
  })
const get = (name: string, query = '') =>
  scene.call('GET', path(name) + query, { headers: scene.admin })
const callAction = (type: string, input: object = {}, headers = scene.asBot) =>
  scene.call('POST', '/v1/chat/actions', { headers, body: { type, input } })

/** Makes a server with the official library. */
function makeServer({
  more = false,
  called = () => {},
}: {
  more?: boolean
  called?: () => void
} = {}) {
  const server = new McpServer({ name: 'shop', version: '1' })
  server.registerTool(
    'add',
    {
      title: 'Add',
      description: 'Adds two numbers',
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
    },
    ({ a, b }) => {
      called()
      const output = { sum: a + b }
      return {
        content: [{ type: 'text', text: JSON.stringify(output) }],
        structuredContent: output,
      }
    },
  )
  server.registerTool('say', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }))
  server.registerTool('fail', {}, () => ({
    content: [{ type: 'text', text: 'Sold out' }],
    isError: true,
  }))
  if (more)
    server.registerTool('more', {}, () => ({ content: [{ type: 'text', text: 'more' }] }))
  return server
}

describe('a server of the official library', () => {
  test.each([
    ['with sessions and streams', { sessions: true }],
    ['with sessions and JSON', { sessions: true, json: true }],
    ['without sessions, with streams', {}],
    ['without sessions, with JSON', { json: true }],
  ])('%s is called by its tools', async (_, mode) => {
    const server = await keep(openMcpServer(makeServer, mode))
    await install('shop', { url: server.url })
    expect(await callAction('shop:add', { a: 1, b: 2 })).toMatchObject({
      status: 200,
      body: { output: { sum: 3 }, meta: { cached: false } },
    })
    expect((await callAction('shop:say')).body.output).toEqual({
      text: 'hello',
      content: [{ type: 'text', text: 'hello' }],
    })
    expect((await callAction('shop:fail')).body).toMatchObject({
      type: 'Runtime',
      message: 'Sold out',
    })
    if ('sessions' in mode)
      await expect
        .poll(() => server.requests.filter(({ method }) => method === 'DELETE').length)
        .toBe(4)
    expect(server.requests.some(({ method }) => method === 'GET')).toBe(false)
  })

  test('shows a tool to the code of its bot', async () => {
    const server = await keep(openMcpServer(makeServer))
    await install('described', { url: server.url })
    const ask = (action: string) =>
      scene.call('GET', `/v1/platform/mcp-tool?action=${action}`, {
        headers: scene.asBot,
      })
    expect((await ask('described:add')).body.tool).toMatchObject({
      name: 'add',
      action: 'described:add',
      description: 'Adds two numbers',
      inputSchema: { required: ['a', 'b'] },
    })
    expect((await ask('described:none')).body.type).toBe('ReferenceNotFound')
    for (const action of ['nobody:add', 'described', '__proto__:x'])
      expect((await ask(action)).body.type).toBe('ResourceNotFound')
  })

  test('names the host of a server that it cannot reach', async () => {
    await install('absent', { url: 'http://127.0.0.1:1/mcp?key=hidden' })
    const { body } = await get('absent', '?refresh=true')
    const text = JSON.stringify(body)
    expect(body).toMatchObject({ type: 'Runtime' })
    expect(body.message).toMatch(
      /The server cannot reach "127\.0\.0\.1:1": .*ECONNREFUSED/,
    )
    expect(text).not.toContain('hidden')
  })

  test('shows its tools', async () => {
    const server = await keep(openMcpServer(makeServer))
    const installed = await install('shown', { url: server.url })
    expect(installed).toMatchObject({
      status: 200,
      body: { server: { name: 'shown', hasKey: false, enabled: true } },
    })
    expect((await get('shown')).body.tools).toEqual([])
    const { body } = await get('shown', '?refresh=true')
    expect(body.tools.map(({ action }: { action: string }) => action).sort()).toEqual([
      'shown:add',
      'shown:fail',
      'shown:say',
    ])
    expect(body.tools).toContainEqual(
      expect.objectContaining({
        name: 'add',
        title: 'Add',
        description: 'Adds two numbers',
      }),
    )
    expect((await get('shown')).body).toEqual(body)
    const listed = await scene.call('GET', path(''), { headers: scene.admin })
    expect(listed.body.servers).toContainEqual(body.server)
  })

  test('is not called with an input that its schema rejects', async () => {
    let calls = 0
    const server = await keep(openMcpServer(() => makeServer({ called: () => calls++ })))
    await install('checked', { url: server.url })
    expect((await callAction('checked:add', { a: 1, b: 'two' })).body).toMatchObject({
      type: 'InvalidPayload',
      message: 'input: /b must be number',
    })
    expect(calls).toBe(0)
    expect((await callAction('checked:none')).body).toMatchObject({
      type: 'ReferenceNotFound',
      message: 'MCP server "checked" has no tool "none"',
    })
    expect((await callAction('unknown:add')).body.type).toBe('ReferenceNotFound')
  })

  test('may get new tools', async () => {
    let more = false
    const server = await keep(openMcpServer(() => makeServer({ more })))
    await install('growing', { url: server.url })
    expect((await callAction('growing:more')).status).toBe(400)
    more = true
    const { db } = scene.app.services
    await sql`update bot_mcp_server set tools_at = now() - interval '11 seconds'`.execute(
      db,
    )
    expect((await callAction('growing:more')).status).toBe(200)
    await sql`update bot_mcp_server set tools_at = now() - interval '6 minutes'`.execute(
      db,
    )
    await server.close()
    expect((await callAction('growing:say')).body.type).toBe('Runtime')
  })

  test('is disabled and removed', async () => {
    const server = await keep(openMcpServer(makeServer))
    await install('brief', { url: server.url, enabled: false })
    expect((await callAction('brief:say')).body.type).toBe('ReferenceNotFound')
    await install('brief', { url: server.url })
    expect((await callAction('brief:say')).status).toBe(200)
    expect(
      (await scene.call('DELETE', path('brief'), { headers: scene.admin })).status,
    ).toBe(200)
    expect((await callAction('brief:say')).body.type).toBe('ReferenceNotFound')
    expect((await get('brief')).status).toBe(404)
  })

  test('records its calls with those of other actions', async () => {
    const server = await keep(openMcpServer(makeServer))
    await install('recorded', { url: server.url })
    await callAction('recorded:add', { a: 2, b: 2 })
    const { db } = scene.app.services
    await expect
      .poll(() =>
        db.selectFrom('action_run').selectAll().where('alias', '=', 'recorded').execute(),
      )
      .toEqual([
        expect.objectContaining({ action: 'add', output: { sum: 4 }, succeeded: true }),
      ])
  })
})

describe('keys', () => {
  const key = 'mcp-key-0123456789abcdef'

  test('are sent to the server, and shown nowhere', async () => {
    const server = await keep(openMcpServer(makeServer))
    const made = await install('keyed', { url: server.url, key })
    expect(made.body.server.hasKey).toBe(true)
    expect((await callAction('keyed:say')).status).toBe(200)
    expect(
      server.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`),
    ).toBe(true)
    const { rows } = await sql<{ row: string }>`
      select bot_mcp_server::text as row from bot_mcp_server where name = 'keyed'`.execute(
      scene.app.services.db,
    )
    const shown = JSON.stringify([made, await get('keyed'), rows])
    expect(shown).not.toContain(key)
    expect(shown).not.toContain(Buffer.from(key).toString('hex'))
  })

  test('may have another header', async () => {
    const server = await keep(openMcpServer(makeServer))
    await install('header', { url: server.url, key, keyHeader: 'X-Api-Key' })
    expect((await callAction('header:say')).status).toBe(200)
    expect(server.requests[0]!.headers).toMatchObject({ 'x-api-key': key })
    expect(server.requests[0]!.headers.authorization).toBeUndefined()
    for (const keyHeader of ['host', 'content-length', 'mcp-session-id', 'a b', 'x:y'])
      expect((await install('header', { url: server.url, keyHeader })).status).toBe(400)
  })

  test('stay only with their address', async () => {
    const server = await keep(openMcpServer(makeServer))
    await install('moving', { url: server.url, key })
    expect((await install('moving', { url: server.url })).body.server.hasKey).toBe(true)
    expect(
      (await install('moving', { url: `${server.url}/other` })).body.server.hasKey,
    ).toBe(false)
    expect((await install('moving', { url: server.url })).body.server.hasKey).toBe(false)
  })

  test('do not appear in errors that quote them', async () => {
    const server = await keep(
      openPlainServer((request, response) => {
        response.writeHead(400).end(`You sent ${request.headers.authorization}`)
      }),
    )
    await install('quoting', { url: server.url, key })
    const { body } = await callAction('quoting:say')
    expect(body.message).toContain('You sent Bearer …')
    expect(JSON.stringify(body)).not.toContain(key)
  })

  test.each<[string, (key: string) => string]>([
    ['whole', (sent) => sent],
    ['in capitals', (sent) => sent.toUpperCase()],
    ['in base64', btoa],
    ['in a URL', (sent) => `https://example.org/?key=${encodeURIComponent(sent)}`],
    ['its beginning', (sent) => `${sent.slice(0, 10)}***`],
  ])('do not appear in the error of a tool that quotes them %s', async (how, quote) => {
    const server = await keep(
      openMcpServer(() => {
        const made = makeServer()
        made.registerTool('quote', {}, ({ requestInfo }) => {
          const sent = String(requestInfo?.headers['x-key'])
          return {
            isError: true,
            content: [{ type: 'text', text: `wrong key: ${quote(sent)}!` }],
          }
        })
        return made
      }),
    )
    const alias = `tool-${how.replaceAll(' ', '-')}`
    await install(alias, { url: server.url, key, keyHeader: 'x-key' })
    const { body } = await callAction(`${alias}:quote`)
    expect(body.message).toMatch(/^wrong key: .*…/)
    expect(body.message.toLowerCase()).not.toContain(quote(key).slice(-8).toLowerCase())
    expect(body.message.toLowerCase()).not.toContain(key.slice(0, 10).toLowerCase())
  })
})

describe('settings', () => {
  test.each([
    [
      'an address that is not allowed',
      'meta',
      { url: 'http://169.254.169.254/mcp' },
      'InvalidPayload',
    ],
    ['another scheme', 'ftp', { url: 'ftp://example.org' }, 'InvalidPayload'],
    ['a name with a colon', 'a:b', { url: 'https://example.org' }, 'InvalidPayload'],
    [
      'a reserved key as its name',
      '__proto__',
      { url: 'https://example.org' },
      'InvalidPayload',
    ],
    [
      'the name of an integration',
      'chat',
      { url: 'https://example.org' },
      'RelationConflict',
    ],
  ])('reject %s', async (_, name, body, type) => {
    expect((await install(encodeURIComponent(name), body)).body).toMatchObject({ type })
  })

  test('reject a name that resolves to an address that is not allowed', async () => {
    const guarded = await openScene({
      lookUp: async () => [{ address: '169.254.169.254', family: 4 }] as never,
    })
    try {
      await guarded.call('PUT', `/v1/platform/bots/${guarded.botId}/mcp-servers/inner`, {
        headers: guarded.admin,
        body: { url: 'http://inner.example.org/mcp' },
      })
      const { body } = await guarded.call('POST', '/v1/chat/actions', {
        headers: guarded.asBot,
        body: { type: 'inner:tool', input: {} },
      })
      expect(body).toMatchObject({
        type: 'Runtime',
        message: expect.stringContaining('address that this server does not connect to'),
      })
    } finally {
      await guarded.close()
    }
  })

  test('belong to people, not to the code of the bot', async () => {
    const { body } = await scene.call('POST', '/v1/admin/bots/baks', {
      headers: scene.admin,
      body: { botId: scene.botId, note: 'mcp' },
    })
    const headers = {
      authorization: `Bearer ${body.value}`,
      'x-workspace-id': scene.workspaceId,
    }
    const { status } = await scene.call('PUT', path('own'), {
      headers,
      body: { url: 'https://example.org' },
    })
    expect(status).toBe(403)
  })

  test('limit the number of servers', async () => {
    const { body } = await scene.call('POST', '/v1/admin/bots', {
      headers: scene.admin,
      body: {},
    })
    const url = 'https://example.org'
    for (let i = 0; i < 20; i++)
      expect((await install(`s${i}`, { url }, body.bot.id)).status).toBe(200)
    expect((await install('s20', { url }, body.bot.id)).body.type).toBe('LimitExceeded')
    expect((await install('s19', { url }, body.bot.id)).status).toBe(200)
  })
})

interface Message {
  id?: number
  method: string
}

const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'x', version: '1' },
}
const reply = (response: ServerResponse, id: unknown, result: unknown) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
const openStream = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' })
const plainTool = { name: 'tool', inputSchema: { type: 'object' } }

/** A server that behaves until `answer` takes a message. */
const openHostile = (
  answer: (message: Message, response: ServerResponse) => boolean | undefined,
) =>
  keep(
    openPlainServer((_request, response, body) => {
      const message = JSON.parse(body || '{}') as Message
      if (answer(message, response)) return
      if (message.method === 'initialize') return reply(response, message.id, initialized)
      if (message.method === 'tools/list')
        return reply(response, message.id, { tools: [plainTool] })
      if (message.method === 'tools/call')
        return reply(response, message.id, {
          content: [],
          structuredContent: { ok: true },
        })
      response.writeHead(202).end()
    }),
  )

describe('a hostile server', () => {
  let strict: Scene
  beforeAll(async () => {
    strict = await openScene({
      config: { limits: { ...scene.app.services.limits, integrationSeconds: 2 } },
    })
  }, 60_000)
  afterAll(() => strict?.close())

  /** Installs the server, and calls a tool. */
  async function attempt(server: TestServer, type = 'evil:tool') {
    const at = `/v1/platform/bots/${strict.botId}/mcp-servers/evil`
    const made = await strict.call('PUT', at, {
      headers: strict.admin,
      body: { url: server.url, enabled: true },
    })
    expect(made.status).toBe(200)
    const begun = performance.now()
    const { body, status } = await strict.call('POST', '/v1/chat/actions', {
      headers: strict.asBot,
      body: { type, input: {} },
    })
    expect(performance.now() - begun).toBeLessThan(10_000)
    return { status, body, type: body.type, message: String(body.message) }
  }
  const on = (
    method: string,
    answer: (response: ServerResponse, id: unknown) => unknown,
  ) =>
    openHostile((message, response) => {
      if (message.method !== method) return false
      answer(response, message.id)
      return true
    })

  test('that behaves is called', async () => {
    const { body } = await attempt(await openHostile(() => false))
    expect(body.output).toEqual({ ok: true })
  })

  test.each(['initialize', 'tools/list', 'tools/call'])(
    'cannot delay by silence in %s',
    async (method) => {
      const { type, message } = await attempt(await on(method, () => {}))
      expect([type, message]).toEqual([
        'OperationTimeout',
        expect.stringContaining('2000 ms'),
      ])
    },
  )

  test('cannot delay by an endless stream of events', async () => {
    const { type } = await attempt(
      await on('tools/call', (response) => {
        openStream(response)
        const timer = setInterval(() => response.write(': still here\n\n'), 20)
        response.on('close', () => clearInterval(timer))
      }),
    )
    expect(type).toBe('OperationTimeout')
  })

  test('cannot keep the call open after its answer', async () => {
    let closed = false
    const server = await on('tools/call', (response, id) => {
      openStream(response)
      const text = JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: { content: [], structuredContent: { n: 1 } },
      })
      response.write(`event: message\r\ndata: ${text}\r\n\r\n`)
      response.on('close', () => {
        closed = true
      })
    })
    expect((await attempt(server)).body.output).toEqual({ n: 1 })
    await expect.poll(() => closed).toBe(true)
  })

  test('cannot end its stream without an answer', async () => {
    const { type, message } = await attempt(
      await on('tools/call', (response) =>
        openStream(response).end('data: {"jsonrpc":"2.0","id":99,"result":{}}\n\n'),
      ),
    )
    expect([type, message]).toEqual([
      'Runtime',
      expect.stringContaining('without an answer'),
    ])
  })

  test.each([
    [
      'one line of a stream',
      (response: ServerResponse) => openStream(response).write('data: '),
    ],
    [
      'JSON',
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-type': 'application/json' }),
    ],
  ])('cannot flood with %s', async (_, begin) => {
    const { type, message } = await attempt(
      await on('tools/call', (response) => {
        begin(response)
        const flood = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        }
        response.on('drain', flood)
        flood()
      }),
    )
    expect([type, message]).toEqual(['Runtime', expect.stringContaining('exceed')])
  })

  test('cannot offer too many tools, or endless pages', async () => {
    const many = Array.from({ length: 501 }, (_, i) => ({ ...plainTool, name: `t${i}` }))
    const listed = await attempt(
      await on('tools/list', (response, id) => reply(response, id, { tools: many })),
    )
    expect(listed.message).toContain('more than 500 tools')
    let pages = 0
    const endless = await attempt(
      await on('tools/list', (response, id) => {
        pages++
        reply(response, id, { tools: [], nextCursor: String(pages) })
      }),
    )
    expect([endless.type, pages]).toEqual(['ReferenceNotFound', 50])
  })

  test('cannot redirect', async () => {
    let reached = false
    const inner = await keep(
      openPlainServer((_request, response) => {
        reached = true
        response.end()
      }),
    )
    const { type } = await attempt(
      await on('tools/call', (response) =>
        response.writeHead(307, { location: inner.url }).end(),
      ),
    )
    expect([type, reached]).toEqual(['Runtime', false])
  })

  test('cannot occupy the server with a schema', async () => {
    const level = (n: number): object =>
      n === 0
        ? { type: 'string' }
        : { anyOf: Array(30).fill({ $ref: `#/$defs/l${n - 1}` }) }
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`l${n}`, level(n)]),
    )
    const bomb = { type: 'object', $defs, anyOf: [{ $ref: '#/$defs/l29' }] }
    const slow = { type: 'object', patternProperties: { '^(a+)+$': {} }, required: ['b'] }
    const deep = JSON.parse(`${'{"items":'.repeat(2_000)}{}${'}'.repeat(2_000)}`)
    const tools = [
      { name: 'bomb', inputSchema: bomb },
      { name: 'slow', inputSchema: slow },
      { name: 'deep', inputSchema: { type: 'object', properties: { a: deep } } },
      { name: 'huge', inputSchema: { type: 'object', title: 'x'.repeat(200_000) } },
      { name: '__proto__', inputSchema: { type: 'object' } },
      { name: 'nul\0', inputSchema: { type: 'object' } },
      plainTool,
    ]
    const server = await on('tools/list', (response, id) =>
      reply(response, id, { tools }),
    )
    expect((await attempt(server)).body.output).toEqual({ ok: true })
    for (const name of ['bomb', 'slow', 'deep', 'huge', '__proto__', 'constructor'])
      expect((await attempt(server, `evil:${name}`)).status, name).toBeLessThan(500)
    expect(({} as Record<string, unknown>).inputSchema).toBeUndefined()
  })

  test.each([
    [
      'text instead of JSON',
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    ],
    [
      'garbage',
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
    ],
    [
      'null',
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('null'),
    ],
    ['an odd status', (response: ServerResponse) => response.writeHead(599).end()],
    ['a broken connection', (response: ServerResponse) => response.destroy()],
    [
      'an error',
      (response: ServerResponse) => response.writeHead(500).end('x'.repeat(100_000)),
    ],
  ])('gets an error for %s', async (_, answer) => {
    for (const method of ['initialize', 'tools/list', 'tools/call']) {
      const { status, type, message } = await attempt(await on(method, answer))
      expect([status, type]).toEqual([400, 'Runtime'])
      expect(message.length).toBeLessThan(600)
    }
  })

  test('cannot return prototype keys or wrong outputs', async () => {
    const proto =
      '{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"__proto__":{"polluted":1},"ok":1}}}'
    const server = await on('tools/call', (response, id) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(proto.replace('ID', String(id))),
    )
    expect((await attempt(server)).status).toBeLessThan(500)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const nested = await on('tools/call', (response, id) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(
          `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":${deep}}}`,
        ),
    )
    expect((await attempt(nested)).message).toBe(
      'The result is nested deeper than 64 levels',
    )
    const typed = {
      ...plainTool,
      outputSchema: { type: 'object', properties: { ok: { type: 'number' } } },
    }
    const wrong = await on('tools/list', (response, id) =>
      reply(response, id, { tools: [typed] }),
    )
    expect((await attempt(wrong)).message).toBe('output: /ok must be number')
  })

  test('announces other tools, which the next call lists', async () => {
    let lists = 0
    const server = await openHostile((message, response) => {
      if (message.method === 'tools/list') lists++
      if (message.method !== 'tools/call') return false
      openStream(response)
      const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
      const answer = { jsonrpc: '2.0', id: message.id, result: { content: [] } }
      response.end(
        `data: ${JSON.stringify(changed)}\n\ndata: ${JSON.stringify(answer)}\n\n`,
      )
      return true
    })
    await attempt(server)
    expect(lists).toBe(1)
    await strict.call('POST', '/v1/chat/actions', {
      headers: strict.asBot,
      body: { type: 'evil:tool', input: {} },
    })
    expect(lists).toBe(2)
  })
})

describe('documents', () => {
  const document = (mcpServers?: object) => ({
    kind: 'bot',
    version: 2,
    flows: {
      main: {
        nodes: { start: { type: 'start', cards: [{ type: 'log', message: 'hi' }] } },
      },
      sum: {
        tool: {},
        outputs: { sum: { type: 'any' } },
        nodes: {
          begin: {
            type: 'entry',
            cards: [
              {
                type: 'callAction',
                action: 'calc:add',
                input: { a: 1, b: 2 },
                into: 'workflow.sum',
              },
              {
                type: 'code',
                code: 'workflow.sum = [workflow.sum, await actions.calc.add({ a: 3, b: 4 })]',
              },
            ],
          },
        },
      },
    },
    ...(mcpServers && { mcpServers }),
  })
  const publish = (botId: string, botJson: object) =>
    scene.call('POST', `/v1/admin/bots/${botId}/publish-from-bot-json`, {
      headers: scene.admin,
      body: { botJson },
    })

  test('install servers; flows and code call their tools', async () => {
    const server = await keep(openMcpServer(makeServer))
    const { body: made } = await scene.call('POST', '/v1/admin/bots', {
      headers: scene.admin,
      body: {},
    })
    const { id } = made.bot
    const asBot = { ...scene.asBot, 'x-bot-id': id }
    expect((await publish(id, document({ calc: { url: server.url } }))).status).toBe(200)
    const { body } = await callAction('flows.sum', {}, asBot)
    expect(body.output).toEqual({ sum: [{ sum: 3 }, { sum: 7 }] })
    await install('calc', { url: server.url, key: 'k' }, id)
    await publish(id, document({ calc: { url: server.url } }))
    const list = async () =>
      (
        await scene.call('GET', `/v1/platform/bots/${id}/mcp-servers`, {
          headers: scene.admin,
        })
      ).body.servers
    expect(await list()).toMatchObject([{ name: 'calc', hasKey: true }])
    const exported = await scene.call('GET', `/v1/admin/bots/${id}/bot-json`, {
      headers: scene.admin,
    })
    expect(exported.body.mcpServers).toEqual({ calc: { url: server.url, enabled: true } })
    await publish(id, document())
    expect(await list()).toHaveLength(1)
    await publish(id, document({}))
    expect(await list()).toEqual([])
    const inner = document({ calc: { url: 'http://169.254.169.254/' } })
    expect((await publish(id, inner)).body.message).toContain('mcpServers/calc/url')
  }, 30_000)
})

test('a bot calls an action of another bot through its MCP server', async () => {
  const origin = await scene.listen()
  const { body: made } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: {
      code: `exports.handler = ({ headers, body }) => {
        const { input } = headers['x-bp-operation'] === 'action_triggered' ? JSON.parse(body) : {}
        return { status: 200, body: JSON.stringify({ output: { greeting: 'Hello ' + input?.name } }) }
      }`,
      actions: {
        greet: {
          input: {
            schema: {
              type: 'object',
              properties: { name: { type: 'string' } },
              required: ['name'],
            },
          },
          output: {
            schema: { type: 'object', properties: { greeting: { type: 'string' } } },
          },
        },
      },
    },
  })
  const { body: key } = await scene.call('POST', '/v1/admin/bots/baks', {
    headers: scene.admin,
    body: { botId: made.bot.id, note: 'mcp' },
  })
  await install('friend', { url: `${origin}/mcp/${made.bot.id}`, key: key.value })
  expect((await callAction('friend:greet', { name: 'Ana' })).body.output).toEqual({
    greeting: 'Hello Ana',
  })
  expect((await callAction('friend:greet', {})).body.message).toContain(
    "must have required property 'name'",
  )
}, 30_000)
