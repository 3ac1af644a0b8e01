import { createHmac } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { InvocationFailed } from '@botstead/sandbox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openOutgoing } from '../../outgoing/outgoing.ts'
import { createHttpTargets } from './http-target.ts'

const outgoing = openOutgoing({
  isOwners: async () => true,
  reach: () => false,
  tunnels: () => ({
    own: new URL('http://127.0.0.1:4000'),
    everywhere: false,
    others: [],
  }),
})
const targets = createHttpTargets(outgoing, { responseBytes: 1000 })
const request = {
  method: 'POST',
  path: '/',
  query: '',
  headers: { 'content-type': 'application/json', 'x-bot-id': 'bot_1' },
  body: '{"event":"ö"}',
}
let server: Server
let url: string
let answer: (request: IncomingMessage, response: ServerResponse) => void
let seen: {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}[]

beforeAll(async () => {
  server = createServer(async (incoming, response) => {
    seen.push({
      method: incoming.method,
      url: incoming.url,
      headers: incoming.headers,
      body: await text(incoming),
    })
    answer(incoming, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  seen = []
  answer = (_request, response) => response.end('{}')
})
afterAll(async () => {
  await outgoing.close()
  server.closeAllConnections()
  server.close()
})

const invoke = (path = '/', timeoutMs = 2000) =>
  targets.invoke({ url: url + path, workspaceId: 'own' }, request, { timeoutMs })
const getReason = (attempt: Promise<unknown>) =>
  attempt.catch((error: InvocationFailed) =>
    error instanceof InvocationFailed ? error.reason : error,
  )

test('sends the request to the exact URL and returns the response unchanged', async () => {
  answer = (_request, response) =>
    response.writeHead(422, { 'x-odd': ['1', '2'] }).end('{"id":"ü"}')
  expect(await invoke('/deep/path?a=b&c')).toMatchObject({
    status: 422,
    headers: { 'x-odd': '1, 2' },
    body: '{"id":"ü"}',
  })
  expect(seen).toMatchObject([
    {
      method: 'POST',
      url: '/deep/path?a=b&c',
      headers: request.headers,
      body: request.body,
    },
  ])
  expect(seen[0]!.headers).not.toHaveProperty('x-bp-signature')
})

test('signs body and time with a secret', async () => {
  await targets.invoke({ url, workspaceId: 'own', signingSecrets: ['shh'] }, request, {
    timeoutMs: 2000,
  })
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(
    String(seen[0]!.headers['x-bp-signature']),
  )!
  expect(Math.abs(Number(seconds) - Date.now() / 1000)).toBeLessThan(5)
  expect(signature).toBe(
    createHmac('sha256', 'shh').update(`${seconds}.${request.body}`).digest('hex'),
  )
})

test('signs with each of several secrets', async () => {
  await targets.invoke(
    { url, workspaceId: 'own', signingSecrets: ['new', 'old'] },
    request,
    {
      timeoutMs: 2000,
    },
  )
  const [time, ...signatures] = String(seen[0]!.headers['x-bp-signature']).split(',')
  const signed = (secret: string) =>
    `v1=${createHmac('sha256', secret)
      .update(`${time!.slice(2)}.${request.body}`)
      .digest('hex')}`
  expect(signatures).toEqual([signed('new'), signed('old')])
})

test('returns a redirection instead of following it', async () => {
  answer = (_request, response) =>
    response.writeHead(307, { location: '/elsewhere' }).end()
  expect(await invoke()).toMatchObject({
    status: 307,
    headers: { location: '/elsewhere' },
    body: '',
  })
  expect(seen).toHaveLength(1)
})

test('times out before or within a slow response', async () => {
  answer = () => {}
  expect(await getReason(invoke('/', 100))).toBe('timeout')
  answer = (_request, response) => response.write('{')
  expect(await getReason(invoke('/', 100))).toBe('timeout')
})

test('rejects a response over the limit without holding all of it in memory', async () => {
  answer = (_request, response) => response.end('x'.repeat(1000))
  expect((await invoke()).body).toHaveLength(1000)
  let closed = false
  answer = (_request, response) => {
    const feed = setInterval(() => response.write('x'.repeat(400)), 5)
    response.on('close', () => {
      clearInterval(feed)
      closed = true
    })
  }
  expect(await getReason(invoke())).toBe('too-large')
  await expect.poll(() => closed).toBe(true)
})

test.each([
  [
    'http://127.0.0.1:1/hook?key=secret',
    /^The server cannot reach "127\.0\.0\.1:1": .*ECONNREFUSED/,
  ],
  ['http://[::1]:1/hook', /^The server cannot reach "\[::1\]:1": .+/],
  ['http://missing.invalid/hook', /^The server cannot reach "missing\.invalid": .+/],
])('names the host of %s, which is unreachable', async (address, message) => {
  const invoked = targets.invoke({ url: address, workspaceId: 'own' }, request, {
    timeoutMs: 9000,
  })
  const failed: InvocationFailed = await invoked.catch((error) => error)
  expect(failed).toMatchObject({
    reason: 'unreachable',
    message: expect.stringMatching(message),
  })
  expect(failed.message).not.toContain('secret')
})

test('names the host that ends the connection without a response', async () => {
  answer = (_request, response) => response.socket?.destroy()
  const { message } = await invoke().catch((error) => error)
  expect(message).toBe(
    `The server cannot reach "${new URL(url).host}": other side closed`,
  )
})

test('reports a missing server, a broken answer and an impossible header as unreachable', async () => {
  answer = (_request, response) => response.socket?.destroy()
  expect(await getReason(invoke())).toBe('unreachable')
  answer = (_request, response) => response.socket?.end('nonsense\r\n\r\n')
  expect(await getReason(invoke())).toBe('unreachable')
  expect(
    await getReason(
      targets.invoke({ url: 'http://127.0.0.1:1/', workspaceId: 'own' }, request, {
        timeoutMs: 2000,
      }),
    ),
  ).toBe('unreachable')
  expect(
    await getReason(
      targets.invoke({ url: 'mailto:bot', workspaceId: 'own' }, request, {
        timeoutMs: 2000,
      }),
    ),
  ).toBe('not-allowed')
  const split = { ...request, headers: { 'x-bp-type': 'a\r\nx: b' } }
  expect(
    await getReason(
      targets.invoke({ url, workspaceId: 'own' }, split, { timeoutMs: 2000 }),
    ),
  ).toBe('unreachable')
})
