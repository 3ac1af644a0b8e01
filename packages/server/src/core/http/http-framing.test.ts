// Requests of hostile or broken clients: the server answers each in the common form of errors.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRejected, expectTyped, rawReply } from '../../../test/support/raw-http.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'

let scene: Scene
let base: string
let userKey: string
beforeAll(async () => {
  scene = await openScene()
  base = await scene.listen()
  userKey = (await scene.chatUser()).headers['x-user-key']!
})
afterAll(() => scene.close())

const conversations = () => `/chat/${scene.webhookId}/conversations`
/** Returns a valid request with additional headers and a body. */
const post = (headers: string[], body = '') =>
  head(`POST ${conversations()} HTTP/1.1`, [
    'Host: here',
    `x-user-key: ${userKey}`,
    ...headers,
  ]) + body
const head = (first: string, headers: string[]) =>
  `${[first, ...headers].join('\r\n')}\r\n\r\n`
const json = 'content-type: application/json'

test('asks browsers for https if the public URL has it', async () => {
  const secure = await openScene({ config: { publicUrl: 'https://bots.example.org' } })
  const { headers } = await secure.app.server.inject({ url: '/healthz' })
  await secure.close()
  expect(headers['strict-transport-security']).toBe('max-age=31536000')
  expect(
    (await fetch(`${base}/healthz`)).headers.get('strict-transport-security'),
  ).toBeNull()
})

