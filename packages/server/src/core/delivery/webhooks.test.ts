// Requests of third parties to an integration and its answers are forwarded unchanged, except for
// headers that the server must not pass on.
import { randomBytes } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import { expectTyped, rawReply } from '../../../test/support/raw-http.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  type ForwardedRequest,
  openIntegration,
  type UrlIntegration,
} from '../../../test/support/url-integration.ts'
import { toLimits } from '../config/limits.ts'

const MB = 1_048_576

let scene: Scene
let base: string
let integration: UrlIntegration
let webhook: string

beforeAll(async () => {
  scene = await openScene({ config: { botMemoryMb: 96 } })
  base = await scene.listen()
  integration = await openIntegration(scene, { name: 'echo' })
  webhook = await integration.install(scene.botId, 'echo')
})
beforeEach(() => {
  integration.calls.length = 0
  integration.answer = (_call, response) => response.end('heard')
})
afterAll(async () => {
  await scene?.close()
  integration?.close()
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}
interface Sent {
  method?: string
  headers?: Record<string, string | string[]>
  body?: Buffer | string
}

/** Sends a request as a third party does, with the path unchanged. */
function sendWebhook(
  path: string,
  { method = 'POST', headers = {}, body = '' }: Sent = {},
  prefix = `/webhooks/${webhook}`,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const request = httpRequest(
      { hostname, port, path: prefix + path, method, headers, agent: false },
      (reply) => {
        buffer(reply).then(
          (read) =>
            resolve({ status: reply.statusCode!, headers: reply.headers, body: read }),
          reject,
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
const typed = ({ status, body }: Answer, type: string) =>
  expectTyped(status, JSON.parse(body.toString()), type)
const allBytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))

describe('a request', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])(
    'keeps the method %s',
    async (method) => {
      const { status, headers } = await sendWebhook('/in?x=1', { method })
      expect([status, headers['content-length']]).toEqual([200, '5'])
      expect(integration.forwarded()).toMatchObject([
        { method, path: '/in', query: 'x=1' },
      ])
      expect(integration.calls[0]!.headers).toMatchObject({
        'x-bp-operation': 'webhook_received',
        'x-webhook-id': webhook,
        'x-integration-alias': 'echo',
      })
    },
  )

  test.each([
    ['', '/', ''],
    ['/', '/', ''],
    ['?', '/', ''],
    ['/a/b/', '/a/b/', ''],
    ['//a///b', '//a///b', ''],
    ['/a%2Fb%20c%C3%A9', '/a%2Fb%20c%C3%A9', ''],
    ['/a/../b/./c', '/a/../b/./c', ''],
    ['/oauth/wizard/start?state=x', '/oauth/wizard/start', 'state=x'],
    ['/in?a=1&a=2&b', '/in', 'a=1&a=2&b'],
    ['/in?a=b?c=d??', '/in', 'a=b?c=d??'],
    ['/in?q=%00%ff%zz+%2B&__proto__=1&=', '/in', 'q=%00%ff%zz+%2B&__proto__=1&='],
  ])('keeps the path and query of %j', async (address, path, query) => {
    expect((await sendWebhook(address)).status).toBe(200)
    expect(integration.forwarded()).toMatchObject([{ path, query }])
  })

  test('its headers: names in lower case, values unchanged, repeated joined, internal dropped', async () => {
    const headers = {
      'X-Hub-Signature-256': 'sha256=AbC',
      'X-Twice': ['a', 'b, c'],
      cookie: [
        'a=1; botstead-session-4000=secret',
        '__Host-botstead-session=secret',
        'b=2',
      ],
      'content-type': 'text/x; charset=odd',
      __proto__: null,
      'x-latin': 'caf\xe9',
      authorization: 'Basic abc',
      'x-bp-sandbox-operation': 'join',
      'idempotency-key': 'k',
    }
    await sendWebhook('/', { headers: headers as never })
    const [{ headers: seen }] = integration.forwarded() as [ForwardedRequest]
    expect(seen).toMatchObject({
      'x-hub-signature-256': 'sha256=AbC',
      'x-twice': 'a, b, c',
      cookie: 'a=1; b=2',
      'content-type': 'text/x; charset=odd',
      'x-latin': 'caf\xe9',
      authorization: 'Basic abc',
      'idempotency-key': 'k',
      host: new URL(base).host,
    })
    expect(seen).not.toHaveProperty('x-bp-sandbox-operation')
    expect(integration.calls[0]!.headers).not.toHaveProperty('x-hub-signature-256')
  })

  test.each<[string, string]>([
    ['nothing', ''],
    ['text', 'plain'],
    ['JSON with its spaces and line ends', '{ "a" :\r\n 1e400, "ü": "\\ud83d" }\n'],
    ['a byte order mark', '\ufeff{"a":1}'],
    [
      'NUL and every control character',
      Array.from({ length: 32 }, (_, i) => String.fromCharCode(i)).join(''),
    ],
    ['pairs of half characters', '😀'.repeat(3)],
    ['line separators', '\u2028\u2029"\\'],
  ])('keeps a body with %s', async (_, body) => {
    await sendWebhook('/', { body })
    const [{ body: seen, ...rest }] = integration.forwarded() as [ForwardedRequest]
    expect(seen ?? '').toBe(body)
    expect(rest).not.toHaveProperty('bodyBase64')
  })

  test.each([
    ['each of the 256 bytes', allBytes],
    ['random bytes', randomBytes(10_000)],
    ['half a character at the end', Buffer.from([0x61, 0xf0, 0x9f])],
    ['more random bytes than a string takes', randomBytes(3 * MB + 1)],
  ])('keeps a binary body with %s', async (_, body) => {
    await sendWebhook('/', { body })
    const [{ body: seen, bodyBase64 }] = integration.forwarded() as [
      Required<ForwardedRequest>,
    ]
    expect(seen === body.toString('utf8')).toBe(true)
    expect(Buffer.from(bodyBase64, 'base64').equals(body)).toBe(true)
  })

  test('keeps text that is split at any byte into chunks', async () => {
    const body = `${'aé😀\0"'.repeat(200_000)}x`
    await sendWebhook('/', { body })
    expect((integration.forwarded() as [ForwardedRequest])[0].body === body).toBe(true)
  })
})

