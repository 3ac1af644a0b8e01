// The reverse proxies of docs/reverse-proxy.md, with the configuration files of deploy/.
// BOTSTEAD_TEST_QUIET_SECONDS=600 keeps connections without messages for ten minutes, as .ci/run does.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import type { ConnectionOptions } from 'node:tls'
import { parseTrust } from '@botstead/lib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { findFreePort } from '../support/nats-server.ts'
import { openOfficialCli } from '../support/official-cli.ts'
import { openReplicas } from '../support/replicas.ts'
import {
  domain,
  findProgram,
  openProxy,
  openScaleProxy,
  type ProxyName,
  proxyNames,
  type ReverseProxy,
} from '../support/reverse-proxies.ts'
import { openScene, type Scene } from '../support/scene.ts'
import { openIntegration, type UrlIntegration } from '../support/url-integration.ts'

const quietSeconds = Number(process.env.BOTSTEAD_TEST_QUIET_SECONDS ?? 1)
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let scene: Scene
let integration: UrlIntegration
let webhookId: string
let upstream: string

beforeAll(async () => {
  scene = await openScene({ config: { trustProxy: parseTrust('1')!, domain } })
  upstream = new URL(await scene.listen()).host
  integration = await openIntegration(scene, { name: 'parcels' })
  webhookId = await integration.install(scene.botId, 'parcels')
})
afterAll(async () => {
  integration?.close()
  await scene?.close()
})

interface Reply {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Clients that reach the server through a proxy. */
function createClients(proxy: ReverseProxy) {
  const ca = readFileSync(proxy.ca)

  /** The address of a name at the proxy. */
  const at = (host: string) => ({
    host: '127.0.0.1',
    port: proxy.port,
    servername: host,
    ca,
  })

  function send(
    path: string,
    {
      body,
      host = domain,
      ...options
    }: RequestOptions & { body?: string | Buffer; host?: string } = {},
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const headers = { host, 'content-type': 'application/json', ...options.headers }
      const method = body === undefined ? 'GET' : 'POST'
      const sent = request(
        { ...at(host), path, method, ...options, headers },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (piece) => (text += piece))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode!,
              headers: response.headers,
              body: text,
            }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  }
  const json = async (...sent: Parameters<typeof send>) => {
    const { status, body } = await send(...sent)
    expect(status, body).toBeLessThan(300)
    return JSON.parse(body)
  }
  const chat = () => `/chat/${scene.webhookId}`

  async function openConversation() {
    const headers = {
      'x-user-key': (await json(`${chat()}/users`, { body: '{}' })).key as string,
    }
    const { conversation } = await json(`${chat()}/conversations`, {
      headers,
      body: '{}',
    })
    const say = (text: string) =>
      json(`${chat()}/messages`, {
        headers,
        body: JSON.stringify({
          conversationId: conversation.id,
          payload: { type: 'text', text },
        }),
      })
    return {
      headers,
      say,
      listenPath: `${chat()}/conversations/${conversation.id}/listen`,
    }
  }

  /** Opens an event stream. Returns its text so far, and whether it has ended. */
  async function openStream(path: string, headers: Record<string, string>) {
    const stream = { text: '', ended: false }
    const opened = request(
      { ...at(domain), path, headers: { host: domain, ...headers } },
      (reply) => {
        reply.setEncoding('utf8').on('data', (piece) => (stream.text += piece))
        reply.on('close', () => (stream.ended = true)).on('error', () => {})
      },
    )
    opened.on('error', () => (stream.ended = true)).end()
    return { stream, close: () => opened.destroy() }
  }

  async function openSocket(path: string, headers: Record<string, string> = {}) {
    // Options of TLS, too, which the library's types leave out.
    const options: ClientOptions & ConnectionOptions = {
      ca,
      servername: domain,
      headers: { host: domain, ...headers },
    }
    const socket = new WebSocket(`wss://127.0.0.1:${proxy.port}${path}`, options)
    const texts: string[] = []
    socket.on('message', (data) => texts.push(String(data)))
    await new Promise((resolve, reject) =>
      socket.once('open', resolve).once('error', reject),
    )
    return { socket, texts }
  }

