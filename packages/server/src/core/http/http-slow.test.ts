// Slow clients: the server closes each after its time limit, and none delays others.
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { expectRejected, rawReply } from '../../../test/support/raw-http.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'

/** Shorter than the production limits, in the same order. */
const timeouts = { headers: 600, idle: 500, body: 4_000, rest: 400, pace: 10_000 }
/** Tolerance in ms: Node checks header timeouts at intervals, and the machine may be busy. */
const slack = 3_000

let scene: Scene
let base: string
let userKey: string
const dripping = new Set<NodeJS.Timeout>()
beforeAll(async () => {
  scene = await openScene({ timeouts })
  base = await scene.listen()
  userKey = (await scene.chatUser()).headers['x-user-key']!
})
afterAll(async () => {
  for (const timer of dripping) clearInterval(timer)
  await scene.close()
})

const drip = (text: string, everyMs: number) => (socket: Socket) => {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++ % text.length]!), everyMs)
  dripping.add(timer)
  socket.on('error', () => {}) // The server closes it, as expected.
  socket.on('close', () => clearInterval(timer))
}
const post = (headers = '', path = `/chat/${scene.webhookId}/conversations`) =>
  [
    `POST ${path} HTTP/1.1\r\nhost: here\r\nx-user-key: ${userKey}\r\n`,
    `content-type: application/json\r\ncontent-length: 10000\r\n${headers}\r\n`,
  ].join('')

function expectLate(reply: Awaited<ReturnType<typeof rawReply>>, ms: number) {
  expectRejected(reply, 408, 'RequestTimeout')
  expect(reply.headers.connection).toBe('close')
  expect(reply.ms).toBeGreaterThan(ms * 0.9)
  expect(reply.ms).toBeLessThan(ms + slack)
}

describe('answers 408', () => {
  test.concurrent('without a byte', async () =>
    expectLate(await rawReply(base, ''), timeouts.headers))
  test.concurrent('to half a request line', async () =>
    expectLate(await rawReply(base, 'GET /hea'), timeouts.headers))
  test.concurrent('to headers without an end', async () =>
    expectLate(
      await rawReply(base, 'GET /healthz HTTP/1.1\r\nhost: here\r\n'),
      timeouts.headers,
    ))
  test.concurrent('to slowly sent headers', async () =>
    expectLate(
      await rawReply(base, 'GET /healthz HTTP/1.1\r\nhost: here\r\n', {
        continueWith: drip('x-a: b\r\n', 50),
      }),
      timeouts.headers,
    ))
  test.concurrent('without a byte of the body', async () =>
    expectLate(await rawReply(base, post()), timeouts.idle))
  test.concurrent('to a body that stops', async () =>
    expectLate(await rawReply(base, `${post()}{"a":"`), timeouts.idle))
  test.concurrent('to chunks that stop', async () =>
    expectLate(
      await rawReply(
        base,
        `${post().replace('content-length: 10000', 'transfer-encoding: chunked')}5\r\n{"a":\r\n`,
      ),
      timeouts.idle,
    ))
  test.concurrent('to a slowly sent body', async () =>
    expectLate(
      await rawReply(base, post(), { continueWith: drip(' ', 50) }),
      timeouts.body,
    ))
  test.concurrent('without a body after 100 Continue', async () =>
    expectLate(await rawReply(base, post('expect: 100-continue\r\n')), timeouts.idle))
})

test.each([
  ['to an unknown path', () => post('', '/nothing')],
  [
    'with an invalid user key',
    () => post().replace(`x-user-key: ${userKey}`, 'x-user-key: a'),
  ],
  ['of a GET request', () => post().replace('POST', 'GET')],
])(
  'closes the connection of an endless body that no handler reads: %s',
  async (_, request) => {
    const began = Date.now()
    await new Promise<void>((resolve) => {
      const { hostname, port } = new URL(base)
      const socket = connect(Number(port), hostname, () => socket.write(request()))
      socket.on('close', () => resolve())
      socket.resume()
      drip(' ', 50)(socket)
    })
    expect(Date.now() - began).toBeLessThan(timeouts.rest + slack)
  },
)

test('stops listening for a client that disconnects before the stream begins', async () => {
  const { userKeys, signals } = scene.app.services
  const { read } = userKeys
  const listen = signals.listen.bind(signals)
  const { body } = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers: { 'x-user-key': userKey },
    body: {},
  })
  const path = `/chat/${scene.webhookId}/conversations/${body.conversation.id}/listen`
  let begun = 0
  let listening = 0
  vi.spyOn(signals, 'listen').mockImplementation((...what) => {
    begun++
    listening++
    const stop = listen(...what)
    return () => {
      listening--
      stop()
    }
  })
  vi.spyOn(userKeys, 'read').mockImplementation(async (...what) => {
    await pause(200)
    return read(...what)
  })
  const { hostname, port } = new URL(base)
  for (let i = 0; i < 20; i++) {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: here\r\nx-user-key: ${userKey}\r\n\r\n`,
      ),
    )
    setTimeout(() => socket.destroy(), 100)
  }
  await vi.waitFor(() => expect(begun).toBe(20), 5_000)
  await vi.waitFor(() => expect(listening).toBe(0), 2_000)
  vi.restoreAllMocks()
})

test('answers other requests beside 200 slow clients', async () => {
  const { hostname, port } = new URL(base)
  const sockets = Array.from({ length: 200 }, (_, i) => {
    const socket = connect(Number(port), hostname)
    socket.write(i % 2 ? `${post()}{` : 'GET /healthz HTTP/1.1\r\nhost: here\r\n')
    drip(i % 2 ? ' ' : 'x-a: b\r\n', 100)(socket)
    return new Promise<string>((resolve) => {
      let got = ''
      socket.on('data', (chunk) => (got += chunk))
      socket.on('close', () => resolve(got.slice(0, 12)))
    })
  })
  await pause(100)
  const times: number[] = []
  for (let i = 0; i < 40; i++) {
    const began = performance.now()
    const reply = await fetch(`${base}/chat/${scene.webhookId}/conversations`, {
      method: 'POST',
      headers: { 'x-user-key': userKey },
    })
    expect(reply.status).toBe(201)
    times.push(performance.now() - began)
  }
  // A loose bound, not a benchmark.
  expect(times.sort((a, b) => a - b)[20]).toBeLessThan(2_000)
  expect(new Set(await Promise.all(sockets))).toEqual(new Set(['HTTP/1.1 408']))
})
