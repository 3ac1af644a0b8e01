// CORS headers on every response, with any status.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'

const listed = 'https://app.example'
const chatPage = 'https://chat.example'
const stranger = 'https://elsewhere.example'

let scene: Scene
let userKey: string
beforeAll(async () => {
  scene = await openScene({
    config: { corsOrigins: [listed, 'http://localhost:5173'], chatOrigins: [chatPage] },
  })
  userKey = (await scene.chatUser()).headers['x-user-key']!
})
afterAll(() => scene.close())

const ask = (
  method: 'GET' | 'POST' | 'OPTIONS',
  url: string,
  headers: Record<string, string> = {},
) => scene.app.server.inject({ method, url, headers })
const inChat = (path: string) => `/chat/${scene.webhookId}${path}`

describe('the Chat API allows every origin', () => {
  test.each<[string, 'GET' | 'POST', () => string, Record<string, string>, number]>([
    ['a successful response', 'GET', () => inChat('/users/me'), {}, 200],
    ['the greeting', 'GET', () => inChat('/hello/'), {}, 200],
    [
      'an invalid body',
      'POST',
      () => inChat('/messages'),
      { 'content-type': 'application/json' },
      400,
    ],
    ['an invalid path encoding', 'GET', () => '/chat/%zz/hello', {}, 400],
    ['a NUL', 'GET', () => inChat('/messages/%00'), {}, 400],
    [
      'an id that is too long',
      'GET',
      () => inChat(`/messages/${'a'.repeat(6_000)}`),
      {},
      400,
    ],
    ['a missing key', 'GET', () => inChat('/users/me'), { 'x-user-key': '' }, 401],
    [
      'a conversation of others',
      'GET',
      () => inChat('/conversations/nothing/listen'),
      {},
      403,
    ],
    ['an unknown path', 'GET', () => inChat('/nothing'), {}, 404],
    ['an unknown chat', 'GET', () => '/chat/nothing/hello', {}, 404],
    ['too many slashes', 'GET', () => `//chat//${scene.webhookId}/users/me`, {}, 200],
    [
      'an invalid content type',
      'POST',
      () => inChat('/conversations'),
      { 'content-type': 'nonsense' },
      415,
    ],
  ])('on %s', async (_, method, url, headers, status) => {
    for (const origin of [
      stranger,
      listed,
      chatPage,
      'http://localhost:3000',
      'null',
      'chrome-extension://abc',
    ]) {
      const reply = await ask(method, url(), {
        origin,
        'x-user-key': userKey,
        ...headers,
      })
      expect([origin, reply.statusCode]).toEqual([origin, status])
      const isListed = [listed, chatPage].includes(origin)
      expect(
        [
          reply.headers['access-control-allow-origin'],
          reply.headers['access-control-allow-credentials'],
          reply.headers.vary,
        ],
        origin,
      ).toEqual([isListed ? origin : '*', isListed ? 'true' : undefined, 'Origin'])
    }
  })

  test.each([
    'content-type',
    'x-user-key',
    'content-type,x-user-key',
    'x-user-key,x-my-own,traceparent',
    'Cache-Control',
  ])('in preflights for the headers %s', async (names) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of ['/users', '/conversations/a/listen', '/nothing']) {
        const reply = await ask('OPTIONS', inChat(path), {
          origin: stranger,
          'access-control-request-method': method,
          'access-control-request-headers': names,
        })
        const line = `${method} ${path}`
        expect(reply.statusCode, line).toBe(204)
        expect(reply.headers, line).toMatchObject({
          'access-control-allow-origin': '*',
          'access-control-allow-headers': names,
        })
        expect(reply.headers, line).not.toHaveProperty('access-control-allow-credentials')
        expect(
          (reply.headers['access-control-allow-methods'] as string).split(', '),
          line,
        ).toContain(method)
      }
    }
  })

  test('on a stream', async () => {
    const base = await scene.listen()
    const { body } = await scene.call('POST', inChat('/conversations'), {
      headers: { 'x-user-key': userKey },
      body: {},
    })
    const stop = new AbortController()
    const reply = await fetch(
      base + inChat(`/conversations/${body.conversation.id}/listen`),
      {
        headers: { origin: stranger, 'x-user-key': userKey },
        signal: stop.signal,
      },
    )
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.headers.get('access-control-allow-credentials')).toBeNull()
    stop.abort()
  })

  test('sends no CORS headers without an origin', async () => {
    const { headers } = await ask('GET', inChat('/users/me'), { 'x-user-key': userKey })
    expect(
      Object.keys(headers).filter((name) => name.startsWith('access-control')),
    ).toEqual([])
  })
})

describe.each<[string, () => [string, Record<string, string>]]>([
  ['Runtime API responses', () => ['/v1/chat/conversations', scene.asBot]],
  ['Admin API responses', () => ['/v1/admin/bots', scene.admin]],
  ['Files API responses', () => ['/v1/files', scene.asBot]],
  ['Tables API responses', () => ['/v1/tables', scene.asBot]],
  ['responses for unknown paths', () => ['/chatter', {}]],
  ['webhook responses', () => ['/webhooks/nothing', {}]],
])('%s allow only listed origins', (_, request) => {
  test('on requests with and without credentials', async () => {
    const [url, headers] = request()
    for (const sent of [headers, {}]) {
      for (const [origin, allowed] of [
        [listed, true],
        ['http://localhost:5173', true],
        [chatPage, false],
        [stranger, false],
        ['null', false],
        [`${listed}.evil.example`, false],
        [`${listed}:8443`, false],
        ['http://app.example', false],
        ['https://APP.example', false],
        [`${listed},${stranger}`, false],
        ['*', false],
      ] as const) {
        const reply = await ask('GET', url, { ...sent, origin })
        expect([origin, reply.headers['access-control-allow-origin']]).toEqual([
          origin,
          allowed ? origin : undefined,
        ])
        expect(reply.headers['access-control-allow-credentials'], origin).toBe(
          allowed ? 'true' : undefined,
        )
        expect(reply.headers.vary).toBe('Origin')
        const preflight = await ask('OPTIONS', url, {
          origin,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'authorization',
        })
        expect([origin, preflight.headers['access-control-allow-origin']]).toEqual([
          origin,
          allowed ? origin : undefined,
        ])
        if (!url.startsWith('/webhooks'))
          expect(preflight.headers['access-control-allow-headers']).toBe(
            allowed ? 'authorization' : undefined,
          )
      }
    }
  })
})
