// Request targets in absolute form, which proxies pass on: the server serves each by its path, on
// every way in, and builds no URL from its text.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TunnelTail } from '@bpinternal/tunnel'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { expectRejected, rawReply } from '../../../../test/support/raw-http.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'

let scene: Scene
let base: string
let userKey: string
let conversationId: string
beforeAll(async () => {
  scene = await openScene()
  base = await scene.listen()
  const { headers } = await scene.chatUser()
  userKey = headers['x-user-key']!
  const made = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers,
    body: {},
  })
  conversationId = made.body.conversation.id
})
afterAll(() => scene.close())

const head = (method: string, target: string, headers: string[] = [], host = 'here') =>
  `${[`${method} ${target} HTTP/1.1`, `Host: ${host}`, ...headers].join('\r\n')}\r\n\r\n`
const send = (...parts: Parameters<typeof head>) => rawReply(base, head(...parts))
const upgrade = ['connection: Upgrade', 'upgrade: websocket', 'sec-websocket-version: 13']
const handshake = [...upgrade, 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==']
const asKey = () => [`x-user-key: ${userKey}`]
const listenPath = () => `/chat/${scene.webhookId}/conversations/${conversationId}/listen`

/** Authorities that a proxy or a hostile client may write. */
const authorities = [
  'http://other.example',
  'HTTP://other.example:8080',
  'https://other.example',
  'http://[::1]:1',
  'http://user:password@other.example',
  'http://other.example:99999999',
  'http://[broken',
]

describe.each(authorities)('a target that begins with %s', (authority) => {
  test('is served by its path', async () => {
    const path = `/chat/${scene.webhookId}/conversations/${conversationId}`
    expect((await send('GET', `${authority}${path}`, asKey())).status).toBe(200)
    expect((await send('GET', `${authority}/healthz`)).status).toBe(200)
    expectRejected(await send('GET', `${authority}/nothing`), 404)
    expectRejected(await send('GET', `${authority}?a=/healthz`), 404)
    expectRejected(await send('GET', authority), 404)
  })
  test('keeps its query', async () => {
    const path = `/chat/${scene.webhookId}/conversations?nextToken=wrong`
    expectRejected(await send('GET', `${authority}${path}`, asKey()), 400)
  })
  test('opens a WebSocket', async () => {
    const reply = await rawReply(
      base,
      head('GET', `${authority}${listenPath()}`, [...handshake, ...asKey()]),
    )
    expect(reply.status).toBe(101)
  })
  test('reaches a tunnel with its own path', async () => {
    const id = crypto.randomUUID()
    const tail = await TunnelTail.new(base.replace('http', 'ws'), id)
    onTestFinished(() => tail.close())
    tail.events.on('request', ({ id: requestId, path, query }) =>
      tail.send({ requestId, status: 200, body: `${path} ${query}` }),
    )
    expect((await send('GET', `${authority}//${id}/deep//er?a=b`)).body).toBe(
      '/deep//er a=b',
    )
  })
})

test.each([
  'ftp://other.example/healthz',
  'evil://other.example/healthz',
  'javascript://x/healthz',
])('rejects %s', async (target) => {
  expectRejected(await send('GET', target), 400, 'InvalidPayload')
  expectRejected(await send('GET', target, handshake), 400, 'InvalidPayload')
})

test.each([
  '//docs',
  '//docs:99999999/x',
  '///docs//',
  '//[',
  '//webchat/v3/inject.js',
  '//',
])('serves or rejects %s without an internal error', async (target) => {
  expect((await send('GET', target)).status).toBeLessThan(500)
  expect((await send('GET', target, handshake)).status).toBeLessThan(500)
})

test('names the host of the target in URLs, not the one of the header', async () => {
  const target = `http://public.example:81/v1/admin/bots/${scene.botId}`
  const credentials = Object.entries(scene.admin).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const { body } = await rawReply(base, head('GET', target, credentials, 'wrong.example'))
  expect(body).toContain('http://public.example:81/')
  expect(body).not.toContain('wrong.example')
})

test('finds families by the host of the target', async () => {
  const named = await openScene({ config: { domain: 'bots.example' } })
  onTestFinished(() => named.close())
  const { headers } = await named.chatUser()
  const target = `http://chat.bots.example/${named.webhookId}/users/me`
  const request = head(
    'GET',
    target,
    [`x-user-key: ${headers['x-user-key']}`],
    'elsewhere',
  )
  expect((await rawReply(await named.listen(), request)).status).toBe(200)
})

describe('a workspace that has moved', () => {
  const received: {
    url: string
    upgrade: string | undefined
    host: string | undefined
  }[] = []
  const record = ({ url = '', headers }: IncomingMessage) =>
    received.push({ url, upgrade: headers.upgrade, host: headers.host })
  const targets: Server[] = []
  afterAll(() => targets.map((server) => server.close()))

  async function openTarget(host: string) {
    const server = createServer((request, response) => {
      record(request)
      response.end('forwarded')
    })
    server.on('upgrade', (request, socket) => {
      record(request)
      socket.end('HTTP/1.1 418 Teapot\r\ncontent-length: 0\r\n\r\n')
    })
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    targets.push(server)
    return (server.address() as AddressInfo).port
  }

  async function openMoved(targetUrl: string) {
    const moved = await openScene()
    onTestFinished(() => moved.close())
    await moved.app.services.db
      .insertInto('workspace_move')
      .values({
        workspace_id: moved.workspaceId,
        id: crypto.randomUUID(),
        target_url: targetUrl,
        secret: Buffer.alloc(32),
        state: 'moved',
      })
      .execute()
    await moved.app.services.relocations.refresh()
    return { moved, url: await moved.listen() }
  }

  test.each([
    ['a port', '127.0.0.1', ''],
    ['an IPv6 address', '::1', ''],
    ['a path', '127.0.0.1', '/cell'],
  ])('forwards by path and query to %s', async (_name, host, path) => {
    const port = await openTarget(host)
    const origin = host.includes(':')
      ? `http://[${host}]:${port}`
      : `http://${host}:${port}`
    const { moved, url } = await openMoved(`${origin}${path}`)
    for (const authority of ['', ...authorities]) {
      const target = `/chat/${moved.webhookId}/conversations/%2F%20..?x=//y&z=/../?`
      received.length = 0
      const reply = await rawReply(url, head('GET', `${authority}${target}`))
      expect([reply.status, reply.body]).toEqual([200, 'forwarded'])
      const upgraded = await rawReply(
        url,
        head('GET', `${authority}${target}`, handshake),
      )
      expect(upgraded.status).toBe(418)
      const wanted = { url: `${path}${target}`, host: new URL(origin).host }
      expect(received).toEqual([
        { ...wanted, upgrade: undefined },
        { ...wanted, upgrade: 'websocket' },
      ])
    }
  })

  test('answers 503 if the address of the installation cannot be used', async () => {
    const { moved, url } = await openMoved('https://cell-2.invalid')
    const target = `http://evil.example/chat/${moved.webhookId}/users/me`
    expectRejected(await rawReply(url, head('GET', target)), 503, 'Unavailable')
    expectRejected(
      await rawReply(url, head('GET', target, handshake)),
      503,
      'Unavailable',
    )
  })
})
