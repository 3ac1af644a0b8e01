// Texts that JavaScript, JSON or the database cannot store: the server rejects them with their
// path, never with a 500.
import { afterAll, describe, expect, test } from 'vitest'
import {
  expectRejected,
  expectTyped,
  rawReply,
} from '../../../../test/support/raw-http.ts'
import { openStoredPayloads } from '../../../../test/support/stored-payloads.ts'

const { scene, user, chat, post, expectKept, expectNotKept } = await openStoredPayloads()
const base = await scene.listen()
afterAll(() => scene.close())

describe('texts in bodies, paths, queries and headers', () => {
  const bytes = (...parts: (string | number[])[]) =>
    Buffer.concat(parts.map((part) => Buffer.from(part as string)))

  test.each<[string, number[]]>([
    ['a lone byte', [0xff]],
    ['half a character', [0xc3]],
    ['too long a form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['past the last character', [0xf5, 0x80, 0x80, 0x80]],
  ])('rejects a body that is not UTF-8: %s', async (_, odd) => {
    for (const [where, body] of Object.entries({
      'in a value': bytes('{"conversationId":"a","payload":{"a":"', odd, '"}}'),
      'in a key': bytes('{"', odd, '":1}'),
      alone: bytes(odd),
    })) {
      const reply = await post('/events', body)
      expect([reply.status, reply.body.message], where).toEqual([
        400,
        'The body is not UTF-8',
      ])
    }
  })

  test('rejects a body with a byte order mark', async () => {
    const reply = await post('/conversations', bytes([0xef, 0xbb, 0xbf], '{}'))
    expect([reply.status, reply.body.message]).toEqual([
      400,
      'The body begins with a byte order mark: remove it',
    ])
  })

  test.each<[string, Buffer]>([
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['a NUL as it is', bytes('{"a":"\0"}')],
    ['half an object', bytes('{"a":')],
    ['two objects', bytes('{}{}')],
    ['comments', bytes('{}//')],
    ['NaN', bytes('{"a":NaN}')],
    ['single quotes', bytes("{'a':1}")],
    ['nothing but spaces', bytes('  \n')],
  ])('rejects a body that is not JSON: %s', async (_, body) =>
    expectTyped(400, (await post('/conversations', body)).body, 'InvalidPayload'),
  )

  test.each(['null', '[]', '"text"', '1', 'true'])(
    'rejects JSON that is not an object: %s',
    async (body) =>
      expectTyped(400, (await post('/conversations', body)).body, 'InvalidPayload'),
  )

  test.each([
    ['NUL', '\\u0000'],
    ['half a character', '\\ud800'],
    ['the other half', '\\udc00'],
    ['two halves the wrong way', '\\udc00\\ud800'],
  ])('rejects an escape for %s with its path', async (_, odd) => {
    await expectNotKept(`{"a":{"b":["","x${odd}y"]}}`, '/payload/a/b/1')
    await expectNotKept(`{"a":{"x${odd}":1}}`, '/payload/a')
    for (const [method, path, headers, body, pointer] of [
      ['POST', chat('/users'), {}, `{"name":"${odd}"}`, '/name'],
      ['POST', chat('/users'), {}, `{"id":"${odd}"}`, '/id'],
      ['POST', chat('/conversations'), user.headers, `{"id":"${odd}"}`, '/id'],
      ['POST', '/v1/chat/users', scene.asBot, `{"tags":{},"name":"${odd}"}`, '/name'],
      ['POST', '/v1/chat/users', scene.asBot, `{"tags":{"a${odd}":"b"}}`, '/tags'],
      ['PUT', `/v1/admin/bots/${scene.botId}`, scene.admin, `{"name":"${odd}"}`, '/name'],
      ['POST', '/v1/admin/account/pats', scene.admin, `{"note":"${odd}"}`, '/note'],
      ['PUT', '/v1/files', scene.asBot, `{"key":"${odd}","size":1}`, '/key'],
    ] as const) {
      const reply = await scene.call(method, path, {
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      expect([path, reply.status, reply.body.message]).toEqual([
        path,
        400,
        expect.stringContaining(pointer),
      ])
    }
  })

  test('stores complete characters unchanged', () =>
    expectKept(
      [
        '{"a":"\\ud83d\\ude00 \\u00e9 e\\u0301 \\uffff \\ufeff \\u2028 \\u202e",',
        '"\\ud83d\\ude00":"\\u0001\\u001f\\u007f"}',
      ].join(''),
    ))

  test.each([
    ['/chat/{webhookId}/messages/a%00b', 'params/id'],
    ['/chat/{webhookId}/conversations/%00/listen', 'params/id'],
    ['/chat/%00/hello', 'params/webhookId'],
    ['/chat/%00/users/me', 'params/webhookId'],
    ['/webhooks/%00', 'params/webhookId'],
    ['/chat/{webhookId}/conversations?nextToken=%00', 'query/nextToken'],
    ['/v1/chat/conversations?tags.a=%00', 'query/tags/a'],
    ['/v1/chat/conversations?tags.%00=a', 'query/tags'],
    ['/v1/chat/users?nextToken=a&nextToken=%00', 'query/nextToken/1'],
    ['/v1/admin/bots?%00', 'query'],
    ['/v1/files/%00', 'params/id'],
  ])('rejects NUL in the URL %s with its path', async (path, pointer) => {
    const { status, body } = await scene.call(
      'GET',
      path.replace('{webhookId}', scene.webhookId),
      {
        headers: { ...scene.asBot, ...scene.admin, ...user.headers },
      },
    )
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining(`\`${pointer}\` `),
    ])
    expectTyped(400, body, 'InvalidPayload')
  })

  test.each([
    '%ff',
    '%',
    '%ed%a0%80',
    '%c0%af',
    '%f0%9f%98%80',
    '%EF%BB%BF',
    "'",
    '%27--',
    '%5c',
    '[]',
    '{}',
    '%25',
    '+',
    '*',
    '-1',
    '1e400',
    'NaN',
    '\u007f',
  ])('answers the query value %j with 200 or a typed 400', async (odd) => {
    const parameters = [
      'nextToken',
      'sortField',
      'pageSize',
      'tags.a',
      'conversationId',
      'participantIds',
      'status',
      'dev',
      odd,
    ]
    const tryOne = async (path: string, where: string) => {
      const { status, body } = await scene.call('GET', `${path}?${where}=${odd}`, {
        headers: { ...scene.asBot, ...scene.admin, ...user.headers },
      })
      expect([200, 400], `${path}?${where}`).toContain(status)
      if (status !== 200) expectTyped(400, body)
    }
    const listings = [
      '/v1/chat/conversations',
      '/v1/chat/messages',
      '/v1/chat/events',
      '/v1/admin/bots',
      '/v1/files',
      chat('/conversations'),
    ]
    await Promise.all(
      listings.flatMap((path) => parameters.map((where) => tryOne(path, where))),
    )
  })

  const askWithHeader = (name: string, value: string) => {
    const headers = { ...scene.asBot, [name]: value }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return rawReply(
      base,
      Buffer.from(
        `GET /v1/chat/conversations HTTP/1.1\r\nhost: here\r\n${lines.join('')}\r\n`,
        'latin1',
      ),
    )
  }

  test.each([
    ['a lone byte', '\xff'],
    ['half a character', '\xc3\x28'],
    ['a surrogate', '\xed\xa0\x80'],
    ['SQL', "'; drop table bot; --"],
    ['an encoded NUL', '%00'],
    ['an escaped NUL', '\\u0000'],
    ['10,000 characters', 'a'.repeat(10_000)],
  ])('rejects %s in headers that reach the database', async (_, odd) => {
    expectRejected(await askWithHeader('x-bot-id', odd), 404, 'ResourceNotFound')
    expectRejected(
      await askWithHeader('authorization', `Bearer ${odd}`),
      401,
      'Unauthorized',
    )
    expectRejected(await askWithHeader('x-integration-alias', odd), 403, 'Forbidden')
    expectRejected(await askWithHeader('x-integration-id', odd), 403, 'Forbidden')
  })

  test.each([
    ['a lone byte', '\xff'],
    ['SQL', "'; drop table bot; --"],
    ['10,000 characters', 'a'.repeat(10_000)],
  ])('accepts %s as the cause of a request', async (_, odd) => {
    expect((await askWithHeader('x-botstead-cause', odd)).status).toBe(200)
  })
})