  return { send, json, openConversation, openStream, openSocket }
}

/** Opens a stream, a WebSocket and a tunnel, and uses them after a pause without messages. */
async function keepQuiet(name: ProxyName) {
  const proxy = await openProxy(name, upstream)
  onTestFinished(() => proxy.close())
  const { send, openConversation, openStream, openSocket } = createClients(proxy)
  const { headers, say, listenPath } = await openConversation()
  const { stream, close } = await openStream(listenPath, headers)
  const listener = await openSocket(listenPath, headers)
  const tunnelId = crypto.randomUUID()
  const tunnel = await openSocket(`/${scene.token}/${tunnelId}`)
  tunnel.socket.on('message', (data) => {
    const { id: requestId, body } = JSON.parse(String(data))
    tunnel.socket.send(JSON.stringify({ type: 'response', requestId, status: 200, body }))
  })
  // The official command line does, every five seconds.
  const hello = setInterval(() => tunnel.socket.send('{"type":"hello"}'), 5_000)
  await pause(quietSeconds * 1_000)
  expect(stream.ended, name).toBe(false)
  await say('after the pause')
  await vi.waitFor(() => expect(stream.text).toContain('after the pause'))
  await vi.waitFor(() => expect(listener.texts.join()).toContain('after the pause'))
  const large = 'ü'.repeat(4_000_000)
  expect((await send(`/${tunnelId}/in`, { body: large })).body === large).toBe(true)
  clearInterval(hello)
  close()
  for (const { socket } of [listener, tunnel]) socket.terminate()
}

test('keep quiet streams, WebSockets and tunnels open', {
  timeout: (quietSeconds + 60) * 1_000,
}, async () => {
  await Promise.all(proxyNames.filter(findProgram).map(keepQuiet))
})

describe.each(proxyNames)('%s', (name) => {
  if (!findProgram(name)) {
    test.skip(`left out: ${name} is not installed`, () => {})
    return
  }
  let proxy: ReverseProxy
  let clients: ReturnType<typeof createClients>
  beforeAll(async () => {
    proxy = await openProxy(name, upstream)
    clients = createClients(proxy)
  })
  afterAll(() => proxy?.close())
  const send: typeof clients.send = (...sent) => clients.send(...sent)
  const json: typeof clients.json = (...sent) => clients.json(...sent)

  test('redirects to TLS', async () => {
    const reply = await fetch(`http://127.0.0.1:${proxy.plainPort}/healthz`, {
      redirect: 'manual',
    })
    expect(reply.status).toBe(308)
    expect(reply.headers.get('location')).toMatch(/^https:.*\/healthz$/)
    expect((await send('/healthz')).status).toBe(200)
  })

  test('forwards webhooks of 100 MB unchanged', async () => {
    const body = randomBytes(50e6).toString('hex')
    let received = ''
    integration.answer = ({ raw }, response) => {
      received = JSON.parse(raw.toString()).req.body
      response.end()
    }
    expect((await send(`/webhooks/${webhookId}/in`, { body })).status).toBe(200)
    expect(received === body).toBe(true)
  })

  test('passes large headers in both directions', async () => {
    const tunnelId = crypto.randomUUID()
    const { socket } = await clients.openSocket(`/${scene.token}/${tunnelId}`)
    const names = ['x-one', 'x-two', 'x-three', 'x-four']
    socket.on('message', (data) => {
      const { id: requestId, headers } = JSON.parse(String(data))
      const echoed = names.map((name) => [name, headers['x-large'].slice(0, 3_500)])
      const answer = { status: 200, headers: Object.fromEntries(echoed), body: 'done' }
      socket.send(JSON.stringify({ type: 'response', requestId, ...answer }))
    })
    const { status, headers } = await send(`/${tunnelId}/in`, {
      body: '{}',
      headers: { 'x-large': 'a'.repeat(12_000) },
    })
    expect(status).toBe(200)
    for (const name of names) expect(headers[name]).toHaveLength(3_500)
    socket.terminate()
  })

  test('passes the address of the client, which clients cannot invent', async () => {
    const { authorization, 'x-workspace-id': workspace } = scene.admin
    const headers = { authorization: authorization!, 'x-workspace-id': workspace! }
    const ip = `127.0.1.${1 + proxyNames.indexOf(name)}`
    await json('/v1/admin/bots', {
      headers: { ...headers, 'x-forwarded-for': '203.0.113.7' },
      body: '{}',
      localAddress: ip,
    })
    const seen = async () => {
      const { entries } = await json('/v1/platform/audit', { headers })
      return (entries as { ip: string }[]).map((entry) => entry.ip)
    }
    await expect.poll(seen).toContain(ip)
    expect(await seen()).not.toContain('203.0.113.7')
  })

  test('serves the API families at their own names, and no metrics', async () => {
    const user = await json(`/${scene.webhookId}/users`, {
      host: `chat.${domain}`,
      body: '{}',
    })
    expect(user.key).toEqual(expect.any(String))
    integration.answer = (_, response) => response.writeHead(202).end()
    const hook = await send(`/${webhookId}/in`, { host: `webhook.${domain}`, body: '{}' })
    expect(hook.status).toBe(202)
    const settings = await json(`/${scene.botId}/settings.json`, {
      host: `webchat.${domain}`,
    })
    expect(settings.chatUrl).toContain(scene.webhookId)
    expect((await send('/metrics')).status).toBe(404)
  })
})