describe('framing', () => {
  test.each<[string, () => string | Buffer, number, string]>([
    [
      'a body longer than declared',
      () => post([json, 'content-length: 2'], '{}}'),
      400,
      'InvalidPayload',
    ],
    [
      'length and chunks',
      () =>
        post(['content-length: 2', 'transfer-encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'),
      400,
      'InvalidPayload',
    ],
    [
      'two lengths',
      () => post(['content-length: 2', 'content-length: 3'], '{} '),
      400,
      'InvalidPayload',
    ],
    [
      'two equal lengths',
      () => post(['content-length: 2', 'content-length: 2'], '{}'),
      400,
      'InvalidPayload',
    ],
    [
      'xchunked',
      () => post(['transfer-encoding: xchunked'], '2\r\n{}\r\n0\r\n\r\n'),
      400,
      'InvalidPayload',
    ],
    [
      'chunked that is not last',
      () => post(['transfer-encoding: chunked, gzip'], '2\r\n{}\r\n0\r\n\r\n'),
      400,
      'InvalidPayload',
    ],
    ['length -1', () => post(['content-length: -1'], '{}'), 400, 'InvalidPayload'],
    ['length 1e3', () => post(['content-length: 1e3'], '{}'), 400, 'InvalidPayload'],
    [
      'length of 20 digits',
      () => post([`content-length: ${'9'.repeat(20)}`], '{}'),
      400,
      'InvalidPayload',
    ],
    [
      'a chunk without a size',
      () => post(['transfer-encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'),
      400,
      'InvalidPayload',
    ],
    [
      'a folded header',
      () => post(['x-folded: a\r\n b', 'content-length: 0']),
      400,
      'InvalidPayload',
    ],
    [
      'bare line feeds',
      () => 'GET /healthz HTTP/1.1\nHost: here\n\n',
      400,
      'InvalidPayload',
    ],
    ['NUL in a header', () => post(['x-nul: a\0b']), 400, 'InvalidPayload'],
    [
      'a space before the colon',
      () => 'GET /healthz HTTP/1.1\r\nHost : here\r\n\r\n',
      400,
      'InvalidPayload',
    ],
    ['no Host', () => head('GET /healthz HTTP/1.1', []), 400, 'InvalidPayload'],
    [
      'two Hosts',
      () => head('GET /healthz HTTP/1.1', ['Host: here', 'Host: there']),
      400,
      'InvalidPayload',
    ],
    [
      'HTTP/1.2',
      () => head('GET /healthz HTTP/1.2', ['Host: here']),
      400,
      'InvalidPayload',
    ],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'InvalidPayload'],
    ['TLS', () => Buffer.from('16030100050100000103', 'hex'), 400, 'InvalidPayload'],
    [
      'an unknown method',
      () => head('BREW /pot HTTP/1.1', ['Host: here']),
      400,
      'InvalidPayload',
    ],
    [
      'raw bytes in the address',
      () =>
        Buffer.from(head('GET /chat/\xff\xfe/hello HTTP/1.1', ['Host: here']), 'latin1'),
      400,
      'InvalidPayload',
    ],
    [
      'a tunnel',
      () => head('CONNECT there:80 HTTP/1.1', ['Host: there']),
      404,
      'ResourceNotFound',
    ],
    [
      'a header of 20 KB',
      () => post([`x-long: ${'a'.repeat(20_000)}`]),
      431,
      'PayloadTooLarge',
    ],
    [
      'headers of 20 KB',
      () => post(Array.from({ length: 1_000 }, (_, i) => `x-a${i}: aaaaaaaaaaaa`)),
      431,
      'PayloadTooLarge',
    ],
    [
      'an address of 20 KB',
      () => head(`GET /chat/${'a'.repeat(20_000)} HTTP/1.1`, ['Host: here']),
      431,
      'PayloadTooLarge',
    ],
    [
      'an upgrade without an address',
      () =>
        head('GET // HTTP/1.1', [
          'Host: here',
          'Connection: Upgrade',
          'Upgrade: websocket',
        ]),
      404,
      'ResourceNotFound',
    ],
    [
      'an upgrade at an invalid path encoding',
      () =>
        head('GET /chat/%zz/conversations/a/listen HTTP/1.1', [
          'Host: here',
          'Connection: Upgrade',
          'Upgrade: websocket',
        ]),
      400,
      'InvalidPayload',
    ],
  ])('rejects %s', async (_, request, status, type) =>
    expectRejected(await rawReply(base, request()), status, type),
  )

  test.each<[string, () => string, number]>([
    ['a body with a length', () => post([json, 'content-length: 2'], '{}'), 201],
    [
      'chunks with extensions',
      () =>
        post([json, 'transfer-encoding: chunked'], '1;a=b\r\n{\r\n1\r\n}\r\n0\r\n\r\n'),
      201,
    ],
    [
      'trailers',
      () =>
        post(
          [json, 'transfer-encoding: chunked'],
          '2\r\n{}\r\n0\r\nX-Trailer: a\r\n\r\n',
        ),
      201,
    ],
    ['no body and no type', () => post([]), 201],
    ['a type and no body', () => post([json]), 201],
    ['a type and a body of length 0', () => post([json, 'content-length: 0']), 201],
    [
      'a type and no chunk',
      () => post([json, 'transfer-encoding: chunked'], '0\r\n\r\n'),
      201,
    ],
    ['a body without a type', () => post(['content-length: 2'], '{}'), 201],
    [
      'a type with parameters',
      () =>
        post(
          ['content-type: Application/JSON; charset=UTF-8', 'content-length: 2'],
          '{}',
        ),
      201,
    ],
    [
      'an expectation that we do not know',
      () => post(['expect: the-unexpected', json, 'content-length: 2'], '{}'),
      201,
    ],
    [
      'a whole address',
      () => head('GET http://here/healthz HTTP/1.1', ['Host: here']),
      200,
    ],
    ['HTTP/1.0 without a Host', () => head('GET /healthz HTTP/1.0', []), 200],
    [
      'an offer of HTTP/2, as Java makes it',
      () =>
        post(
          [
            'Connection: Upgrade, HTTP2-Settings',
            'Upgrade: h2c',
            'HTTP2-Settings: AAEAAEAA',
            json,
            'content-length: 2',
          ],
          '{}',
        ),
      201,
    ],
  ])('accepts %s', async (_, request, status) =>
    expect((await rawReply(base, request())).status).toBe(status),
  )
})

describe('content types', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/jsonp',
    'json',
    '',
  ])('rejects "%s"', async (type) =>
    expectRejected(
      await rawReply(base, post([`content-type: ${type}`, 'content-length: 2'], '{}')),
      415,
      'UnsupportedMediaType',
    ),
  )

  test.each(['gzip', 'br', 'deflate', 'identity, gzip', 'nonsense'])(
    'rejects content encoding %s',
    async (encoding) =>
      expectRejected(
        await rawReply(
          base,
          post([json, `content-encoding: ${encoding}`, 'content-length: 2'], '{}'),
        ),
        415,
        'UnsupportedMediaType',
      ),
  )

  test.each<[string, string[], string]>([
    ['with {}', [json, 'content-length: 2'], '{}'],
    ['with only a content type', [json], ''],
    ['without a body', [], ''],
  ])('accepts DELETE %s', async (_, headers, body) => {
    const { body: made } = await scene.call('POST', conversations(), {
      headers: { 'x-user-key': userKey },
      body: {},
    })
    const request =
      head(`DELETE ${conversations()}/${made.conversation.id} HTTP/1.1`, [
        'Host: here',
        `x-user-key: ${userKey}`,
        ...headers,
      ]) + body
    expect((await rawReply(base, request)).status).toBe(200)
  })
})