test('forwards many megabytes in both directions', async () => {
  const body = Buffer.alloc(20 * MB, 'é\n"')
  integration.answer = (_call, response) => response.end(body)
  const { status, body: back } = await sendWebhook('/', { body })
  expect([status, back.equals(body)]).toEqual([200, true])
  const { raw } = integration.calls[0]!
  const at = raw.indexOf('"body":"') + 8
  const escaped = Buffer.alloc(30 * MB, 'é\\n\\"')
  expect([raw.length - at - 3, raw.subarray(at, -3).equals(escaped)]).toEqual([
    escaped.length,
    true,
  ])
}, 60_000)

// http-limits.test.ts tests the limit of request bodies.
test('accepts an answer of 100 MB and rejects one that is a byte longer', async () => {
  const body = Buffer.alloc(100 * MB)
  integration.answer = (_call, response) => response.end(body)
  const { status, headers, body: back } = await sendWebhook('/')
  expect([status, headers['content-length'], back.length]).toEqual([
    200,
    String(100 * MB),
    100 * MB,
  ])
  integration.answer = (_call, response) =>
    void response.write(body, () => response.end('x'))
  const refused = await sendWebhook('/')
  expect(refused.status).toBe(400)
  typed(refused, 'Runtime')
}, 120_000)

describe('an answer', () => {
  test.each<[string, number, Buffer | string]>([
    ['each of the 256 bytes', 200, allBytes],
    ['bytes by the megabyte', 203, randomBytes(5 * MB)],
    ['text', 418, 'ünï'],
    ['nothing', 202, ''],
    ['an error of its own', 500, '{"code":500}'],
  ])('with %s is forwarded unchanged', async (_, status, body) => {
    integration.answer = (_call, response) =>
      response.writeHead(status, { 'content-type': 'application/x-odd' }).end(body)
    const answer = await sendWebhook('/')
    expect([answer.status, answer.headers['content-type']]).toEqual([
      status,
      'application/x-odd',
    ])
    expect(answer.body.equals(Buffer.from(body))).toBe(true)
  })

  test.each([
    ['text', 'text/plain; charset=utf-8', Buffer.from('ü')],
    ['bytes', 'application/octet-stream', allBytes],
  ])('without a type is %s', async (_, type, body) => {
    integration.answer = (_call, response) => response.end(body)
    expect((await sendWebhook('/')).headers['content-type']).toBe(type)
  })

  test.each<[string, number, Record<string, string>, string | undefined]>([
    ['from the HTTP server of the SDK', 200, {}, undefined],
    ['with a status', 201, {}, undefined],
    ['with an error status', 404, {}, undefined],
    ['with a header', 200, { 'x-own': 'a' }, undefined],
    ['with a redirect', 302, { location: 'https://elsewhere.test/' }, undefined],
    ['with a type', 200, { 'content-type': 'text/xml' }, ''],
  ])('without a body %s is empty', async (_, status, headers, body) => {
    integration.answer = (_call, response) =>
      response.writeHead(status, headers).end(body ?? '{}')
    for (const method of ['POST', 'GET', 'HEAD']) {
      const answer = await sendWebhook('/', { method })
      expect([answer.status, answer.body.toString()]).toEqual([status, ''])
      expect(answer.headers['content-type']).toBe(headers['content-type'])
      if (method !== 'HEAD') expect(answer.headers['content-length']).toBe('0')
      expect(answer.headers).toMatchObject(headers)
    }
  })

  test.each([
    ['{}', 'application/json'],
    ['{ }', 'text/plain; charset=utf-8'],
    ['[]', 'text/plain; charset=utf-8'],
  ])('with %s as %s is kept', async (body, type) => {
    integration.answer = (_call, response) =>
      response
        .writeHead(200, type === 'application/json' ? { 'content-type': type } : {})
        .end(body)
    const answer = await sendWebhook('/')
    expect([answer.headers['content-type'], answer.body.toString()]).toEqual([type, body])
  })

  test.each([204, 304])('with status %d has no body', async (status) => {
    integration.answer = (_call, response) => response.writeHead(status).end()
    expect(await sendWebhook('/')).toMatchObject({ status, body: Buffer.alloc(0) })
  })

  test('compressed by the integration stays compressed', async () => {
    integration.answer = (_call, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(allBytes)
    const { headers, body } = await sendWebhook('/')
    expect([headers['content-encoding'], body.equals(allBytes)]).toEqual(['gzip', true])
  })

  test('to HEAD has the length but no body', async () => {
    integration.answer = (_call, response) => response.end('12345')
    const { headers, body } = await sendWebhook('/', { method: 'HEAD' })
    expect([headers['content-length'], body.length]).toEqual(['5', 0])
  })

  test('keeps its headers', async () => {
    const kept = {
      location: 'https://elsewhere.test/?a=b',
      'access-control-allow-origin': '*',
      'cache-control': 'max-age=60',
      'www-authenticate': 'Basic realm="desk"',
      'x-anything': 'caf\xe9',
      etag: '"1"',
    }
    integration.answer = (_call, response) =>
      response.writeHead(200, { ...kept, 'x-twice': ['a', 'b'] }).end()
    expect((await sendWebhook('/')).headers).toMatchObject({ ...kept, 'x-twice': 'a, b' })
  })

  test('loses headers about the connection, about our origin, and for the server', async () => {
    const dropped = {
      'set-cookie': ['session=stolen; path=/', 'b=c'],
      'clear-site-data': '"*"',
      'strict-transport-security': 'max-age=1',
      'service-worker-allowed': '/',
      'alt-svc': 'h2="evil.test:443"',
      'x-request-id': 'theirs',
      'x-content-type-options': 'sniff',
      'keep-alive': 'timeout=9999',
      upgrade: 'h2c',
      trailer: 'x-a',
      'proxy-authenticate': 'Basic',
      'x-bp-disable-interstitial': 'true',
      date: 'Thu, 01 Jan 1970 00:00:00 GMT',
    }
    integration.answer = (_call, response) =>
      response.writeHead(200, dropped as never).end('x')
    const { headers } = await sendWebhook('/')
    for (const [name, value] of Object.entries(dropped))
      expect(headers[name], name).not.toEqual(value)
    expect(headers).not.toHaveProperty('set-cookie')
    expect(headers).not.toHaveProperty('clear-site-data')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_/),
    })
  })

  test('with a page runs in a sandbox without our origin', async () => {
    integration.answer = (_call, response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'content-security-policy': "default-src 'self'",
        })
        .end('<p>')
    const policies = (await sendWebhook('/')).headers['content-security-policy'] as string
    expect(policies.startsWith("default-src 'self', sandbox ")).toBe(true)
    expect(policies).not.toContain('allow-same-origin')
  })

  test('keeps at most 64 headers and 8 KB of them', async () => {
    integration.answer = (_call, response) =>
      response
        .writeHead(
          200,
          Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x-h${i}`, 'v'])),
        )
        .end()
    const many = Object.keys((await sendWebhook('/')).headers).filter((name) =>
      name.startsWith('x-h'),
    )
    expect(many.length).toBeGreaterThan(50)
    expect(many.length).toBeLessThanOrEqual(64)
    integration.answer = (_call, response) =>
      response
        .writeHead(200, {
          'x-h1': 'v'.repeat(4_000),
          'x-h2': 'v'.repeat(4_000),
          'x-h3': 'v'.repeat(4_000),
        })
        .end('ok')
    const { headers, body } = await sendWebhook('/')
    expect([headers['x-h1']?.length, headers['x-h3'], body.toString()]).toEqual([
      4_000,
      undefined,
      'ok',
    ])
  })
})

describe('without an answer', () => {
  test.each<[string, (address: string) => Promise<Answer>]>([
    ['an unknown address', () => sendWebhook('/in', {}, '/webhooks/nothing')],
    [
      'the built-in chat integration',
      () => sendWebhook('/in', {}, `/webhooks/${scene.webhookId}`),
    ],
    [
      'a name on the prototype of objects',
      () => sendWebhook('', {}, '/webhooks/__proto__'),
    ],
  ])('404: %s', async (_, attempt) => {
    const answer = await attempt(webhook)
    expect(answer.status).toBe(404)
    typed(answer, 'ResourceNotFound')
    expect(JSON.parse(answer.body.toString()).message).toBe(
      'There is no integration at this address',
    )
  })

  test('404: a disabled integration', async () => {
    const off = await integration.install(scene.botId, 'off')
    await scene.app.services.db
      .updateTable('installation')
      .set({ enabled: false })
      .where('webhook_id', '=', off)
      .execute()
    expect((await sendWebhook('/', {}, `/webhooks/${off}`)).status).toBe(404)
  })

  test('504 after the timeout, also when the answer has begun', async () => {
    const { limits } = scene.app.services
    const { integrationSeconds } = limits
    onTestFinished(() => void Object.assign(limits, { integrationSeconds }))
    limits.integrationSeconds = 0.5
    integration.answer = () => {}
    const late = await sendWebhook('/')
    expect(late.status).toBe(504)
    typed(late, 'OperationTimeout')
    integration.answer = (_call, response) => response.writeHead(200).write('{"half":')
    expect((await sendWebhook('/')).status).toBe(504)
  })

  test('503 when the integration is unreachable, without its address', async () => {
    const gone = await openIntegration(scene, { name: 'gone' })
    const at = await gone.install(scene.botId, 'gone')
    gone.close()
    const answer = await sendWebhook('/', {}, `/webhooks/${at}`)
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
    typed(answer, 'Unavailable')
    expect(answer.body.toString()).not.toMatch(/127\.0|ECONN|refused/)
    integration.answer = (_call, _response, request) => request.socket.destroy()
    expect((await sendWebhook('/')).status).toBe(503)
  })
})

describe('hosted code', () => {
  const code = `exports.handler = async ({ headers, body }) => {
    if (headers['x-bp-operation'] !== 'webhook_received') return {}
    const { req } = JSON.parse(body)
    if (req.path.startsWith('/returns/'))
      return new Function('return ' + decodeURIComponent(req.path.slice('/returns/'.length)))()
    const bytes =
      req.bodyBase64 === undefined ? Buffer.from(req.body ?? '') : Buffer.from(req.bodyBase64, 'base64')
    const answer = bytes.length > 1000000 ? String(bytes.length) : bytes
    return { headers: { 'content-type': 'application/x-odd' }, body: answer }
  }`
  let at: string
  beforeAll(async () => {
    const headers = { ...scene.admin, 'x-multiple-integrations': 'true' }
    const made = await scene.call('POST', '/v1/admin/integrations', {
      headers,
      body: { name: 'hosted', version: '1.0.0', code },
    })
    const installed = {
      hosted: { integrationId: made.body.integration.id, enabled: true },
    }
    const { body } = await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers,
      body: { integrations: installed },
    })
    expect([body.bot?.integrations.hosted.status, body]).toEqual(['registered', body])
    at = `/webhooks/${body.bot.integrations.hosted.webhookId}`
  })

  test.each([
    ['text', Buffer.from('ünï\0😀')],
    ['each of the 256 bytes', allBytes],
    ['many bytes', randomBytes(500_000)],
  ])('receives and returns %s unchanged', async (_, body) => {
    const answer = await sendWebhook('/', { body }, at)
    expect([
      answer.status,
      answer.headers['content-type'],
      answer.body.equals(body),
    ]).toEqual([200, 'application/x-odd', true])
  })

  test.each<[string, number, string | undefined, string]>([
    ['undefined', 200, undefined, ''],
    ['null', 200, undefined, ''],
    ['({})', 200, undefined, ''],
    ['({ body: undefined })', 200, undefined, ''],
    ['({ body: null })', 200, undefined, ''],
    ["({ body: '' })", 200, undefined, ''],
    ['({ status: 201 })', 201, undefined, ''],
    ['({ status: 204, body: null })', 204, undefined, ''],
    [
      "({ status: 303, headers: { location: 'https://elsewhere.test' } })",
      303,
      undefined,
      '',
    ],
    ["({ headers: { 'content-type': 'text/xml' } })", 200, 'text/xml', ''],
    ["({ body: '{}' })", 200, 'text/plain; charset=utf-8', '{}'],
    ['({ body: {} })', 200, 'text/plain; charset=utf-8', '{}'],
  ])('that returns %s', async (returned, status, type, body) => {
    for (const method of ['POST', 'HEAD']) {
      const answer = await sendWebhook(
        `/returns/${encodeURIComponent(returned)}`,
        { method },
        at,
      )
      expect([answer.status, answer.headers['content-type']]).toEqual([status, type])
      expect(answer.body.toString()).toBe(method === 'HEAD' ? '' : body)
    }
  })

  test('accepts bodies larger than its own memory', async () => {
    expect(
      (await sendWebhook('/', { body: randomBytes(1_500_000) }, at)).body.toString(),
    ).toBe('1500000')
    expect(
      (await sendWebhook('/', { body: Buffer.alloc(40 * MB, 'x') }, at)).body.toString(),
    ).toBe(String(40 * MB))
    expect((await sendWebhook('/', { body: 'still there' }, at)).body.toString()).toBe(
      'still there',
    )
  }, 60_000)
})

describe('limits', () => {
  let tight: Scene
  let url: string
  let other: UrlIntegration
  let at: string
  beforeAll(async () => {
    tight = await openScene({
      timeouts: { headers: 600, idle: 3_000, body: 60_000, rest: 400, pace: 10_000 },
      config: { limits: toLimits('relaxed', { webhookBytes: 8 * MB }) },
    })
    url = await tight.listen()
    other = await openIntegration(tight, { name: 'echo' })
    at = await other.install(tight.botId, 'echo')
  })
  afterAll(async () => {
    await tight?.close()
    other?.close()
  })

  test('rejects large requests beyond the capacity with 503, but accepts small ones', async () => {
    const waiting: (() => void)[] = []
    other.answer = ({ raw }, response) =>
      raw.length > MB
        ? void waiting.push(() => response.end('big'))
        : response.end('small')
    const send = (size: number) =>
      fetch(`${url}/webhooks/${at}`, { method: 'POST', body: Buffer.alloc(size, 'x') })
    const held = (count: number) =>
      expect.poll(() => waiting.length, { timeout: 20_000 }).toBe(count)
    const first = [send(3 * MB), send(3 * MB)]
    await held(2)
    const refused = await send(3 * MB)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await send(1_000)).status).toBe(200)
    for (const go of waiting.splice(0)) go()
    expect(await Promise.all(first.map(async (reply) => (await reply).text()))).toEqual([
      'big',
      'big',
    ])
    const again = send(3 * MB)
    await held(1)
    waiting[0]!()
    expect((await again).status).toBe(200)
    expect(other.calls.filter(({ raw }) => raw.length > MB)).toHaveLength(3)
  }, 60_000)

  test('closes slow requests without calling the integration', async () => {
    other.calls.length = 0
    const reply = await rawReply(
      url,
      `POST /webhooks/${at} HTTP/1.1\r\nhost: here\r\ncontent-length: 1000\r\n\r\nhalf`,
      { timeoutMs: 15_000 },
    )
    expect([reply.status, JSON.parse(reply.body).type]).toEqual([408, 'RequestTimeout'])
    expect(other.calls).toEqual([])
  })
})