test.runIf(findProgram('haproxy') && quietSeconds < 60)(
  'HAProxy finds the servers of compose.scale.yaml by DNS, and does without one that ends',
  async () => {
    const servers = await openReplicas(upstream)
    const proxy = await openScaleProxy(servers)
    onTestFinished(() => Promise.all([proxy.close(), servers.close()]).then(() => {}))
    const { openConversation } = createClients(proxy)
    const talk = async () => {
      const { say } = await openConversation()
      expect((await say('hello')).message.payload.text).toBe('hello')
    }
    await vi.waitFor(async () => {
      await talk()
      for (const { requests } of servers.all) expect(requests()).toBeGreaterThan(0)
    }, 30_000)
    servers.all[0]!.end()
    // HAProxy notices it after two failed checks.
    await vi.waitFor(talk, { timeout: 10_000, interval: 500 })
    for (let nth = 0; nth < 5; nth++) await talk()
  },
)

const forDevelopers = (['nginx', 'haproxy'] as const).filter(findProgram)

test.runIf(quietSeconds < 60).each(forDevelopers)(
  '`bp dev` works through %s',
  {
    timeout: 120_000,
  },
  async (name) => {
    const proxy = await openProxy(name, upstream)
    const url = `https://localhost:${proxy.port}`
    const bp = openOfficialCli({ registry: url })
    const env = { NODE_EXTRA_CA_CERTS: proxy.ca }
    try {
      const login = [
        'login',
        '--api-url',
        url,
        '--workspace-id',
        scene.workspaceId,
        '--token',
        scene.token,
      ]
      expect(await bp.run(login, { env })).toMatchObject({ code: 0 })
      const project = bp.project('doorbell')
      const port = String(await findFreePort())
      const command = bp.start(['dev', '--tunnel-url', url, '--port', port], {
        project,
        env,
      })
      await expect
        .poll(command.output, { timeout: 90_000 })
        .toContain(`Listening on port ${port}`)
      await command.stop()
    } finally {
      await bp.remove()
      await proxy.close()
    }
  },
)