describe('addresses', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    scene.call('GET', path, { headers: { 'x-user-key': userKey, ...headers } })
  const inChat = (path: string) => `/chat/${scene.webhookId}${path}`

  test.each([
    '/',
    '/nope',
    '/v1',
    '/v1/chat/nope',
    '/v1/admin',
    '/v2/chat/messages',
    '/chat',
    '/chat/',
    '/webhooks',
    '/..',
    '/%2e%2e/etc/passwd',
    '/__proto__',
    '/chat/x',
  ])('answers 404 at %s for any method and body', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const { status, body } = await scene.call(method, path, {
        headers: { 'content-type': 'application/json' },
        ...(method !== 'GET' && { body: '{a' }),
      })
      expect([method, status]).toEqual([method, 404])
      expectTyped(404, body, 'ResourceNotFound')
    }
  })

  test('answers 404 to a method that the path does not have', async () => {
    const { status, body } = await scene.call('PATCH', conversations(), {
      headers: { 'x-user-key': userKey },
      body: {},
    })
    expect(status).toBe(404)
    expectTyped(404, body, 'ResourceNotFound')
  })

  test.each(['TRACE', 'PROPFIND', 'PURGE'])(
    'answers 404 to the method %s',
    async (method) => {
      expectRejected(
        await rawReply(base, head(`${method} /healthz HTTP/1.1`, ['Host: here'])),
        404,
        'ResourceNotFound',
      )
    },
  )

  test.each(['%', '%zz', '%f', '%ff', '%c3%28', '%ED%A0%80', '%F5%80%80%80'])(
    'rejects the encoding %s in paths',
    async (part) => {
      for (const path of [
        `/chat/${part}/hello`,
        inChat(`/messages/${part}`),
        inChat(`/conversations/${part}/listen`),
        `/webhooks/${part}`,
        `/v1/admin/bots/${part}`,
      ]) {
        const { status, body } = await get(path)
        expect([path, status]).toEqual([path, 400])
        expectTyped(400, body, 'InvalidPayload')
      }
    },
  )

  test.each([
    '/chat/{webhookId}/users/me/',
    '//chat//{webhookId}//users/me//',
    '/chat/{webhookId}//users///me',
  ])('ignores extra slashes: %s', async (path) => {
    expect((await get(path.replace('{webhookId}', scene.webhookId))).status).toBe(200)
  })

  test('accepts an encoded slash in an id', async () => {
    const { body } = await scene.call('POST', conversations(), {
      headers: { 'x-user-key': userKey },
      body: { id: 'a/b' },
    })
    expect(body.conversation.id).toBe('a/b')
    expect((await get(inChat('/conversations/a%2Fb'))).body.conversation.id).toBe('a/b')
    expect((await get(inChat('/conversations/a%252Fb'))).status).toBe(404)
  })

  test.each([200, 5_000])(
    'answers 404 to an unknown id of %i characters',
    async (length) => {
      expect((await get(inChat(`/messages/${'a'.repeat(length)}`))).status).toBe(404)
    },
  )

  test('rejects an id over the maximum length', async () => {
    const { status, body } = await get(inChat(`/messages/${'a'.repeat(6_000)}`))
    expect(status).toBe(400)
    expectTyped(400, body, 'InvalidQuery')
  })

  test('rejects repeated context headers', async () => {
    const request = `GET /v1/chat/conversations HTTP/1.1`
    const headers = ['Host: here', `authorization: Bearer ${scene.token}`]
    const bot = `x-bot-id: ${scene.botId}`
    expect((await rawReply(base, head(request, [...headers, bot]))).status).toBe(200)
    expectRejected(
      await rawReply(base, head(request, [...headers, bot, bot])),
      404,
      'ResourceNotFound',
    )
    expectRejected(
      await rawReply(
        base,
        head(request, [
          ...headers,
          bot,
          'x-integration-alias: chat',
          'x-integration-alias: chat',
        ]),
      ),
      403,
      'Forbidden',
    )
    expectRejected(
      await rawReply(
        base,
        head(`GET ${inChat('/users/me')} HTTP/1.1`, [
          'Host: here',
          `x-user-key: ${userKey}`,
          `x-user-key: ${userKey}`,
        ]),
      ),
      401,
      'Unauthorized',
    )
  })

  test('shortens values that error messages repeat', async () => {
    const { status, body } = await scene.call('GET', '/v1/chat/conversations', {
      headers: { ...scene.asBot, 'x-bot-id': 'é'.repeat(5_000) },
    })
    expect(status).toBe(404)
    expect(body.message.length).toBeLessThanOrEqual(1_000)
    const long = await scene.call('POST', '/v1/admin/account/pats', {
      headers: scene.admin,
      body: { note: 'a', ['k'.repeat(100_000)]: 1 },
    })
    expect(long.status).toBe(400)
    expect(long.body.message.length).toBeLessThanOrEqual(1_000)
  })

  test('sends event streams without chunked encoding, so that each frame is one write', async () => {
    const { body } = await scene.call('POST', conversations(), {
      headers: { 'x-user-key': userKey },
      body: {},
    })
    const listener = new AbortController()
    const response = await fetch(
      `${base}${conversations()}/${body.conversation.id}/listen`,
      {
        headers: { 'x-user-key': userKey },
        signal: listener.signal,
      },
    )
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('transfer-encoding')).toBeNull()
    listener.abort()
  })
})
